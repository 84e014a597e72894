import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { askInSession } from '../../client/graphql.ts';
import { ArrivedPayment } from '../generated/client.ts';
import { words } from '../shared/words.ts';
import { useInside } from './inside.ts';
import { ownText } from './own-amount.ts';
import { useReceiptNews } from './receipts-feed.ts';
import { summary } from './summary.ts';

const ON = 'console.payments.tell';

/** Whether this browser tells of payments that arrive while the console is in the background. */
export const isTelling = (): boolean => localStorage.getItem(ON) !== null;

/** Whether this browser shows notes of the console, beside the sound. It shows none without https. */
export const showsNotes = (): boolean => 'Notification' in window && Notification.permission === 'granted';

/** Begins to tell of payments, in this browser. It asks for the right to show notes, so a press must call it. */
export async function beginTelling(): Promise<void> {
  prepareSound();
  if ('Notification' in window && Notification.permission === 'default') await Notification.requestPermission();
  localStorage.setItem(ON, '1');
}

export const stopTelling = (): void => localStorage.removeItem(ON);

/** Sounds and shows a note for each payment that arrives while no one looks, if this browser is to. */
export function usePaymentAlert(): void {
  const { settings, session } = useInside();
  const { route } = useLocation();
  useEffect(() => {
    const onTouch = () => isTelling() && prepareSound();
    document.addEventListener('pointerdown', onTouch);
    return () => document.removeEventListener('pointerdown', onTouch);
  }, []);
  useReceiptNews(({ kind, status, receiptId }) => {
    if (kind !== 'status' || status !== 'paid' || !document.hidden || !isTelling()) return;
    playPayment();
    if (showsNotes()) void show(receiptId).catch(() => {});
  });

  /** One note for a receipt, however many tabs are open. A phone may refuse notes of a page. */
  async function show(receiptId: string): Promise<void> {
    const asked = { receiptId };
    const { receipt } = await askInSession(settings.graphqlUrl, ArrivedPayment, asked, session.csrfToken);
    if (!receipt) return;
    const note = new Notification(words.live.arrived({ amount: ownText(receipt) }), {
      body: summary(receipt),
      tag: receiptId,
    });
    note.onclick = () => {
      window.focus();
      route(`/console/receipts/${encodeURIComponent(receiptId)}`);
      note.close();
    };
  }
}

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
