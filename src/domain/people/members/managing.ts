import { forbid } from '../../../base/core/forbidden.ts';
import { type MemberRole, permissionsOf, ROLES_WITH } from '../../../base/core/roles.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { LockedMember } from '../../shop/merchants/members.ts';

/** Whether a role manages members. */
export const manages = (role: MemberRole): boolean => permissionsOf(role).has('members');

/**
 * The role of a wallet that manages the members. Refuses any other one: its role may have changed since the request
 * began.
 */
export function requireManaging(members: readonly LockedMember[], wallet: Wallet): MemberRole {
  const role = members.find((member) => member.wallet === wallet)?.role;
  if (role !== undefined && manages(role)) return role;
  throw forbid('role_missing', undefined, { role: ROLES_WITH.members.at(-1), permission: 'members' });
}
