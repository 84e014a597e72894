import { parseInput } from '../core/input.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import { publishPresence } from './presence-event.ts';
import { COLUMNS, type UserRecord } from './record.ts';
import { presenceInput } from './user.input.ts';

/** `live_since` stays unchanged as long as the user stays live. */
const SET = statement(
  'user-set-presence',
  `insert into users as u (wallet, live, space_public, platform, space_url, live_since, last_seen, last_heartbeat, version, created_at, updated_at)
   values ($1, $2, coalesce($3, false), coalesce($4, ''), coalesce($5, ''), case when $2 then $6::bigint end, $6,
           case when $2 then $6::bigint end, 1, $6, $6)
   on conflict (wallet) do update set
     live = $2, space_public = coalesce($3, u.space_public), platform = coalesce($4, u.platform), space_url = coalesce($5, u.space_url),
     live_since = case when $2 then coalesce(case when u.live then u.live_since end, $6) end,
     last_seen = greatest(u.last_seen, $6), last_heartbeat = case when $2 then greatest(u.last_heartbeat, $6) else u.last_heartbeat end,
     version = u.version + 1, updated_at = $6
   returning ${COLUMNS}`,
);

/**
 * Sets whether a wallet is live, where, and whether others may see it. Going live counts as a heartbeat; presence ends
 * two minutes after the last one. Omitted fields keep their value; initially the space is private. Refuses with
 * `invalid_input`.
 */
export async function setPresence(
  deps: Pick<Deps, 'sql' | 'bus' | 'clock' | 'heartbeats' | 'log'>,
  wallet: Wallet,
  input: unknown,
): Promise<UserRecord> {
  const { live, spacePublic, platform, spaceUrl } = parseInput(presenceInput, input);
  const at = deps.clock();
  const [user] = await deps.sql.rows<UserRecord>(SET, [
    wallet,
    live,
    spacePublic ?? null,
    platform ?? null,
    spaceUrl ?? null,
    at,
  ]);
  const noted = live ? deps.heartbeats.watch([{ member: wallet, at }]) : deps.heartbeats.forget([wallet]);
  // If the heartbeat store is unavailable, the presence worker updates it later.
  await noted.catch((error: Error) => deps.log.warn({ error: error.message }, 'heartbeats cannot be written'));
  publishPresence(deps, [user as UserRecord]);
  return user as UserRecord;
}
