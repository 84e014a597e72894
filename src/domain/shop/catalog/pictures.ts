import type { Db } from '../../../base/platform/db.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { decodeImage, imagePath } from '../../../base/records/images/data-uri.ts';
import { keepImage, type StoredImage } from '../../../base/records/images/store.ts';

/**
 * A small neutral tile with the first letter of a name, as an SVG data URI, for items without a picture. It contains
 * only that letter or digit of the name.
 */
export function letterTile(name: string): string {
  const letter = firstLetter(name);
  const known = tiles.get(letter);
  if (known !== undefined) return known;
  const tile = draw(letter);
  if (tiles.size < MAX_KEPT) tiles.set(letter, tile);
  return tile;
}

/** The longest picture of a receipt line, in characters. A larger one is shown by its address. */
export const MAX_LINE_THUMB = 4_096;

/**
 * The picture of a receipt line: always a data URI of at most `MAX_LINE_THUMB` characters, so that it loads nothing
 * from other servers. A missing, remote or larger picture is replaced by the tile of the label.
 */
export const lineThumb = (thumb: string | null | undefined, label: string): string =>
  thumb?.startsWith('data:') && thumb.length <= MAX_LINE_THUMB ? thumb : letterTile(label);

/** The address of an item's picture: under `/images/` for a data URI, else the given address; null if it has none. */
export function thumbAddress(baseUrl: string, thumb: string | null | undefined): string | null {
  if (!thumb?.startsWith('data:')) return thumb ?? null;
  const image = decodeImage(thumb);
  return image && baseUrl + imagePath(image.digest);
}

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

/** The digest by which an item's picture is served; null unless it is a data URI of a picture. */
export const pictureDigest = (thumb: string | null | undefined): string | null =>
  thumb?.startsWith('data:') ? (decodeImage(thumb)?.digest ?? null) : null;

const READ = query('product-picture', (db, $: { digest: string }) =>
  db.selectFrom('Item').select('thumb').where('thumbDigest', '=', $.digest).limit(1),
);

/** Reads a picture that an item has now, by its digest; null where no item has it. */
export async function readProductPicture(db: Db, digest: string): Promise<StoredImage | null> {
  const [item] = await db.run(READ, { digest });
  const image = item?.thumb ? decodeImage(item.thumb) : null;
  return image && keepImage(db, digest, { mediaType: image.mediaType, bytes: image.bytes });
}
