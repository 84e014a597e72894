import { refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import { inTransaction, type UnitOfWork } from '../platform/unit-of-work.ts';

/** Follower counts of a wallet. */
export interface FollowsInfo {
  readonly followersCount: number;
  readonly followingCount: number;
  /** Whether the viewer follows it. */
  readonly viewerFollows: boolean;
}

const READ = statement(
  'follows-info',
  `select coalesce(u.followers_count, 0) as "followersCount", coalesce(u.following_count, 0) as "followingCount",
          exists (select 1 from follows f where f.follower = $2 and f.followed = $1) as "viewerFollows"
     from (select 1) one left join users u on u.wallet = $1`,
);

/** The follower counts of a wallet, and whether `viewer` follows it. A wallet that is not a user has no followers. */
export async function readFollows(
  { sql }: Pick<Deps, 'sql'>,
  wallet: Wallet,
  viewer: Wallet | null,
): Promise<FollowsInfo> {
  const [info] = await sql.rows<FollowsInfo>(READ, [wallet, viewer]);
  return info as FollowsInfo;
}

type FollowDeps = Pick<Deps, 'orm' | 'sql' | 'clock'>;

/**
 * Follows a user. Idempotent. Refuses with `invalid_input` for the own wallet, and with `not_found` for a wallet that
 * is not a user.
 */
export async function follow(deps: FollowDeps, follower: Wallet, followed: Wallet): Promise<FollowsInfo> {
  if (follower === followed) throw refuse('invalid_input', 'wallet must not be your own', { field: 'wallet' });
  const at = deps.clock();
  await inTransaction(deps, async (uow) => {
    await uow.sql('insert into users (wallet, created_at, updated_at) values ($1, $2, $2) on conflict do nothing', [
      follower,
      at,
    ]);
    if (!(await lockBoth(uow, follower, followed)).has(followed)) throw refuse('not_found', 'No user has this wallet');
    const inserted = await uow.sql(
      'insert into follows (follower, followed, created_at) values ($1, $2, $3) on conflict do nothing returning 1',
      [follower, followed, at],
    );
    if (inserted.length > 0) await count(uow, follower, followed, 1);
  });
  return readFollows(deps, followed, follower);
}

/** Unfollows a user. Idempotent. */
export async function unfollow(deps: FollowDeps, follower: Wallet, followed: Wallet): Promise<FollowsInfo> {
  await inTransaction(deps, async (uow) => {
    await lockBoth(uow, follower, followed);
    const deleted = await uow.sql('delete from follows where follower = $1 and followed = $2 returning 1', [
      follower,
      followed,
    ]);
    if (deleted.length > 0) await count(uow, follower, followed, -1);
  });
  return readFollows(deps, followed, follower);
}

/**
 * Locks both users in wallet order, so that concurrent calls for the same pair do not deadlock. Returns the wallets
 * that exist.
 */
async function lockBoth(uow: UnitOfWork, one: Wallet, other: Wallet): Promise<ReadonlySet<string>> {
  const rows = await uow.sql<{ wallet: string }>(
    'select wallet from users where wallet = any($1) order by wallet for no key update',
    [[one, other]],
  );
  return new Set(rows.map(({ wallet }) => wallet));
}

async function count(uow: UnitOfWork, follower: Wallet, followed: Wallet, by: 1 | -1): Promise<void> {
  await uow.sql(
    `update users set followers_count = followers_count + case when wallet = $2 then $3::int else 0 end,
                      following_count = following_count + case when wallet = $1 then $3::int else 0 end
      where wallet in ($1, $2)`,
    [follower, followed, by],
  );
}
