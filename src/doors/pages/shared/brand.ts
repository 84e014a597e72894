import { type Html, html } from './html.ts';

/** Allowed image sources: `https:`, raster and SVG data URLs, and `/images/` of a server. Other sources are omitted. */
export function imageUrl(url: string | null | undefined): string | null {
  return url &&
    /^(https:\/\/|(http:\/\/[^/]+)?\/images\/[0-9a-f]{64}$|data:image\/(png|jpe?g|webp|gif|avif|svg\+xml)[;,])/i.test(
      url,
    )
    ? url
    : null;
}

/** The merchant's brand: the logo (or the first letter of the name) and the name, in its own text direction. */
export function brandLine(name: string, logoUrl: string | null | undefined): Html {
  return html`<div class="brand">${brandMark(name, logoUrl)}<bdi>${name}</bdi></div>`;
}

function brandMark(name: string, logoUrl: string | null | undefined): Html {
  const logo = imageUrl(logoUrl);
  if (logo) return html`<img class="logo" src="${logo}" alt="" height="40" referrerpolicy="no-referrer">`;
  return html`<span class="logo letter" aria-hidden="true">${[...name.trim()][0]?.toUpperCase() ?? '·'}</span>`;
}
