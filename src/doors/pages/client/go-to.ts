/** Asks the page that shows this one in a frame to go to an address. It is cancelled if there is such a page. */
export const GO = 'quittance:go';

/** Goes to an address: with the whole tab, also from within a frame. */
export function goTo(url: string): void {
  if (window.dispatchEvent(new CustomEvent(GO, { detail: url, cancelable: true }))) location.assign(url);
}
