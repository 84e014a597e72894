import { ExecutionRevertedError } from 'viem';
import { toAddress } from '../../chain/address.ts';
import { type Chain, findError, reach } from '../../chain/client.ts';
import type { WalletCall } from '../../chain/create2.ts';
import { type Fees, readFees } from '../../chain/raw-transactions.ts';
import { keptBy } from '../../core/kept.ts';
import type { Deps } from '../../platform/deps.ts';
import type { LaneDeps } from './spender.ts';
import type { SigningWallet } from './spender-key.ts';

type FeeDeps = Pick<Deps, 'chain' | 'log'> & { readonly settings: Pick<Deps['settings'], 'maxFeeGwei'> };

const GWEI = 1_000_000_000n;
const REPEAT_MS = 3_600_000;

/** When the market rose above the ceiling, and when that was last logged, by the monotonic clock. */
const aboveOf = keptBy('fees above the ceiling', (_chain: Chain) => ({
  now: null as { readonly since: number; loggedAt: number } | null,
}));

/** `MAX_FEE_GWEI` in wei per unit of gas; null without a ceiling. */
const ceilingOf = ({ settings }: Pick<FeeDeps, 'settings'>): bigint | null =>
  settings.maxFeeGwei === null ? null : BigInt(Math.round(settings.maxFeeGwei * 1e9));

/**
 * The fees to offer now, at most `MAX_FEE_GWEI`. Null while the market is above it: nothing is sent then, and the log
 * has a warning once an hour. Refuses with `chain_unavailable`.
 */
export async function readOffer(deps: FeeDeps): Promise<Fees | null> {
  const { offer, fees } = await readMarket(deps);
  if (offer === null) warnOfFees(deps, fees);
  else if (aboveOf(deps.chain).now !== null) {
    aboveOf(deps.chain).now = null;
    deps.log.info({ marketGwei: toGwei(offer) }, 'fees are below the ceiling again');
  }
  return offer;
}

/** What the node suggests, and what may be offered; null if the next block asks for more than the ceiling. */
async function readMarket(deps: Pick<FeeDeps, 'chain' | 'settings'>): Promise<{ fees: Fees; offer: Fees | null }> {
  const fees = await readFees(deps.chain);
  const ceiling = ceilingOf(deps);
  if (ceiling === null || fees.maxFeePerGas <= ceiling) return { fees, offer: fees };
  // The suggestion includes a margin for rising base fees. The market is what the next block asks for.
  const { baseFeePerGas } = await reach(deps.chain.client.getBlock({ blockTag: 'latest' }));
  const tip = fees.maxPriorityFeePerGas;
  const isBelow = (baseFeePerGas ?? fees.maxFeePerGas) + tip <= ceiling;
  return { fees, offer: isBelow ? { maxFeePerGas: ceiling, maxPriorityFeePerGas: tip } : null };
}

/**
 * The fees, lowered to the ceiling if that still replaces a transaction: a node accepts a replacement only from `least`
 * on. Null if `least` is above the ceiling.
 */
export function belowCeiling(deps: Pick<LaneDeps, 'settings'>, least: Fees, fees: Fees): Fees | null {
  const ceiling = ceilingOf(deps);
  if (ceiling === null || fees.maxFeePerGas <= ceiling) return fees;
  if (least.maxFeePerGas > ceiling || least.maxPriorityFeePerGas > ceiling) return null;
  const { maxPriorityFeePerGas: tip } = fees;
  return { maxFeePerGas: ceiling, maxPriorityFeePerGas: tip < ceiling ? tip : ceiling };
}

/** How long a check of the market is reused. */
const CHECK_MS = 30_000;

const checks = keptBy('test of the fee ceiling', (_chain: Chain) => ({ at: Number.NEGATIVE_INFINITY, isAbove: false }));

/**
 * Whether the market was above `MAX_FEE_GWEI` at the last check, for reports of any process, also of one that sends
 * nothing. The call starts the next check, at most one in 30 s and none without a ceiling, and does not wait for it.
 */
export function areFeesAboveCeiling(deps: Pick<FeeDeps, 'chain' | 'settings'>): boolean {
  if (deps.settings.maxFeeGwei === null) return false;
  const check = checks(deps.chain);
  const now = performance.now();
  if (now - check.at >= CHECK_MS) {
    check.at = now;
    readMarket(deps).then(
      ({ offer }) => {
        check.isAbove = offer === null;
      },
      // The chain does not respond, which is reported as such.
      () => {},
    );
  }
  return check.isAbove;
}

function warnOfFees({ chain, log, settings }: FeeDeps, fees: Fees): void {
  const now = performance.now();
  const above = aboveOf(chain);
  above.now ??= { since: now, loggedAt: Number.NEGATIVE_INFINITY };
  const known = above.now;
  if (now - known.loggedAt < REPEAT_MS) return;
  known.loggedAt = now;
  log.warn(
    { warning: 'fees_above_ceiling', marketGwei: toGwei(fees), maxFeeGwei: settings.maxFeeGwei },
    'transactions wait for lower fees',
  );
}

const toGwei = ({ maxFeePerGas }: Fees): number => Number((maxFeePerGas * 1_000n) / GWEI) / 1_000;

/** The gas limit of a call; or why it is not sent: it would revert, or it needs more gas than allowed. */
export type Estimate =
  | { readonly kind: 'ready'; readonly gas: bigint }
  | { readonly kind: 'reverts'; readonly reason: string }
  | { readonly kind: 'over_gas_max'; readonly reason: string };

/** The gas of a transaction without data that calls no code. */
const PLAIN_GAS = 21_000n;
/** The most that an estimate tries: payees and payers run code in it. A split of 100 payees takes 7 million. */
const ESTIMATED_GAS_MAX = 15_000_000n;
/** The most that a chain adds to a small transaction for posting its data. */
const DATA_GAS_MAX = 3_000_000n;

/**
 * Estimates a call on the pending block. The limit has a margin, because transactions before it may change its cost;
 * unused gas is not paid. `gasMax` does not count gas that a chain adds to every transaction for posting its data.
 * Refuses with `chain_unavailable`.
 */
export async function estimateCall(
  { client, strangersClient }: Chain,
  { sender }: SigningWallet,
  { to, data }: WalletCall,
  gasMax?: bigint,
): Promise<Estimate> {
  const account = toAddress(sender);
  try {
    const gas = gasMax === undefined ? ESTIMATED_GAS_MAX : gasMax + DATA_GAS_MAX;
    const call = { account, to: to && toAddress(to), data, gas, blockTag: 'pending' } as const;
    const needed = await reach(strangersClient.estimateGas(call));
    const ample = (needed * 5n) / 4n;
    if (gasMax === undefined || ample <= gasMax) return { kind: 'ready', gas: ample };
    const most = gasMax + (await reach(client.estimateGas({ account, to: account }))) - PLAIN_GAS;
    if (needed > most) return { kind: 'over_gas_max', reason: `the transaction needs ${needed} gas` };
    return { kind: 'ready', gas: ample < most ? ample : most };
  } catch (error) {
    const revert = findError(error, ExecutionRevertedError);
    if (revert === null) throw error;
    return { kind: 'reverts', reason: revert.shortMessage };
  }
}
