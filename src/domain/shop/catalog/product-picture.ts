import type { Db } from '../../../base/platform/db.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { decodeImage } from '../../../base/records/images/data-uri.ts';
import { keepImage, type StoredImage } from '../../../base/records/images/store.ts';

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
