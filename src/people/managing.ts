import { forbid } from '../core/forbidden.ts';
import { type MemberRole, permissionsOf, ROLES_WITH } from '../core/roles.ts';
import type { Wallet } from '../core/wallet.ts';
import type { LockedMember } from '../merchants/members.ts';

/** Whether a role manages members. */
export const manages = (role: MemberRole): boolean => permissionsOf(role).has('members');

/** Refuses a wallet that no longer manages the members: its role may have changed since the request began. */
export function requireManaging(members: readonly LockedMember[], wallet: Wallet): void {
  const role = members.find((member) => member.wallet === wallet)?.role;
  if (role !== undefined && manages(role)) return;
  throw forbid('role_missing', undefined, { role: ROLES_WITH.members.at(-1), permission: 'members' });
}
