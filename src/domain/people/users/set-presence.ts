import { sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { publishPresence } from './presence-state.ts';
import type { UserRecord } from './record.ts';
import { USER_COLUMNS } from './user.entity.ts';
import type { PresenceInput } from './user.input.ts';

type Given = PresenceInput & { readonly wallet: Wallet; readonly at: number };

/** `liveSince` stays unchanged as long as the user stays live. */
const SET = query('user-set-presence', (db, $: Given) => {
  const since = sql<number | null>`case when ${$.live} then ${$.at}::int8 end`;
  return db
    .insertInto('User')
    .values({
      wallet: $.wallet,
      live: $.live,
      spacePublic: sql`coalesce(${$.spacePublic}, false)`,
      platform: sql`coalesce(${$.platform}, '')`,
      spaceUrl: sql`coalesce(${$.spaceUrl}, '')`,
      liveSince: since,
      lastSeen: $.at,
      lastHeartbeat: since,
      version: 1,
      createdAt: $.at,
      updatedAt: $.at,
    })
    .onConflict((conflict) =>
      conflict.column('wallet').doUpdateSet(({ ref }) => ({
        live: $.live,
        spacePublic: sql`coalesce(${$.spacePublic}, ${ref('User.spacePublic')})`,
        platform: sql`coalesce(${$.platform}, ${ref('User.platform')})`,
        spaceUrl: sql`coalesce(${$.spaceUrl}, ${ref('User.spaceUrl')})`,
        liveSince: sql`case when ${$.live}
          then coalesce(case when ${ref('User.live')} then ${ref('User.liveSince')} end, ${$.at}) end`,
        lastSeen: sql`greatest(${ref('User.lastSeen')}, ${$.at})`,
        lastHeartbeat: sql`case when ${$.live} then greatest(${ref('User.lastHeartbeat')}, ${$.at})
          else ${ref('User.lastHeartbeat')} end`,
        version: sql`${ref('User.version')} + 1`,
        updatedAt: $.at,
      })),
    )
    .returning(USER_COLUMNS);
});

/**
 * Sets whether a wallet is live, where, and whether others may see it. Going live counts as a heartbeat; presence ends
 * two minutes after the last one. Omitted fields keep their value; initially the space is private.
 */
export async function setPresence(
  deps: Pick<Deps, 'db' | 'bus' | 'clock' | 'heartbeats' | 'log'>,
  wallet: Wallet,
  presence: PresenceInput,
): Promise<UserRecord> {
  const at = deps.clock();
  const [user] = await deps.db.run(SET, { ...presence, wallet, at });
  const noted = presence.live ? deps.heartbeats.watch([{ member: wallet, at }]) : deps.heartbeats.forget([wallet]);
  // If the heartbeat store is unavailable, the presence worker updates it later.
  await noted.catch((error: Error) => deps.log.warn({ error: error.message }, 'heartbeats cannot be written'));
  publishPresence(deps.bus, [user as UserRecord]);
  return user as UserRecord;
}
