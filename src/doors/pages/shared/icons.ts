import { type Html, html, trusted } from './html.ts';

const strokes: Record<string, string> = {
  copy: '<rect x="6" y="6" width="9" height="10" rx="2"/><path d="M4 12.5H3.5A1.5 1.5 0 0 1 2 11V4.5A2 2 0 0 1 4 2.5h6a1.5 1.5 0 0 1 1.5 1.5"/>',
  check: '<path d="m3.5 9.5 3.5 3.5 7.5-8"/>',
  out: '<path d="M7 4H4.5A1.5 1.5 0 0 0 3 5.5v8A1.5 1.5 0 0 0 4.5 15h8a1.5 1.5 0 0 0 1.5-1.5V11M10 3h5v5M15 3 8 10"/>',
  wallet:
    '<path d="M2.5 5.5v8a2 2 0 0 0 2 2h9a1.5 1.5 0 0 0 1.5-1.5V7.5A1.5 1.5 0 0 0 13.5 6H4a1.5 1.5 0 0 1 0-3h9v3"/><path d="M11.5 10.75h.01"/>',
  card: '<rect x="2" y="4" width="14" height="10.5" rx="2"/><path d="M2 7.5h14M5 11.5h3"/>',
  clock: '<circle cx="9" cy="9" r="6.5"/><path d="M9 5.5V9l2.5 1.5"/>',
  phone: '<rect x="5" y="2" width="8" height="14" rx="2"/><path d="M8.5 13.5h1"/>',
};

/** The signs that point along the text, or are a part of it: mirrored where it runs from right to left. */
const directed = (name: string) => (['out', 'back', 'question'].includes(name) ? ' directed' : '');

/** A small line icon in the text colour, hidden from screen readers. */
export function icon(name: keyof typeof strokes & string, role: 'icon' | 'done' = 'icon'): Html {
  return html`<svg class="${role}${directed(name)}" viewBox="0 0 18 18" width="18" height="18" aria-hidden="true">${trusted(strokes[name] ?? '')}</svg>`;
}

const sealInside: Record<string, string> = {
  check: '<path class="seal-sign" pathLength="1" d="m31 49 12 12 23-26"/>',
  question:
    '<path class="seal-sign" pathLength="1" d="M40 41a8 8 0 1 1 11.5 7.2c-2.6 1.3-3.5 2.6-3.5 5.3"/><path class="seal-sign" d="M48 62.5h.01"/>',
  cross: '<path class="seal-sign" pathLength="1" d="m37 37 22 22M59 37 37 59"/>',
  back: '<path class="seal-sign" pathLength="1" d="M40 34 29 45l11 11M30 45h24a12 12 0 0 1 0 24h-8" transform="translate(2 -4)"/>',
  clock: '<path class="seal-sign" pathLength="1" d="M48 33v16l10 6"/>',
};

/** The icon of a state: a sign in a perforated ring. */
export function seal(sign: keyof typeof sealInside & string, tone: 'mark' | 'warn' | 'bad' | 'muted'): Html {
  return html`<svg class="seal tone-${tone}${directed(sign)}" viewBox="0 0 96 96" width="96" height="96" fill="none" aria-hidden="true"><circle class="seal-ring" cx="48" cy="48" r="45"/><circle class="seal-disc" cx="48" cy="48" r="37"/>${trusted(sealInside[sign] ?? '')}</svg>`;
}

/** Confirmations as a ring that fills, with the count inside. */
export function confirmationRing(done: number, needed: number): Html {
  const share = needed > 0 ? Math.min(100, Math.round((done / needed) * 100)) : 100;
  return html`<svg class="seal tone-mark ring" viewBox="0 0 96 96" width="96" height="96" fill="none" aria-hidden="true"><circle class="seal-ring" cx="48" cy="48" r="45"/><circle class="ring-track" cx="48" cy="48" r="35"/><circle class="ring-fill" cx="48" cy="48" r="35" pathLength="100" stroke-dasharray="${Math.max(share, 2)} 100" transform="rotate(-90 48 48)"/><text x="48" y="55" text-anchor="middle">${Math.min(done, needed)}/${needed}</text></svg>`;
}
