import { announce } from '../../client/draw.ts';

const shownMs = 2000;

/** For pages served over http, where the clipboard API is not available. */
function copyByCommand(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'unseen';
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  return done;
}

/** Copies `text` to the clipboard and confirms it on the button and to screen readers. */
export async function copyText(button: HTMLElement, text: string, what: string): Promise<void> {
  const copied = navigator.clipboard
    ? await navigator.clipboard.writeText(text).then(
        () => true,
        () => copyByCommand(text),
      )
    : copyByCommand(text);
  button.focus();
  if (!copied) {
    announce(`The ${what} could not be copied. Select it and copy it yourself.`);
    return;
  }
  announce(`Copied the ${what}.`);
  button.classList.add('copied');
  setTimeout(() => button.classList.remove('copied'), shownMs);
}
