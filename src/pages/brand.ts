import { type Html, html } from './html.ts';

/** Pictures come from `https:`, from raster and SVG data addresses, or from `/images/` of a server; others are left out. */
export function imageUrl(url: string | null | undefined): string | null {
  return url &&
    /^(https:\/\/|(http:\/\/[^/]+)?\/images\/[0-9a-f]{64}$|data:image\/(png|jpe?g|webp|gif|avif|svg\+xml)[;,])/i.test(
      url,
    )
    ? url
    : null;
}

/** Whose page it is: its logo, or its first letter where there is none, and its name, in whichever direction that is read. */
export function brandLine(name: string, logoUrl: string | null | undefined): Html {
  return html`<div class="brand">${brandMark(name, logoUrl)}<bdi>${name}</bdi></div>`;
}

function brandMark(name: string, logoUrl: string | null | undefined): Html {
  const logo = imageUrl(logoUrl);
  if (logo) return html`<img class="logo" src="${logo}" alt="" height="40" referrerpolicy="no-referrer">`;
  return html`<span class="logo letter" aria-hidden="true">${[...name.trim()][0]?.toUpperCase() ?? '·'}</span>`;
}
