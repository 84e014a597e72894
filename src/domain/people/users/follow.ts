import { sql } from 'kysely';
import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';

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
export async function readFollows(db: Db, wallet: Wallet, viewer: Wallet | null): Promise<FollowsInfo> {
  const [info] = await db.run(READ, { wallet, viewer });
  return info as FollowsInfo;
}

interface Pair {
  readonly follower: Wallet;
  readonly followed: Wallet;
}

const CREATE_USER = query('follower-create', (db, $: { wallet: Wallet; at: number }) =>
  db
    .insertInto('User')
    .values({ wallet: $.wallet, createdAt: $.at, updatedAt: $.at })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Locks both users in wallet order, so that concurrent calls for the same pair do not deadlock. */
const LOCK_BOTH = query('follow-lock', (db, $: Pair) =>
  db
    .selectFrom('User')
    .select('wallet')
    .where((eb) => eb('wallet', 'in', [$.follower, $.followed]))
    .orderBy('wallet')
    .forNoKeyUpdate(),
);
const INSERT = query('follow-insert', (db, $: Pair & { at: number }) =>
  db
    .insertInto('Follow')
    .values({ follower: $.follower, followed: $.followed, createdAt: $.at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('followed'),
);
const DELETE = query('follow-delete', (db, $: Pair) =>
  db.deleteFrom('Follow').where('follower', '=', $.follower).where('followed', '=', $.followed).returning('followed'),
);
const COUNT = query('follow-count', (db, $: Pair & { by: 1 | -1 }) => {
  const by = sql<number>`${$.by}::int`;
  return db
    .updateTable('User')
    .set((eb) => ({
      followersCount: eb('followersCount', '+', eb.case().when('wallet', '=', $.followed).then(by).else(0).end()),
      followingCount: eb('followingCount', '+', eb.case().when('wallet', '=', $.follower).then(by).else(0).end()),
    }))
    .where((eb) => eb('wallet', 'in', [$.follower, $.followed]));
});

/**
 * Follows a user. Idempotent. Refuses with `invalid_input` for the own wallet, and with `not_found` for a wallet that
 * is not a user.
 */
export async function follow(db: Db, now: number, follower: Wallet, followed: Wallet): Promise<FollowsInfo> {
  if (follower === followed) throw refuse('invalid_input', 'wallet must not be your own', { field: 'wallet' });
  const pair = { follower, followed };
  await db.transaction(async (uow) => {
    await uow.run(CREATE_USER, { wallet: follower, at: now });
    const users = await uow.run(LOCK_BOTH, pair);
    if (!users.some(({ wallet }) => wallet === followed)) throw refuse('not_found', 'No user has this wallet');
    const inserted = await uow.run(INSERT, { ...pair, at: now });
    if (inserted.length > 0) await uow.run(COUNT, { ...pair, by: 1 });
  });
  return readFollows(db, followed, follower);
}

/** Unfollows a user. Idempotent. */
export async function unfollow(db: Db, follower: Wallet, followed: Wallet): Promise<FollowsInfo> {
  const pair = { follower, followed };
  await db.transaction(async (uow) => {
    await uow.run(LOCK_BOTH, pair);
    const deleted = await uow.run(DELETE, pair);
    if (deleted.length > 0) await uow.run(COUNT, { ...pair, by: -1 });
  });
  return readFollows(db, followed, follower);
}
