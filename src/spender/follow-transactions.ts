import { type BlockMark, readBlock, readHead } from '../chain/blocks.ts';
import { type MinedTransaction, readMined, readNonce } from '../chain/raw-transactions.ts';
import { gasSpent } from '../core/observed.ts';
import type { LaneDeps } from './deps.ts';
import type { Landed, Outcome, OutcomeHandlers } from './outcome-handler.ts';
import { recordOutcomes } from './record-outcomes.ts';
import { sendAgain } from './replace-transactions.ts';
import { readUnfinished, type Unfinished } from './unfinished.ts';
import type { SigningWallet } from './wallet.ts';

/** Extra blocks to wait before concluding that another transaction used a nonce, because the node may lag behind. */
const LAG_MARGIN_BLOCKS = 5;

/** The result of one pass over the wallet's transactions. */
export interface FollowReport {
  /** The transactions that are in no block yet. */
  readonly open: readonly Unfinished[];
  /** The outcomes that this pass recorded. */
  readonly outcomes: readonly Outcome[];
}

export interface FollowOptions {
  /** Only these nonces, and only to record them. */
  readonly nonces?: readonly number[] | null;
  readonly signal?: AbortSignal;
}

/**
 * One pass over the wallet's unfinished transactions. It records which are in a block and which are confirmed, resends
 * those that the node does not have, raises the fee of stuck ones, and replaces those that can only revert with `void`
 * transactions. With `nonces` it only records. Refuses with `chain_unavailable` and `datastore_unavailable`.
 */
export async function followTransactions(
  deps: LaneDeps,
  wallet: SigningWallet,
  handlers: OutcomeHandlers,
  { nonces = null, signal }: FollowOptions = {},
): Promise<FollowReport> {
  const unfinished = await readUnfinished(deps, wallet, nonces);
  if (unfinished.length === 0) return { open: [], outcomes: [] };
  const switches = deps.chain.switches();
  const [head, mined] = await Promise.all([readHead(deps.chain), readNonce(deps.chain, wallet.sender, 'latest')]);
  const landings = await Promise.all(unfinished.map((one) => findLanding(deps, one)));
  const blocks = await readTimes(deps, head, landings);
  // The reads came from different nodes. One may report a used nonce while a lagging one lacks its transaction, which
  // would look like a voided transaction.
  if (deps.chain.switches() !== switches) return { open: unfinished, outcomes: [] };
  const landed: Landed[] = [];
  const open: Unfinished[] = [];
  for (const [i, one] of unfinished.entries()) {
    const found = findState(deps, one, landings[i]!, { head, mined, blocks });
    if (found && isChanged(one, found)) landed.push(found);
    if ((found?.state ?? 'open') === 'open') open.push(one);
  }
  if (nonces === null && isReset(deps, unfinished, landings, mined)) {
    deps.log.warn({ sender: wallet.sender, mined }, 'local chain was reset, open transactions are lost');
    landed.push(...unfinished.map((one) => lost(one, head)));
    open.length = 0;
  }
  const outcomes = await recordOutcomes(deps, wallet.sender, handlers, landed);
  if (gasSpent.hasSubscribers) reportGas(deps.chain, wallet, landings, outcomes);
  if (nonces === null && !signal?.aborted) await sendAgain(deps, wallet, handlers, open, { head, mined });
  return { open, outcomes };
}

/** Reports the gas of transactions whose outcome is new. */
function reportGas(
  { chainId }: LaneDeps['chain'],
  { role }: SigningWallet,
  landings: readonly (MinedTransaction | null)[],
  outcomes: readonly Outcome[],
): void {
  const recorded = new Set(outcomes.map(({ minedHash }) => minedHash));
  for (const landing of landings)
    if (landing && recorded.has(landing.hash)) gasSpent.publish({ chainId, role, wei: landing.gasWei });
}

/** Finds the signed form that is in a block. Searches from the newest, which is the most likely. */
async function findLanding({ chain }: LaneDeps, { broadcasts }: Unfinished): Promise<MinedTransaction | null> {
  for (const { hash } of broadcasts.toReversed()) {
    const landing = await readMined(chain, hash);
    if (landing) return landing;
  }
  return null;
}

async function readTimes(
  { chain }: LaneDeps,
  head: BlockMark,
  landings: readonly (MinedTransaction | null)[],
): Promise<ReadonlyMap<number, number>> {
  const numbers = new Set(landings.flatMap((landing) => (landing ? [landing.blockNumber] : [])));
  const read = async (number: number): Promise<[number, number]> => {
    if (number === Number(head.number)) return [number, head.timeMs];
    return [number, (await readBlock(chain, BigInt(number)))?.timeMs ?? head.timeMs];
  };
  return new Map(await Promise.all([...numbers].map(read)));
}

interface ChainView {
  readonly head: BlockMark;
  readonly mined: number;
  readonly blocks: ReadonlyMap<number, number>;
}

/** The new state of a nonce according to the chain; null if the chain shows nothing new. */
function findState(
  { chain }: LaneDeps,
  { nonce, state, sentBlock, broadcasts }: Unfinished,
  landing: MinedTransaction | null,
  { head, mined, blocks }: ChainView,
): Landed | null {
  if (landing) {
    const filled = broadcasts.find(({ hash }) => hash === landing.hash)?.kind === 'void';
    const deep = Number(head.number) - landing.blockNumber >= chain.confirmations;
    return {
      nonce,
      state: deep ? 'final' : 'mined',
      outcome: filled ? 'voided' : landing.succeeded ? 'success' : 'reverted',
      minedHash: landing.hash,
      minedBlock: landing.blockNumber,
      atMs: blocks.get(landing.blockNumber) ?? head.timeMs,
    };
  }
  const usedElsewhere =
    mined > nonce && sentBlock !== null && Number(head.number) - sentBlock >= chain.confirmations + LAG_MARGIN_BLOCKS;
  if (usedElsewhere)
    return { nonce, state: 'final', outcome: 'voided', minedHash: null, minedBlock: null, atMs: head.timeMs };
  if (state !== 'mined') return null;
  return { nonce, state: 'open', outcome: null, minedHash: null, minedBlock: null, atMs: head.timeMs };
}

const isChanged = (before: Unfinished, now: Landed): boolean =>
  before.state !== now.state ||
  before.minedHash !== now.minedHash ||
  (now.outcome ?? before.outcome) !== before.outcome;

/**
 * Whether a local chain was reset. All nonces below the lowest unfinished one are confirmed, so a chain that has used
 * fewer nonces is a new one.
 */
const isReset = (
  { chain }: LaneDeps,
  unfinished: readonly Unfinished[],
  landings: readonly (MinedTransaction | null)[],
  mined: number,
): boolean => chain.mayRestart && mined < unfinished[0]!.nonce && landings.every((landing) => landing === null);

const lost = ({ nonce }: Unfinished, head: BlockMark): Landed => ({
  nonce,
  state: 'final',
  outcome: 'voided',
  minedHash: null,
  minedBlock: null,
  atMs: head.timeMs,
});
