import { refuse } from '../../../base/core/errors.ts';
import { covers, type MemberRole, neededForKinds, neededForScopes, type Permission } from '../../../base/core/roles.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import type { WritingDeps } from '../../../base/records/audit/record.ts';
import { handOverKey, lockKeysIssuedBy } from '../../access/keys/issued.ts';
import { requireCovered } from '../../shop/merchants/issuer.ts';
import type { MemberKey } from '../../shop/merchants/members.ts';
import { handOverEndpoint, lockEndpointsIssuedBy } from '../../webhooks/endpoints/manage.ts';

/** What of a member's keys and endpoints another member takes over, by id. The rest ends. */
export interface Kept {
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
export async function endIssued(
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
