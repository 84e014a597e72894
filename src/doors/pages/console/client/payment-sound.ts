let audio: AudioContext | undefined;

/** Prepares the sound. Browsers allow it after the user has touched the page, so each touch calls it. */
export function prepareSound(): void {
  audio ??= new AudioContext();
  if (audio.state === 'suspended') void audio.resume();
}

/** Two rising notes, each as its frequency in Hz and its begin in seconds. */
const NOTES = [
  [880, 0],
  [1318.5, 0.14],
] as const;
const NOTE_SECONDS = 0.5;

/** The sound of a payment. */
export function playPayment(): void {
  if (audio?.state !== 'running') return;
  for (const [frequency, after] of NOTES) {
    const begin = audio.currentTime + after;
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.type = 'triangle';
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0, begin);
    volume.gain.linearRampToValueAtTime(0.5, begin + 0.015);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + NOTE_SECONDS);
    tone.connect(volume).connect(audio.destination);
    tone.start(begin);
    tone.stop(begin + NOTE_SECONDS);
  }
}
