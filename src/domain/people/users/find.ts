import { type Kysely, sql } from 'kysely';
import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Database } from '../../../base/platform/postgres/database.ts';
import { type KeyColumns, keyedQuery, query } from '../../../base/platform/postgres/query.ts';
import { SILENCE_MS, type UserRecord } from './record.ts';
import { USER_COLUMNS } from './user.entity.ts';

type WalletKey = KeyColumns<{ wallet: Wallet }>;

const BY_WALLET = keyedQuery('user-by-wallet', ['wallet'], (db, key: WalletKey) =>
  db.selectFrom('User as u').select(USER_COLUMNS).where('u.wallet', '=', key.wallet),
);

/** Live users that others may see, with a heartbeat after `since`. */
const livePublic = (db: Kysely<Database>, since: number) =>
  db
    .selectFrom('User')
    .select(USER_COLUMNS)
    .where('live', '=', true)
    .where('spacePublic', '=', true)
    .where('lastHeartbeat', '>', since)
    .orderBy('liveSince', 'desc')
    .orderBy('wallet');

const LIVE = query('users-live', (db, $: { since: number }) => livePublic(db, $.since));
const LATEST = query(
  'users-live-latest',
  (db, $: { since: number; limit: number }) =>
    livePublic(db, $.since).select(sql<number>`count(*) over ()`.as('total')).limit($.limit),
  { computed: { total: 'int8' } },
);
const FIRST = query('users-leaderboard', (db, $: { limit: number }) =>
  db.selectFrom('User').select(USER_COLUMNS).orderBy('xp', 'desc').orderBy('wallet').limit($.limit),
);

/** The default and the maximum length of the leaderboard. */
export const LEADERS = 50;
export const MAX_LEADERS = 200;

/** The user with this wallet; null if there is none. */
export const findUser = (db: Db, wallet: Wallet): Promise<UserRecord | null> => db.one(BY_WALLET, { wallet });

/** The maximum `limit` of a list of live users. */
export const MAX_LIVE = 1_000;

/**
 * The publicly live users with a heartbeat within two minutes, most recent first. `limit` is 1 to 1000, else
 * `invalid_input`; null: all of them.
 */
export async function listLive(db: Db, now: number, limit: number | null = null): Promise<readonly UserRecord[]> {
  if (limit === null) return db.run(LIVE, { since: now - SILENCE_MS });
  if (limit < 1 || limit > MAX_LIVE)
    throw refuse('invalid_input', `limit must be a whole number from 1 to ${MAX_LIVE}`, { field: 'limit' });
  return (await listLatestLive(db, now, limit)).users;
}

/** The first `limit` users of `listLive`, and the total number. */
export async function listLatestLive(
  db: Db,
  now: number,
  limit: number,
): Promise<{ users: UserRecord[]; total: number }> {
  const users = await db.run(LATEST, { since: now - SILENCE_MS, limit });
  return { users, total: users[0]?.total ?? 0 };
}

/** The users with the most XP, highest first; ties are ordered by wallet. `limit` is 1 to 200, else `invalid_input`. */
export async function listLeaders(db: Db, limit: number): Promise<UserRecord[]> {
  if (limit < 1 || limit > MAX_LEADERS)
    throw refuse('invalid_input', `limit must be a whole number from 1 to ${MAX_LEADERS}`, { field: 'limit' });
  return db.run(FIRST, { limit });
}
