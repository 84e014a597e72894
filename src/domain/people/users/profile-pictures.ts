import { type Expression, sql } from 'kysely';
import type { Db } from '../../../base/platform/db.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { SWEEP_BATCH, sweep } from '../../../base/platform/sweep.ts';
import { storedAddress } from '../../../base/records/images/data-uri.ts';
import { deleteProfileImages } from '../../../base/records/images/delete-images.ts';
import { storePictures } from '../../../base/records/images/store.ts';

/**
 * Stores the pictures of profiles that came as data URIs. Returns what users keep of each address: the path where this
 * server serves the picture, else the address itself.
 */
export async function storeProfilePictures(
  deps: Pick<Deps, 'db' | 'clock' | 'settings'>,
  urls: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const paths = await storePictures(deps.db, deps.clock(), urls);
  return new Map([...paths].map(([url, path]) => [url, storedAddress(deps.settings.baseUrl, path)]));
}

/** The second condition makes the index of pictures usable. */
const isShownByNoUser = (digest: Expression<string>) =>
  sql<boolean>`not exists (select from users where pfp_url = '/images/' || ${digest} and pfp_url like '/images/%')`;

const SWEEP = query(
  'profile-pictures-sweep',
  (db, $: { before: number }) =>
    db
      .with('gone', () => deleteProfileImages(db, $.before, SWEEP_BATCH, isShownByNoUser))
      .selectFrom('gone')
      .select((eb) => eb.fn.countAll<number>().as('count')),
  { computed: { count: 'int8' }, slow: true },
);

/**
 * Deletes the pictures that no profile shows, if they were given before a time, epoch ms.
 * Returns the number of deleted pictures.
 */
export const sweepProfilePictures = (db: Db, before: number): Promise<number> => sweep(db, SWEEP, { before });
