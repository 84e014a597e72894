import { roleMissing } from '../../../base/core/caller.ts';
import { forbid } from '../../../base/core/forbidden.ts';
import { type MemberRole, type Permission, permissionsOf, ROLES_WITH } from '../../../base/core/roles.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { lockMembers } from './members.ts';

/**
 * The role of the member who issues something that outlives its session. The members are locked before anything else,
 * so that a removal or a change of the role at the same time comes before or after, never between. Null: the operator
 * issues it. Refuses a wallet that is no member.
 */
export async function lockIssuer(uow: UnitOfWork, merchant: Wallet, issuer: Wallet | null): Promise<MemberRole | null> {
  if (issuer === null) return null;
  const member = (await lockMembers(uow, merchant)).find(({ wallet }) => wallet === issuer);
  if (!member) throw forbid('role_missing', undefined, { role: 'admin' });
  return member.role;
}

/** Refuses what exceeds the role of its issuer, with `forbidden` (`role_missing`). The operator may issue anything. */
export function requireCovered(role: MemberRole | null, needed: readonly Permission[]): void {
  if (role === null) return;
  // The permission that the fewest roles have says best whom to ask.
  const [missing] = needed
    .filter((permission) => !permissionsOf(role).has(permission))
    .toSorted((a, b) => ROLES_WITH[a].length - ROLES_WITH[b].length);
  if (missing) throw roleMissing(missing);
}
