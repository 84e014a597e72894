import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../base/core/clock.ts';
import { refuse } from '../../../base/core/errors.ts';
import { newId } from '../../../base/core/ids.ts';
import type { MemberRole } from '../../../base/core/roles.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { repeatableOf, withSealedAnswer } from '../../../base/platform/idempotency.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import { sha256 } from '../../../base/platform/secrets.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { type AuditDeps, recordAudit, type WritingDeps } from '../../../base/records/audit/record.ts';
import { brandName } from '../../shop/merchants/find.ts';
import { addMember, listMemberships, lockMembers, type MembershipRecord } from '../../shop/merchants/members.ts';
import { requireManaging } from './managing.ts';

/** The lifetime of an invitation. */
export const INVITATION_MS = 7 * 24 * 3_600_000;
/** The most open invitations of a merchant. */
const OPEN_MAX = 100;
/** The most members of a merchant. */
const MEMBERS_MAX = 500;

const COLUMNS = ['id', 'merchant', 'role', 'label', 'createdAt', 'createdBy', 'expiresAt'] as const;

const OPEN = query('invitations-open', (db, $: { merchant: Wallet; now: number }) =>
  db
    .selectFrom('Invitation')
    .select(COLUMNS)
    .where('merchant', '=', $.merchant)
    .where('usedAt', 'is', null)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', $.now)
    .orderBy('createdAt', 'desc')
    .orderBy('id'),
);

/** An invitation without its token. Times in epoch milliseconds. */
export type InvitationRecord = RowOf<typeof OPEN>;

/** The invitations of a merchant that can still be accepted, the newest first. */
export const listInvitations = (db: Db, now: number, merchant: Wallet) => db.run(OPEN, { merchant, now });

const BY_DIGEST = query(
  'invitation-by-digest',
  (db, $: { digest: string; now: number }) =>
    db
      .selectFrom('Invitation as i')
      .innerJoin('Merchant as m', 'm.wallet', 'i.merchant')
      .select(['i.merchant', 'i.role', 'i.label', 'i.createdBy', 'i.expiresAt'])
      .select((eb) => brandName(eb.ref('m.shop'), eb.ref('m.name')).as('name'))
      .where('i.digest', '=', $.digest)
      .where('i.usedAt', 'is', null)
      .where('i.revokedAt', 'is', null)
      .where('i.expiresAt', '>', $.now),
  { computed: { name: 'text' } },
);

/** What an invitation offers to the holder of its token. */
export type Offer = RowOf<typeof BY_DIGEST>;

const unknown = () => refuse('not_found', 'This invitation is unknown, used, revoked or expired');

/** The offer of an invitation. Refuses with `not_found`. */
export async function readOffer(db: Db, now: number, token: string): Promise<Offer> {
  const [offer] = await db.run(BY_DIGEST, { digest: sha256(token), now });
  if (!offer) throw unknown();
  return offer;
}

/** A new invitation. The token is returned only here. */
export interface NewInvitation {
  readonly invitation: InvitationRecord;
  readonly token: string;
  readonly url: string;
}

/**
 * Invites a person by a link that works once, for seven days; one invitation per Idempotency-Key. Refuses with
 * `forbidden` if the inviter no longer manages members, and with `invalid_input` if too many invitations are open.
 */
export async function inviteMember(
  deps: AuditDeps & Pick<Deps, 'db' | 'settings'>,
  { merchant, by }: { readonly merchant: Wallet; readonly by: Wallet },
  { role, label = null }: { readonly role: MemberRole; readonly label?: string | null },
  idempotencyKey: string | null = null,
): Promise<NewInvitation> {
  const token = `qi_${randomBytes(32).toString('base64url')}`;
  const repeatable = repeatableOf(idempotencyKey, { by, role, label });
  return withSealedAnswer(deps, { merchant, operation: 'inviteMember' }, repeatable, async (uow) => {
    const createdAt = deps.clock();
    requireManaging(await lockMembers(uow, merchant), by);
    const { count } = await uow.db
      .selectFrom('Invitation')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('merchant', '=', merchant)
      .where('usedAt', 'is', null)
      .where('revokedAt', 'is', null)
      .where('expiresAt', '>', createdAt)
      .executeTakeFirstOrThrow();
    if (Number(count) >= OPEN_MAX)
      throw refuse('invalid_input', `At most ${OPEN_MAX} invitations may be open`, {
        reason: 'too_many',
        most: OPEN_MAX,
      });
    const invitation = { id: newId('inv', createdAt), merchant, role, label, createdAt, createdBy: by };
    const expiresAt = createdAt + INVITATION_MS;
    const rest = { digest: sha256(token), usedAt: null, usedBy: null, revokedAt: null };
    await uow.db
      .insertInto('Invitation')
      .values({ ...invitation, expiresAt, ...rest })
      .execute();
    await recordAudit(deps, uow, merchant, 'member.invited', ['invitation', invitation.id], {
      after: { role, label, expiresAt },
    });
    // A fragment is never sent to a server, so no log has the token.
    return { invitation: { ...invitation, expiresAt }, token, url: `${deps.settings.baseUrl}/console/join#${token}` };
  });
}

/** Revokes an invitation that was not accepted yet. Refuses with `not_found`. */
export async function revokeInvitation(deps: WritingDeps, merchant: Wallet, id: string): Promise<void> {
  await deps.db.transaction(async (uow) => {
    const revoked = await uow.db
      .updateTable('Invitation')
      .set({ revokedAt: deps.clock() })
      .where('merchant', '=', merchant)
      .where('id', '=', id)
      .where('usedAt', 'is', null)
      .where('revokedAt', 'is', null)
      .returning(['role', 'label'])
      .executeTakeFirst();
    if (!revoked) throw refuse('not_found', 'No such invitation, or it is used or revoked');
    await recordAudit(deps, uow, merchant, 'member.invitation_revoked', ['invitation', id], { before: revoked });
  });
}

/** Revokes the open invitations of a member who no longer manages members, within the unit of work that changes it. */
export async function revokeInvitationsOf(
  clock: Clock,
  uow: UnitOfWork,
  { merchant, wallet }: { readonly merchant: Wallet; readonly wallet: Wallet },
): Promise<void> {
  await uow.db
    .updateTable('Invitation')
    .set({ revokedAt: clock() })
    .where('merchant', '=', merchant)
    .where('createdBy', '=', wallet)
    .where('usedAt', 'is', null)
    .where('revokedAt', 'is', null)
    .execute();
}

/**
 * Makes a wallet a member by the token of an invitation. Of concurrent attempts one succeeds. Refuses with `not_found`
 * if the invitation is unknown, used, revoked or expired, and with `invalid_input` if the wallet is a member already;
 * then the invitation stays open.
 */
export async function acceptInvitation(deps: WritingDeps, wallet: Wallet, token: string): Promise<MembershipRecord> {
  const merchant = await deps.db.transaction(async (uow) => {
    const now = deps.clock();
    const digest = sha256(token);
    const offered = await uow.db
      .selectFrom('Invitation')
      .select('merchant')
      .where('digest', '=', digest)
      .executeTakeFirst();
    if (!offered) throw unknown();
    // Locked before the invitation, in the order of every other change.
    const members = await lockMembers(uow, offered.merchant);
    const used = await uow.db
      .updateTable('Invitation')
      .set({ usedAt: now, usedBy: wallet })
      .where('digest', '=', digest)
      .where('usedAt', 'is', null)
      .where('revokedAt', 'is', null)
      .where('expiresAt', '>', now)
      .returning(['merchant', 'role', 'label', 'createdBy'])
      .executeTakeFirst();
    if (!used) throw unknown();
    const { role, label, createdBy } = used;
    if (members.length >= MEMBERS_MAX)
      throw refuse('invalid_input', `A merchant has at most ${MEMBERS_MAX} members`, {
        reason: 'too_many',
        most: MEMBERS_MAX,
      });
    const member = { merchant: used.merchant, wallet, role, label, createdAt: now, addedBy: createdBy };
    if (!(await addMember(uow, member)))
      throw refuse('invalid_input', 'The wallet is a member of this merchant already', { reason: 'member_already' });
    await recordAudit(deps, uow, used.merchant, 'member.joined', ['member', wallet], {
      after: { role, label, addedBy: createdBy },
    });
    return used.merchant;
  });
  const joined = (await listMemberships(deps.db, wallet)).find((one) => one.merchant === merchant);
  if (!joined) throw unknown();
  return joined;
}

/** Deletes the invitations that expired before a time, epoch ms. They are few: a merchant has at most 100 open ones. */
export const DELETE_INVITATIONS = query('invitations-delete', (db, $: { before: number }) =>
  db.deleteFrom('Invitation').where('expiresAt', '<', $.before).returning('id'),
);
