/**
 * A small neutral tile with the first letter of a name, as an SVG data URI: shown where an item has no picture. It
 * carries nothing of the name but that letter or digit.
 */
export function letterTile(name: string): string {
  const letter = firstLetter(name);
  const known = tiles.get(letter);
  if (known !== undefined) return known;
  const tile = draw(letter);
  if (tiles.size < MAX_KEPT) tiles.set(letter, tile);
  return tile;
}

/** The picture on a receipt's line: always a data URI, which shows without asking anyone. In place of an address, or of none, the tile of the label. */
export const lineThumb = (thumb: string | null | undefined, label: string): string =>
  thumb?.startsWith('data:') ? thumb : letterTile(label);

const MAX_KEPT = 1_000;
const tiles = new Map<string, string>();

function firstLetter(name: string): string {
  const letter = /[\p{L}\p{N}]/u.exec(name.normalize('NFC'))?.[0] ?? '';
  return letter.toUpperCase().slice(0, 2);
}

function draw(letter: string): string {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path fill="#e7e9ee" d="M0 0h9v9H0z"/>' +
    `<text x="4.5" y="6.1" font-size="4.5" text-anchor="middle" fill="#4b5263">${letter}</text></svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}
