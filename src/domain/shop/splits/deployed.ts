import type { Chain } from '../../../base/chain/client.ts';
import { isDeployed } from '../../../base/chain/splitter.ts';
import { keptBy } from '../../../base/core/kept.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';

/** The dependencies for reading a split's code. */
export type DeployedDeps = Pick<Deps, 'db' | 'chain' | 'log'>;

interface SplitKey {
  chainId: number;
  address: Wallet;
}

const GONE = query('splits-gone', (db, $: SplitKey) =>
  db
    .updateTable('Split')
    .set({ deployed: false })
    .where('chainId', '=', $.chainId)
    .where('address', '=', $.address)
    .where('deployed', '=', true)
    .returning('address'),
);

const DEPLOYED = query('splits-deployed', (db, $: SplitKey) =>
  db.updateTable('Split').set({ deployed: true }).where('chainId', '=', $.chainId).where('address', '=', $.address),
);

/** Records that a split's code has all confirmations. */
export async function markDeployed(db: Db, chain: Chain, address: Wallet): Promise<void> {
  await db.run(DEPLOYED, { chainId: chain.chainId, address });
}

const REQUEST = query('splits-request', (db, $: SplitKey) =>
  db
    .updateTable('Split')
    .set({ deployRequested: true })
    .where('chainId', '=', $.chainId)
    .where('address', '=', $.address)
    .where('deployRequested', '=', false),
);

const requestedOf = keptBy('requested splits', (_chain: Deps['chain']) => new Set<Wallet>());

/**
 * Records that a split is needed on the chain, so that settlement deploys it. Each process writes it once per split.
 * Refuses with `datastore_unavailable`.
 */
export async function requestDeployment(db: Db, chain: Chain, address: Wallet): Promise<void> {
  const requested = requestedOf(chain);
  if (requested.has(address)) return;
  await db.run(REQUEST, { chainId: chain.chainId, address });
  requested.add(address);
}

/**
 * Reads the code of splits that are recorded as deployed. Those without code, because a reorganization removed their
 * deployment, are marked as not deployed. They receive no native coins until they are deployed again. Returns the
 * missing ones. Refuses with `chain_unavailable`.
 */
export async function forgetMissing(deps: DeployedDeps, splits: readonly Wallet[]): Promise<Wallet[]> {
  const missing: Wallet[] = [];
  for (const split of splits) {
    if (await isDeployed(deps.chain, split)) continue;
    missing.push(split);
    const changed = await deps.db.run(GONE, { chainId: deps.chain.chainId, address: split });
    if (changed.length > 0) deps.log.error({ alert: 'split_gone', split }, 'deployed split has no code');
  }
  return missing;
}
