/** For pages served over http, where the clipboard API is not available. */
function copyByCommand(text: string, within: Element): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'unseen';
  within.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  return done;
}

/**
 * Writes a text to the clipboard. Resolves with whether it succeeded. While a modal dialog is open, `within` must be
 * that dialog, because nothing outside it can be selected.
 */
export const writeClipboard = (text: string, within: Element = document.body): Promise<boolean> =>
  (navigator.clipboard?.writeText(text) ?? Promise.reject()).then(
    () => true,
    () => copyByCommand(text, within),
  );
