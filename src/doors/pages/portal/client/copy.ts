import { writeClipboard } from '../../client/clipboard.ts';
import { announce } from '../../client/draw.ts';

const shownMs = 2000;

/** Copies `text` to the clipboard and confirms it on the button and to screen readers. */
export async function copyText(button: HTMLElement, text: string, what: string): Promise<void> {
  const copied = await writeClipboard(text);
  button.focus();
  if (!copied) {
    announce(`The ${what} could not be copied. Select it and copy it yourself.`);
    return;
  }
  announce(`Copied the ${what}.`);
  button.classList.add('copied');
  setTimeout(() => button.classList.remove('copied'), shownMs);
}
