import type { MemberRole } from '../../../base/core/roles.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { brandName } from './find.ts';
import type { Member } from './merchant.entity.ts';

/** A wallet's place in a merchant. */
export interface Membership {
  readonly merchant: Wallet;
  readonly role: MemberRole;
}

/**
 * The membership that a session of the wallet begins with: its own merchant, else the one that it joined first. Null if
 * it is a member of none.
 */
export async function firstMembership(uow: UnitOfWork, wallet: Wallet): Promise<Membership | null> {
  const found = await uow.db
    .selectFrom('Member')
    .select(['merchant', 'role'])
    .where('wallet', '=', wallet)
    .orderBy((eb) => eb('merchant', '=', wallet), 'desc')
    .orderBy('createdAt')
    .orderBy('merchant')
    .limit(1)
    .executeTakeFirst();
  return found ?? null;
}

/** The place of a wallet in a merchant; null if it has none. */
export async function findMembership(uow: UnitOfWork, merchant: Wallet, wallet: Wallet): Promise<Membership | null> {
  const found = await uow.db
    .selectFrom('Member')
    .select(['merchant', 'role'])
    .where('merchant', '=', merchant)
    .where('wallet', '=', wallet)
    .executeTakeFirst();
  return found ?? null;
}

/** Inserts a member within a unit of work. False if the wallet is a member already; then nothing changes. */
export async function addMember(uow: UnitOfWork, member: Readonly<Member>): Promise<boolean> {
  const added = await uow.db
    .insertInto('Member')
    .values({ ...member })
    .onConflict((conflict) => conflict.columns(['merchant', 'wallet']).doNothing())
    .returning('wallet')
    .executeTakeFirst();
  return added !== undefined;
}

const MEMBERS = query('members-of-merchant', (db, $: { merchant: Wallet }) =>
  db
    .selectFrom('Member')
    .select(['merchant', 'wallet', 'role', 'label', 'createdAt', 'addedBy'])
    .where('merchant', '=', $.merchant)
    .orderBy('createdAt')
    .orderBy('wallet'),
);

/** A member as other members see it. Times in epoch milliseconds. */
export type MemberRecord = RowOf<typeof MEMBERS>;

/** The members of a merchant, the oldest first. */
export const listMembers = (db: Db, merchant: Wallet): Promise<MemberRecord[]> => db.run(MEMBERS, { merchant });

const MEMBERSHIPS = query(
  'memberships-of-wallet',
  (db, $: { wallet: Wallet }) =>
    db
      .selectFrom('Member as m')
      .innerJoin('Merchant as shop', 'shop.wallet', 'm.merchant')
      .select(['m.merchant', 'm.role', 'm.createdAt'])
      .select((eb) => brandName(eb.ref('shop.shop'), eb.ref('shop.name')).as('name'))
      .where('m.wallet', '=', $.wallet)
      .orderBy((eb) => eb('m.merchant', '=', $.wallet), 'desc')
      .orderBy('m.createdAt')
      .orderBy('m.merchant'),
  { computed: { name: 'text' } },
);

/** A merchant that a wallet belongs to, with the name that buyers see. */
export type MembershipRecord = RowOf<typeof MEMBERSHIPS>;

/** The merchants that a wallet belongs to: its own, then the one that it joined first. */
export const listMemberships = (db: Db, wallet: Wallet): Promise<MembershipRecord[]> => db.run(MEMBERSHIPS, { wallet });

/** A member whose row is locked. */
export type LockedMember = Membership & Pick<MemberKey, 'wallet'>;

/**
 * The members of a merchant, locked until the unit of work ends, so that of two changes the second one sees the first.
 */
export function lockMembers(uow: UnitOfWork, merchant: Wallet): Promise<LockedMember[]> {
  return uow.db
    .selectFrom('Member')
    .select(['merchant', 'wallet', 'role'])
    .where('merchant', '=', merchant)
    .orderBy('wallet')
    .forUpdate()
    .execute();
}

/** Gives a member another role within a unit of work. */
export async function setRole(uow: UnitOfWork, { merchant, wallet }: MemberKey, role: MemberRole): Promise<void> {
  await uow.db
    .updateTable('Member')
    .set({ role })
    .where('merchant', '=', merchant)
    .where('wallet', '=', wallet)
    .execute();
}

/** Removes a member within a unit of work. */
export async function deleteMember(uow: UnitOfWork, { merchant, wallet }: MemberKey): Promise<void> {
  await uow.db.deleteFrom('Member').where('merchant', '=', merchant).where('wallet', '=', wallet).execute();
}

/** Names a member. */
export interface MemberKey {
  readonly merchant: Wallet;
  readonly wallet: Wallet;
}
