import { revokeAsSpenderTransaction } from '../../../base/chain/charger.ts';
import { isRevoked } from '../../../base/chain/spend-permissions.ts';
import type { SpendersDeps } from '../../../base/onchain/spender/deps.ts';
import { sendOther } from '../../../base/onchain/spender/send-transactions.ts';
import { findSpender } from '../../../base/onchain/spender/spender.ts';
import { findKeyOf } from '../../../base/onchain/spender/spender-key.ts';
import { chainOf } from '../../../base/platform/on-chain.ts';
import type { RevokeJob } from '../subscriptions/enqueue-revoke.ts';
import { recordRevoked } from '../subscriptions/notice-endings.ts';
import { findToCharge } from './due-scan.ts';
import { ensureCharger } from './ensure-charger.ts';

/**
 * Revokes a subscription's permission as its spender, on the permission's chain. Returns true once the revocation is on
 * chain and recorded, or if this server cannot revoke it; call again until it does.
 */
export async function revokeAsSpender(all: SpendersDeps, { subscriptionId }: RevokeJob): Promise<boolean> {
  const subscription = await findToCharge(all.db, subscriptionId);
  if (!subscription) return true;
  const { permission, merchant, chainId } = subscription;
  const chain = chainOf(all, chainId);
  if (!chain) return true;
  const deps = { ...all, chain };
  const key = findSpender(deps) && findKeyOf(deps, permission.spender);
  if (!key) return true;
  if (!(await ensureCharger(deps, key))) return false;
  if (await isRevoked(deps.chain, key.manager, permission)) {
    await recordRevoked(deps, { merchant, subscriptionId });
    return true;
  }
  const call = revokeAsSpenderTransaction(key.charger.address, permission);
  await sendOther(deps, key, { purpose: 'revoke', merchant, subjectId: subscriptionId, call });
  return false;
}
