import type { Chain } from '../../../base/chain/client.ts';
import { guardedDeployment } from '../../../base/chain/create2.ts';
import { RECEIPT_FACTORY, receiptFactoryDeployment } from '../../../base/chain/receipt-record.ts';
import { isDeployed } from '../../../base/chain/splitter.ts';
import { keptBy } from '../../../base/core/kept.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { estimateCall } from '../../../base/onchain/spender/estimate.ts';
import type { Want } from '../../../base/onchain/spender/nonce-store.ts';
import { sendTransactions } from '../../../base/onchain/spender/send-transactions.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import type { SendDeps } from './deps.ts';

const foundOn = keptBy('factory of addresses', (_chain: Deps['chain']) => ({ found: false }));

/**
 * Whether a factory of receipts' addresses is on the chain; its code never goes. Only the newest one can be missing:
 * money was collected with an older one, or this server cannot deploy it. Throws `chain_unavailable`.
 */
export async function isFactoryDeployed(chain: Chain, factory: Wallet): Promise<boolean> {
  if (factory !== RECEIPT_FACTORY) return true;
  const known = foundOn(chain);
  known.found ||= await isDeployed(chain, factory);
  return known.found;
}

/** Deploys the factory, which the first collection needs. Returns the nonce. */
export async function deployFactory(deps: SendDeps): Promise<number[]> {
  const deployment = receiptFactoryDeployment();
  const { address } = deployment;
  const task = `deploy:${address}`;
  if (deps.pause.lasts() || deps.open.has(address) || !deps.backoff.mayTry(task)) return [];
  const call = guardedDeployment(deployment);
  const estimate = await estimateCall(deps.chain, deps.wallet, call);
  if (estimate.kind !== 'ready') {
    deps.backoff.failed(task);
    deps.log.warn({ factory: address, reason: estimate.reason }, 'deployment of the factory failed');
    return [];
  }
  const want: Want = {
    purpose: 'deploy_factory',
    merchant: '',
    subjectId: address,
    call,
    gas: estimate.gas,
    staleAt: null,
  };
  const stored = await sendTransactions(deps, deps.wallet, [want]);
  if (typeof stored === 'string') {
    deps.pause.begin();
    return [];
  }
  return stored.map(({ transaction }) => transaction.nonce);
}
