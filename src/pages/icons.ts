import { type Html, html, trusted } from './html.ts';

const strokes: Record<string, string> = {
  copy: '<rect x="6" y="6" width="9" height="10" rx="2"/><path d="M4 12.500H3.500A1.500 1.500 0 0 1 2 11V4.500A2 2 0 0 1 4 2.500h6a1.500 1.500 0 0 1 1.500 1.500"/>',
  check: '<path d="m3.500 9.500 3.500 3.500 7.500-8"/>',
  out: '<path d="M7 4H4.500A1.500 1.500 0 0 0 3 5.500v8A1.500 1.500 0 0 0 4.500 15h8a1.500 1.500 0 0 0 1.500-1.500V11M10 3h5v5M15 3 8 10"/>',
  wallet:
    '<path d="M2.500 5.500v8a2 2 0 0 0 2 2h9a1.500 1.500 0 0 0 1.500-1.500V7.500A1.500 1.500 0 0 0 13.500 6H4a1.500 1.500 0 0 1 0-3h9v3"/><path d="M11.500 10.750h.01"/>',
  card: '<rect x="2" y="4" width="14" height="10.500" rx="2"/><path d="M2 7.500h14M5 11.500h3"/>',
  clock: '<circle cx="9" cy="9" r="6.500"/><path d="M9 5.500V9l2.500 1.500"/>',
  phone: '<rect x="5" y="2" width="8" height="14" rx="2"/><path d="M8.500 13.500h1"/>',
};

/** A small line icon in the text colour, hidden from screen readers. */
export function icon(name: keyof typeof strokes & string, role: 'icon' | 'done' = 'icon'): Html {
  return html`<svg class="${role}" viewBox="0 0 18 18" width="18" height="18" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${trusted(strokes[name] ?? '')}</svg>`;
}

const sealInside: Record<string, string> = {
  check: '<path class="seal-sign" pathLength="1" d="m31 49 12 12 23-26"/>',
  question:
    '<path class="seal-sign" pathLength="1" d="M40 41a8 8 0 1 1 11.500 7.200c-2.600 1.300-3.500 2.600-3.500 5.300"/><path class="seal-sign" d="M48 62.500h.01"/>',
  cross: '<path class="seal-sign" pathLength="1" d="m37 37 22 22M59 37 37 59"/>',
  back: '<path class="seal-sign" pathLength="1" d="M40 34 29 45l11 11M30 45h24a12 12 0 0 1 0 24h-8" transform="translate(2 -4)"/>',
  clock: '<path class="seal-sign" pathLength="1" d="M48 33v16l10 6"/>',
};

/** The icon of a state: a sign in a perforated ring. */
export function seal(sign: keyof typeof sealInside & string, tone: 'mark' | 'warn' | 'bad' | 'muted'): Html {
  return html`<svg class="seal tone-${tone}" viewBox="0 0 96 96" width="96" height="96" fill="none" aria-hidden="true"><circle class="seal-ring" cx="48" cy="48" r="45"/><circle class="seal-disc" cx="48" cy="48" r="37"/>${trusted(sealInside[sign] ?? '')}</svg>`;
}

/** Confirmations as a ring that fills, with the count inside. */
export function confirmationRing(done: number, needed: number): Html {
  const share = needed > 0 ? Math.min(100, Math.round((done / needed) * 100)) : 100;
  return html`<svg class="seal tone-mark ring" viewBox="0 0 96 96" width="96" height="96" fill="none" aria-hidden="true"><circle class="seal-ring" cx="48" cy="48" r="45"/><circle class="ring-track" cx="48" cy="48" r="35"/><circle class="ring-fill" cx="48" cy="48" r="35" pathLength="100" stroke-dasharray="${Math.max(share, 2)} 100" transform="rotate(-90 48 48)"/><text x="48" y="55" text-anchor="middle">${Math.min(done, needed)}/${needed}</text></svg>`;
}
