import { html, toMarkup } from '../../shared/html.ts';

const STYLE =
  'display:inline-block;padding:12px 20px;border-radius:8px;background:#111;color:#fff;font:600 16px system-ui,sans-serif;text-decoration:none';

/** The HTML of a button that leads to a payment link, for any page: it needs no script. */
export const buttonMarkup = (url: string, name: string): string =>
  toMarkup(html`<a href="${url}" style="${STYLE}">${name}</a>`);
