/** The maximum height of the frame of the shop's script. */
const MOST_HEIGHT = 480;

/**
 * Opens the shop's script in a frame that may only run scripts, and sends it the receipt's public fields. The page
 * accepts only one message from the frame: its height.
 */
export function openScriptFrame(holder: HTMLElement, path: string, receipt: object | null): void {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.setAttribute('referrerpolicy', 'no-referrer');
  frame.title = holder.querySelector('h2')?.textContent ?? '';
  frame.src = path;
  frame.addEventListener(
    'load',
    // The frame's opaque origin cannot be named as the target.
    () => frame.contentWindow?.postMessage({ type: 'receipt', receipt }, '*'),
    { once: true },
  );
  window.addEventListener('message', ({ source, data }: MessageEvent<{ type?: unknown; height?: unknown } | null>) => {
    if (source !== frame.contentWindow || typeof data !== 'object' || data?.type !== 'height') return;
    const height = typeof data.height === 'number' && data.height > 0 ? Math.min(data.height, MOST_HEIGHT) : 0;
    frame.style.height = `${Math.ceil(height)}px`;
    holder.classList.toggle('shown', height > 0);
  });
  holder.append(frame);
}
