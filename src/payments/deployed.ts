import { inTime } from '../chain/in-time.ts';
import { isDeployed } from '../chain/splitter.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';

type DeployedDeps = Pick<Deps, 'sql' | 'chain' | 'log'>;

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

const PAGE = 200;

const IN_USE = statement(
  'splits-deployed-in-use',
  `select s.address from splits s
    where s.chain_id = $1 and s.deployed and s.verified and s.address > $2
      and (s.replaced_at is null or exists (
            select 1 from settlement_shares o where o.chain_id = s.chain_id and o.split = s.address and o.settled_at is null))
    order by s.address limit ${PAGE}`,
);

/**
 * Checks all deployed splits in use again after a reorganisation beyond the confirmations, a page a call. `confirmed` is the block up to which the watcher
 * has read at full depth: it falls with such a reorganisation only.
 */
export function createDeploymentCheck(deps: DeployedDeps): (confirmed: number) => Promise<void> {
  let highest = 0;
  let after: Wallet | null = null;
  return async (confirmed) => {
    if (confirmed < highest) after = '' as Wallet;
    highest = confirmed;
    if (after === null) return;
    const page: { address: Wallet }[] = await deps.sql.rows(IN_USE, [deps.chain.chainId, after]);
    await forgetMissing(
      deps,
      page.map(({ address }) => address),
    );
    after = page.at(-1)?.address ?? null;
  };
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
