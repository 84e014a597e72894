import { sql } from 'kysely';
import { boundedCache } from '../../core/caches.ts';
import { keptBy } from '../../core/kept.ts';
import type { Db } from '../../platform/db.ts';
import { query, type RowOf } from '../../platform/postgres/query.ts';
import { type DecodedImage, decodeImage, imagePath } from './data-uri.ts';

/**
 * Inserts in the order of the digests, so that two processes that store the same pictures do not deadlock. A known
 * picture gets the time of now, so that it is not deleted before the row that shows it is written.
 */
const STORE = query('images-store', (db, $: { images: string; createdAt: number }) =>
  db
    .insertInto('Image')
    .columns(['digest', 'mediaType', 'bytes', 'createdAt', 'profileOnly'])
    .expression((eb) =>
      eb
        .selectFrom(
          sql<{ digest: string; mediaType: string; base64: string }>`json_to_recordset(${$.images}::text::json)`.as(
            sql`x(digest text, "mediaType" text, base64 text)`,
          ),
        )
        .select([
          'x.digest',
          'x.mediaType',
          sql<Buffer>`decode(x.base64, 'base64')`.as('bytes'),
          sql<number>`${$.createdAt}::int8`.as('createdAt'),
          sql<boolean>`true`.as('profileOnly'),
        ])
        .orderBy('x.digest'),
    )
    .onConflict((conflict) =>
      conflict.column('digest').doUpdateSet(({ ref }) => ({ createdAt: ref('excluded.createdAt') })),
    ),
);
const READ = query('image-read', (db, $: { digest: string }) =>
  db.selectFrom('Image').select(['mediaType', 'bytes']).where('digest', '=', $.digest),
);

/** A stored picture, as it is served. */
export type StoredImage = RowOf<typeof READ>;

/**
 * Stores the pictures among these texts, each once, and answers for each text what is to be kept in its place: the path
 * of the picture where it is a data URI, else the text itself. Texts without a data URI cost no statement.
 */
export async function storePictures(
  db: Db,
  now: number,
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
    await db.run(STORE, { images: JSON.stringify(rows), createdAt: now });
  }
  return paths;
}

const KEPT_BYTES = 32 * 1024 * 1024;
/** What each picture counts beside its bytes. */
const RECORD_BYTES = 256;
const picturesOf = keptBy('pictures', (_db: Db) =>
  boundedCache<string, StoredImage>({
    max: KEPT_BYTES / RECORD_BYTES,
    maxSize: KEPT_BYTES,
    sizeOf: ({ bytes }) => bytes.length + RECORD_BYTES,
  }),
);

/** A picture that this process has served before; undefined where it must be read. */
export const keptImage = (db: Db, digest: string): StoredImage | undefined => picturesOf(db).get(digest);

/** Reads a picture by its digest; null where there is none. */
export async function readImage(db: Db, digest: string): Promise<StoredImage | null> {
  const [image] = await db.run(READ, { digest });
  return image ? keepImage(db, digest, image) : null;
}

/** Keeps a picture in this process, and gives it. */
export function keepImage(db: Db, digest: string, image: StoredImage): StoredImage {
  picturesOf(db).set(digest, image);
  return image;
}
