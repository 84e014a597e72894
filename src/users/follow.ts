import { sql } from 'kysely';
import { refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { query, type RowOf } from '../platform/query.ts';
import { inTransaction, type UnitOfWork } from '../platform/unit-of-work.ts';
import { Follow } from './follow.entity.ts';

const READ = query(
  'follows-info',
  (db, $: { wallet: Wallet; viewer: Wallet | null }) =>
    db
      .selectFrom(sql`(select 1)`.as('one'))
      .leftJoin('User as u', (join) => join.on('u.wallet', '=', $.wallet))
      .select((eb) => [
        eb.fn.coalesce('u.followersCount', sql<number>`0`).as('followersCount'),
        eb.fn.coalesce('u.followingCount', sql<number>`0`).as('followingCount'),
        eb
          .exists(
            eb
              .selectFrom('Follow as f')
              .select('f.followed')
              .where('f.follower', '=', $.viewer as Wallet)
              .where('f.followed', '=', $.wallet),
          )
          .$castTo<boolean>()
          .as('viewerFollows'),
      ]),
  { computed: { followersCount: 'int4', followingCount: 'int4', viewerFollows: 'bool' } },
);

/** Follower counts of a wallet, and whether the viewer follows it. */
export type FollowsInfo = RowOf<typeof READ>;

/** The follower counts of a wallet, and whether `viewer` follows it. A wallet that is not a user has no followers. */
export async function readFollows(
  deps: Pick<Deps, 'sql'>,
  wallet: Wallet,
  viewer: Wallet | null,
): Promise<FollowsInfo> {
  const [info] = await deps.sql.run(READ, { wallet, viewer });
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
    await uow.db
      .insertInto('User')
      .values({ wallet: follower, createdAt: at, updatedAt: at })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    if (!(await lockBoth(uow, follower, followed)).has(followed)) throw refuse('not_found', 'No user has this wallet');
    const inserted = await uow.db
      .insertInto('Follow')
      .values({ follower, followed, createdAt: at })
      .onConflict((conflict) => conflict.doNothing())
      .returning('followed')
      .execute();
    if (inserted.length > 0) await count(uow, follower, followed, 1);
  });
  return readFollows(deps, followed, follower);
}

/** Unfollows a user. Idempotent. */
export async function unfollow(deps: FollowDeps, follower: Wallet, followed: Wallet): Promise<FollowsInfo> {
  await inTransaction(deps, async (uow) => {
    await lockBoth(uow, follower, followed);
    const deleted = await uow.em.nativeDelete(Follow, { follower, followed });
    if (deleted > 0) await count(uow, follower, followed, -1);
  });
  return readFollows(deps, followed, follower);
}

/**
 * Locks both users in wallet order, so that concurrent calls for the same pair do not deadlock. Returns the wallets
 * that exist.
 */
async function lockBoth(uow: UnitOfWork, one: Wallet, other: Wallet): Promise<ReadonlySet<string>> {
  const rows = await uow.db
    .selectFrom('User')
    .select('wallet')
    .where('wallet', 'in', [one, other])
    .orderBy('wallet')
    .forNoKeyUpdate()
    .execute();
  return new Set(rows.map(({ wallet }) => wallet));
}

async function count(uow: UnitOfWork, follower: Wallet, followed: Wallet, by: 1 | -1): Promise<void> {
  await uow.db
    .updateTable('User')
    .set((eb) => ({
      followersCount: eb('followersCount', '+', eb.case().when('wallet', '=', followed).then(by).else(0).end()),
      followingCount: eb('followingCount', '+', eb.case().when('wallet', '=', follower).then(by).else(0).end()),
    }))
    .where('wallet', 'in', [follower, followed])
    .execute();
}
