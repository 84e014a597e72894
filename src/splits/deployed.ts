import { inTime } from '../chain/in-time.ts';
import { isDeployed } from '../chain/splitter.ts';
import type { Wallet } from '../core/wallet.ts';
import { weakMemo } from '../core/weak-memo.ts';
import type { Deps } from '../platform/deps.ts';
import { query } from '../platform/query.ts';

/** The dependencies for reading a split's code. */
export type DeployedDeps = Pick<Deps, 'sql' | 'chain' | 'log'>;

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
export async function markDeployed({ sql, chain }: Pick<Deps, 'sql' | 'chain'>, address: Wallet): Promise<void> {
  await sql.run(DEPLOYED, { chainId: chain.chainId, address });
}

const REQUEST = query('splits-request', (db, $: SplitKey) =>
  db
    .updateTable('Split')
    .set({ deployRequested: true })
    .where('chainId', '=', $.chainId)
    .where('address', '=', $.address)
    .where('deployRequested', '=', false),
);

const requestedOf = weakMemo((_chain: Deps['chain']) => new Set<Wallet>());

/**
 * Records that a split is needed on the chain, so that settlement deploys it. Each process writes it once per split.
 * Refuses with `datastore_unavailable`.
 */
export async function requestDeployment({ sql, chain }: Pick<Deps, 'sql' | 'chain'>, address: Wallet): Promise<void> {
  const requested = requestedOf(chain);
  if (requested.has(address)) return;
  await sql.run(REQUEST, { chainId: chain.chainId, address });
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
    const changed = await deps.sql.run(GONE, { chainId: deps.chain.chainId, address: split });
    if (changed.length > 0) deps.log.error({ alert: 'split_gone', split }, 'deployed split has no code');
  }
  return missing;
}

/** How long a result about a split's code is cached. */
const CACHE_MS = 15_000;
/** The time limit of the check, because a buyer waits for it. */
const CHECK_TIMEOUT_MS = 1_000;

const checks = new WeakMap<object, Map<Wallet, { readonly until: number; readonly there: Promise<boolean> }>>();

/**
 * Whether a split recorded as deployed still has code, checked before a buyer is offered a payment in native coins.
 * Coins sent to an address without code emit no event, so no receipt would be credited. The chain is called at most
 * once in 15 s per split. If the chain does not respond, the last known state is used.
 */
export async function isStillDeployed(deps: DeployedDeps, split: Wallet): Promise<boolean> {
  const known = checks.get(deps.chain) ?? new Map();
  checks.set(deps.chain, known);
  const now = performance.now();
  for (const [address, { until }] of known) if (until <= now) known.delete(address);
  const found = known.get(split);
  if (found) return found.there;
  const there = inTime(forgetMissing(deps, [split]), CHECK_TIMEOUT_MS).then(
    (missing) => {
      // The database now has the new state. After the next deployment the chain is checked again.
      if (missing.length > 0) known.delete(split);
      return missing.length === 0;
    },
    () => true,
  );
  known.set(split, { until: now + CACHE_MS, there });
  return there;
}
