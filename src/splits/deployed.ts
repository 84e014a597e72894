import { inTime } from '../chain/in-time.ts';
import { isDeployed } from '../chain/splitter.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';

/** What a look at a split's code needs. */
export type DeployedDeps = Pick<Deps, 'sql' | 'chain' | 'log'>;

const GONE = statement(
  'splits-gone',
  'update splits set deployed = false where chain_id = $1 and address = $2 and deployed returning address',
);

/**
 * Asks the chain for the code of splits that count as deployed. Those that have none, because a reorganisation removed their deployment, count as not
 * deployed from now on: they take no native coins until they are deployed again. Answers which are missing. Refuses with `chain_unavailable`.
 */
export async function forgetMissing(deps: DeployedDeps, splits: readonly Wallet[]): Promise<Wallet[]> {
  const missing: Wallet[] = [];
  for (const split of splits) {
    if (await isDeployed(deps.chain, split)) continue;
    missing.push(split);
    const changed = await deps.sql.rows(GONE, [deps.chain.chainId, split]);
    if (changed.length > 0) deps.log.error({ alert: 'split_gone', split }, 'a deployed split has no code any more');
  }
  return missing;
}

/** How long an answer about a split's code is believed. */
const BELIEVED_MS = 15_000;
/** A buyer waits for the answer. */
const ASKED_MS = 1_000;

const checks = new WeakMap<object, Map<Wallet, { readonly until: number; readonly there: Promise<boolean> }>>();

/**
 * Whether a split that counts as deployed still has its code, before a buyer is asked for native coins: coins that arrive at an address without code leave
 * no event, so no receipt would ever be credited. Asked at most once in 15 s for each split. Where the chain does not answer, the last state known counts.
 */
export async function isStillDeployed(deps: DeployedDeps, split: Wallet): Promise<boolean> {
  const known = checks.get(deps.chain) ?? new Map();
  checks.set(deps.chain, known);
  const now = performance.now();
  for (const [address, { until }] of known) if (until <= now) known.delete(address);
  const found = known.get(split);
  if (found) return found.there;
  const there = inTime(forgetMissing(deps, [split]), ASKED_MS).then(
    (missing) => {
      // From now on the database says so; once it is deployed again the chain is asked again.
      if (missing.length > 0) known.delete(split);
      return missing.length === 0;
    },
    () => true,
  );
  known.set(split, { until: now + BELIEVED_MS, there });
  return there;
}
