import { revokeAsSpenderTransaction } from '../chain/charger.ts';
import { isRevoked } from '../chain/spend-permissions.ts';
import type { SpenderDeps } from '../spender/deps.ts';
import { sendOther } from '../spender/send-transactions.ts';
import type { SpenderKey } from '../spender/spender-key.ts';
import type { RevokeJob } from '../subscriptions/enqueue-revoke.ts';
import { recordRevoked } from '../subscriptions/notice-endings.ts';
import { findToCharge } from './due-scan.ts';
import { ensureCharger } from './ensure-charger.ts';

/**
 * Revokes a subscription's permission as its spender. Returns true once the revocation is on chain and recorded; call
 * again until it does.
 */
export async function revokeAsSpender(
  deps: SpenderDeps,
  key: SpenderKey,
  { subscriptionId }: RevokeJob,
): Promise<boolean> {
  const subscription = await findToCharge(deps, subscriptionId);
  if (!subscription || subscription.permission.spender !== key.charger.address) return true;
  const { permission, merchant } = subscription;
  if (!(await ensureCharger(deps, key))) return false;
  if (await isRevoked(deps.chain, key.manager, permission)) {
    await recordRevoked(deps, { merchant, subscriptionId });
    return true;
  }
  const call = revokeAsSpenderTransaction(key.charger.address, permission);
  await sendOther(deps, key, { purpose: 'revoke', merchant, subjectId: subscriptionId, call });
  return false;
}
