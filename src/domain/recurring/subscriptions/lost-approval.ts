import type { Chain } from '../../../base/chain/client.ts';
import { isApprovedOnChain, isRevoked } from '../../../base/chain/spend-permissions.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { NO_SIGNATURE } from './approved-permission.ts';
import { openSignature } from './signature-encryption.ts';
import type { Subscription } from './subscription.entity.ts';

type Key = Pick<Subscription, 'merchant' | 'id'>;

const SIGNATURE = query('subscription-signature', (db, $: Key) =>
  db.selectFrom('Subscription').select('sealedSignature').where('merchant', '=', $.merchant).where('id', '=', $.id),
);

/**
 * Whether a subscription counts by an approval on the chain alone, and the chain does not have it any more: a
 * reorganization has removed it. A revoked permission cannot be approved again. Throws `chain_unavailable`.
 */
export async function hasLostApproval(
  { db, settings, chain }: Pick<Deps, 'db' | 'settings'> & { readonly chain: Chain },
  manager: Wallet,
  { merchant, id, permission }: Key & Pick<Subscription, 'permission'>,
): Promise<boolean> {
  const [row] = await db.run(SIGNATURE, { merchant, id });
  if (!row || openSignature(settings, id, row.sealedSignature) !== NO_SIGNATURE) return false;
  const [approved, revoked] = await Promise.all([
    isApprovedOnChain(chain, manager, permission),
    isRevoked(chain, manager, permission),
  ]);
  return !approved && !revoked;
}
