import { encodeAbiParameters, type Hash, type Hex, keccak256 } from 'viem';
import { toAddress } from '../../../base/chain/address.ts';
import type { Chain } from '../../../base/chain/client.ts';
import { isApprovedOnChain, readOwnership, type SpendPermission } from '../../../base/chain/spend-permissions.ts';
import { type Refusal, refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { hmac, sameSecret } from '../../../base/platform/secrets.ts';
import type { PlanRecord } from '../plans/read-plans.ts';

/** The `permissionSignature` of a permission that the account has approved on the chain. */
export const NO_SIGNATURE = '0x';

/**
 * The `extraData` of a plan's permission: the hash of merchant and plan id. An approval on the chain is public, so the
 * permission itself must say which plan it pays for.
 */
export const planMark = ({ merchant, id }: Pick<PlanRecord, 'merchant' | 'id'>): Hex =>
  keccak256(
    encodeAbiParameters(
      [{ type: 'string' }, { type: 'address' }, { type: 'string' }],
      ['plan', toAddress(merchant), id],
    ),
  );

/**
 * The proof that a caller has drafted a permission. Without it, any caller could use an approval that the customer has
 * abandoned, for example because the wallet was asked twice: the customer would pay for two subscriptions.
 */
export const draftTokenOf = ({ keyEncryptionKey }: Pick<Deps['settings'], 'keyEncryptionKey'>, hash: Hash): string =>
  hmac(keyEncryptionKey, JSON.stringify(['permission-draft', hash]));

function isDraftToken(
  { keyEncryptionKey, previousKeyEncryptionKey }: Deps['settings'],
  hash: Hash,
  given: string,
): boolean {
  const keys = previousKeyEncryptionKey ? [keyEncryptionKey, previousKeyEncryptionKey] : [keyEncryptionKey];
  return keys.some((key) => sameSecret(given, draftTokenOf({ keyEncryptionKey: key }, hash)));
}

/** A permission without a signature, and who sends it. */
export interface ApprovedPermission {
  readonly plan: Pick<PlanRecord, 'merchant' | 'id'>;
  readonly manager: Wallet;
  readonly permission: SpendPermission;
  readonly hash: Hash;
  readonly draftToken: string | null;
}

/**
 * Refuses with `invalid_signature` unless the smart account has approved the permission on the chain, for this plan,
 * and the caller has drafted it. A plain wallet is charged by its signature only. Throws `chain_unavailable`.
 */
export async function checkApproved(
  { chain, settings }: { readonly chain: Chain; readonly settings: Deps['settings'] },
  { plan, manager, permission, hash, draftToken }: ApprovedPermission,
): Promise<void> {
  if (draftToken === null) throw unsigned('A permission without a signature needs the draftToken of its draft');
  if (!isDraftToken(settings, hash, draftToken))
    throw unsigned('draftToken is not that of this permission', 'draftToken');
  if (permission.extraData !== planMark(plan)) throw unsigned('The approval of the permission is for another plan');
  if ((await readOwnership(chain, manager, permission.account)) === 'no_contract')
    throw unsigned('A wallet that is no smart account must sign the permission');
  if (!(await isApprovedOnChain(chain, manager, permission)))
    throw unsigned('The permission is neither signed nor approved on the chain, or it is revoked');
}

const unsigned = (sentence: string, field = 'permissionSignature'): Refusal =>
  refuse('invalid_signature', sentence, { field });
