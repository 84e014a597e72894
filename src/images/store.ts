import { LRUCache } from 'lru-cache';
import { weakMemo } from '../core/weak-memo.ts';
import type { Deps } from '../platform/deps.ts';
import { type Sql, statement } from '../platform/sql.ts';
import { type DecodedImage, decodeImage, imagePath } from './data-uri.ts';

/** A stored picture, as it is served. */
export type StoredImage = Pick<DecodedImage, 'mediaType' | 'bytes'>;

const STORE = statement(
  'images-store',
  `insert into images (digest, media_type, bytes, created_at)
   select x.digest, x."mediaType", decode(x.base64, 'base64'), $2
     from json_to_recordset($1::text::json) as x(digest text, "mediaType" text, base64 text)
    order by x.digest
   on conflict (digest) do nothing`,
);
const READ = statement('image-read', 'select media_type as "mediaType", bytes from images where digest = $1');

/**
 * Stores the pictures among these texts, each once, and answers for each text what is to be kept in its place: the path
 * of the picture where it is a data URI, else the text itself. Texts without a data URI cost no statement.
 */
export async function storePictures(
  { sql, clock }: Pick<Deps, 'sql' | 'clock'>,
  urls: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const paths = new Map<string, string>();
  const images = new Map<string, DecodedImage>();
  for (const url of new Set(urls)) {
    const image = url.startsWith('data:') ? decodeImage(url) : null;
    if (image) images.set(image.digest, image);
    paths.set(url, image ? imagePath(image.digest) : url);
  }
  if (images.size > 0) {
    const rows = [...images.values()].map(({ bytes, ...image }) => ({ ...image, base64: bytes.toString('base64') }));
    await sql.rows(STORE, [JSON.stringify(rows), clock()]);
  }
  return paths;
}

const KEPT_BYTES = 32 * 1024 * 1024;
const keptBy = weakMemo(
  (_sql: Sql) =>
    new LRUCache<string, StoredImage>({ maxSize: KEPT_BYTES, sizeCalculation: ({ bytes }) => bytes.length + 256 }),
);

/** A picture that this process has served before; undefined where it must be read. */
export const keptImage = ({ sql }: Pick<Deps, 'sql'>, digest: string): StoredImage | undefined =>
  keptBy(sql).get(digest);

/** Reads a picture by its digest; null where there is none. */
export async function readImage({ sql }: Pick<Deps, 'sql'>, digest: string): Promise<StoredImage | null> {
  const [image] = await sql.rows<StoredImage>(READ, [digest]);
  if (image) keptBy(sql).set(digest, image);
  return image ?? null;
}
