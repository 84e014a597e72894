import { refuse } from '../../../base/core/errors.ts';
import { covers, type MemberRole, neededForKinds, neededForScopes, type Permission } from '../../../base/core/roles.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { recordAudit, type WritingDeps } from '../../../base/records/audit/record.ts';
import { announceRole } from '../../access/gateway/sessions.ts';
import { handOverKey, lockKeysIssuedBy } from '../../access/keys/issued.ts';
import { requireCovered } from '../../shop/merchants/issuer.ts';
import { deleteMember, type LockedMember, lockMembers, type MemberKey, setRole } from '../../shop/merchants/members.ts';
import { handOverEndpoint, lockEndpointsIssuedBy } from '../../webhooks/endpoints/manage.ts';
import { deletePreference } from '../../webhooks/mail/preferences.ts';
import { revokeInvitationsOf } from './invitations.ts';
import { manages, requireManaging } from './managing.ts';

/** A change that a member makes. */
interface Change extends MemberKey {
  /** The member who makes it. */
  readonly by: Wallet;
  /** What of the member's keys and endpoints goes to `by`. */
  readonly kept?: Kept;
}

/**
 * Gives a member another role. Its sessions have the new role at once, and its streams end. What it issued and what
 * exceeds the new role ends, unless `kept` names it. Errors: `not_found`, `last_owner`, `forbidden` if `by` no longer
 * manages members.
 */
export async function changeRole(deps: WritingDeps, { by, kept, ...key }: Change, role: MemberRole): Promise<void> {
  await deps.db.transaction(async (uow) => {
    const members = await lockMembers(uow, key.merchant);
    const taker = { wallet: by, role: requireManaging(members, by) };
    const { role: former } = memberIn(members, key.wallet);
    if (former === role) return;
    if (role !== 'owner') requireOtherOwner(members, key.wallet);
    await setRole(uow, key, role);
    if (!manages(role)) await revokeInvitationsOf(deps.clock, uow, key);
    await announceRole(deps.db, deps.clock(), uow, key);
    await endIssued(deps, uow, key, role, taker, kept);
    await recordAudit(deps, uow, key.merchant, 'member.role_changed', ['member', key.wallet], {
      before: { role: former },
      after: { role },
    });
  });
}

/**
 * Removes a member. Its sessions lose their rights at once, and its streams end. What it issued ends, unless `kept`
 * names it. Errors like `changeRole`.
 */
export async function removeMember(deps: WritingDeps, { by, kept, ...key }: Change): Promise<void> {
  await deps.db.transaction(async (uow) => {
    const members = await lockMembers(uow, key.merchant);
    const taker = { wallet: by, role: requireManaging(members, by) };
    await remove(deps, uow, members, key, 'member.removed');
    await endIssued(deps, uow, key, null, by === key.wallet ? null : taker, kept);
  });
}

/** Removes a member at its own wish. What it issued ends. Refuses the last owner with `last_owner`. */
export async function leaveMerchant(deps: WritingDeps, key: MemberKey): Promise<void> {
  await deps.db.transaction(async (uow) => {
    await remove(deps, uow, await lockMembers(uow, key.merchant), key, 'member.left');
    await endIssued(deps, uow, key, null, null);
  });
}

async function remove(
  deps: WritingDeps,
  uow: UnitOfWork,
  members: readonly LockedMember[],
  key: MemberKey,
  action: 'member.removed' | 'member.left',
): Promise<void> {
  const { role } = memberIn(members, key.wallet);
  requireOtherOwner(members, key.wallet);
  await deleteMember(uow, key);
  await deletePreference(uow, key);
  await revokeInvitationsOf(deps.clock, uow, key);
  await announceRole(deps.db, deps.clock(), uow, key);
  await recordAudit(deps, uow, key.merchant, action, ['member', key.wallet], { before: { role } });
}

function memberIn(members: readonly LockedMember[], wallet: Wallet): LockedMember {
  const member = members.find((one) => one.wallet === wallet);
  if (!member) throw refuse('not_found', 'No such member');
  return member;
}

/** Refuses the change of an owner if there is no other one. */
function requireOtherOwner(members: readonly LockedMember[], wallet: Wallet): void {
  const owners = members.filter(({ role }) => role === 'owner');
  if (owners.some((owner) => owner.wallet !== wallet) || !owners.some((owner) => owner.wallet === wallet)) return;
  throw refuse('last_owner');
}

/** What of a member's keys and endpoints another member takes over, by id. The rest ends. */
interface Kept {
  readonly keepKeys?: readonly string[] | null;
  readonly keepEndpoints?: readonly string[] | null;
}

/** Who takes over: a member and its role. Null: no one, everything ends. */
type Taker = { readonly wallet: Wallet; readonly role: MemberRole } | null;

/**
 * Ends what a member issued and what exceeds the role that it has now, within the unit of work that has locked the
 * members and changes them: keys are revoked, endpoints are deleted. What `kept` names goes to `taker` instead. Every
 * way by which a member loses rights goes through here.
 *
 * Errors: `not_found` if `kept` names what the member did not issue or what has ended, `forbidden` if the role of
 * `taker` does not cover it.
 *
 * @param left the role that the member has from now on; null: none
 */
async function endIssued(
  deps: WritingDeps,
  uow: UnitOfWork,
  { merchant, wallet }: MemberKey,
  left: MemberRole | null,
  taker: Taker,
  { keepKeys, keepEndpoints }: Kept = {},
): Promise<void> {
  const issuer = { merchant, issuer: wallet };
  const heirOf = chooser(left, taker);
  const keys = await lockKeysIssuedBy(uow, issuer, deps.clock());
  requireIssued('keepKeys', keepKeys, keys);
  const endpoints = await lockEndpointsIssuedBy(uow, issuer);
  requireIssued('keepEndpoints', keepEndpoints, endpoints);
  for (const key of keys) {
    const to = heirOf(neededForScopes(key.scopes), keepKeys?.includes(key.id) === true);
    if (to !== 'stays') await handOverKey(deps, uow, key, to);
  }
  for (const endpoint of endpoints) {
    const to = heirOf(neededForKinds(endpoint.kinds), keepEndpoints?.includes(endpoint.id) === true);
    if (to !== 'stays') await handOverEndpoint(deps, uow, merchant, endpoint, to);
  }
}

/** Decides who has something from now on; null: it ends. */
const chooser =
  (left: MemberRole | null, taker: Taker) =>
  (needed: readonly Permission[], kept: boolean): Wallet | 'stays' | null => {
    if (kept && taker) {
      requireCovered(taker.role, needed);
      return taker.wallet;
    }
    return left !== null && covers(left, needed) ? 'stays' : null;
  };

function requireIssued(
  field: keyof Kept,
  kept: readonly string[] | null | undefined,
  issued: readonly { readonly id: string }[],
): void {
  const unknown = kept?.find((id) => !issued.some((one) => one.id === id));
  if (unknown !== undefined) throw refuse('not_found', `The member has no such ${NAMES[field]}: ${unknown}`, { field });
}

const NAMES: Readonly<Record<keyof Kept, string>> = { keepKeys: 'key', keepEndpoints: 'endpoint' };
