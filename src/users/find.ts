import { refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import { COLUMNS, SILENCE_MS, type UserRecord } from './record.ts';

const BY_WALLET = statement(
  'user-by-wallet',
  `select n, u.* from unnest($1::text[]) with ordinality as k(key, n) join (select ${COLUMNS} from users) u on u.wallet = k.key`,
);
const LIVE = statement(
  'users-live',
  `select ${COLUMNS} from users where live and space_public and last_heartbeat > $1 order by live_since desc, wallet`,
);
const LATEST = statement(
  'users-live-latest',
  `select ${COLUMNS}, count(*) over () as total from users where live and space_public and last_heartbeat > $1
    order by live_since desc, wallet limit $2`,
);
const FIRST = statement('users-leaderboard', `select ${COLUMNS} from users order by xp desc, wallet limit $1`);

/** How many users the leaderboard has where nobody says, and may have. */
export const LEADERS = 50;
export const MAX_LEADERS = 200;

/** The user of a wallet; null where it is none. */
export const findUser = ({ sql }: Pick<Deps, 'sql'>, wallet: Wallet): Promise<UserRecord | null> =>
  sql.row<UserRecord>(BY_WALLET, [wallet]);

/** How many of those who are live may be asked for by number. */
export const MAX_LIVE = 1_000;

/**
 * Who is live in public and was heard of within two minutes; who came last comes first. `limit` is 1…1000, else
 * `invalid_input`; null: all of them.
 */
export async function listLive(
  deps: Pick<Deps, 'sql' | 'clock'>,
  limit: number | null = null,
): Promise<readonly UserRecord[]> {
  if (limit === null) return deps.sql.rows<UserRecord>(LIVE, [deps.clock() - SILENCE_MS]);
  if (limit < 1 || limit > MAX_LIVE)
    throw refuse('invalid_input', `limit must be a whole number from 1 to ${MAX_LIVE}`, { field: 'limit' });
  return (await listLatestLive(deps, limit)).users;
}

/** The first `limit` of them, and how many there are. */
export async function listLatestLive(
  { sql, clock }: Pick<Deps, 'sql' | 'clock'>,
  limit: number,
): Promise<{ users: UserRecord[]; total: number }> {
  const users = await sql.rows<UserRecord & { total: number }>(LATEST, [clock() - SILENCE_MS, limit]);
  return { users, total: users[0]?.total ?? 0 };
}

/** The users with the most XP, most first; among equals the wallet decides. `limit` is 1…200, else `invalid_input`. */
export async function listLeaders({ sql }: Pick<Deps, 'sql'>, limit: number): Promise<UserRecord[]> {
  if (limit < 1 || limit > MAX_LEADERS)
    throw refuse('invalid_input', `limit must be a whole number from 1 to ${MAX_LEADERS}`, { field: 'limit' });
  return sql.rows<UserRecord>(FIRST, [limit]);
}
