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

/** The default and the maximum length of the leaderboard. */
export const LEADERS = 50;
export const MAX_LEADERS = 200;

/** The user with this wallet; null if there is none. */
export const findUser = ({ sql }: Pick<Deps, 'sql'>, wallet: Wallet): Promise<UserRecord | null> =>
  sql.row<UserRecord>(BY_WALLET, [wallet]);

/** The maximum `limit` of a list of live users. */
export const MAX_LIVE = 1_000;

/**
 * The publicly live users with a heartbeat within two minutes, most recent first. `limit` is 1 to 1000, else
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

/** The first `limit` users of `listLive`, and the total number. */
export async function listLatestLive(
  { sql, clock }: Pick<Deps, 'sql' | 'clock'>,
  limit: number,
): Promise<{ users: UserRecord[]; total: number }> {
  const users = await sql.rows<UserRecord & { total: number }>(LATEST, [clock() - SILENCE_MS, limit]);
  return { users, total: users[0]?.total ?? 0 };
}

/** The users with the most XP, highest first; ties are ordered by wallet. `limit` is 1 to 200, else `invalid_input`. */
export async function listLeaders({ sql }: Pick<Deps, 'sql'>, limit: number): Promise<UserRecord[]> {
  if (limit < 1 || limit > MAX_LEADERS)
    throw refuse('invalid_input', `limit must be a whole number from 1 to ${MAX_LEADERS}`, { field: 'limit' });
  return sql.rows<UserRecord>(FIRST, [limit]);
}
