import { setTimeout } from 'node:timers/promises';
import { type BlockMark, readBlock, readHead } from '../../chain/blocks.ts';
import { type MinedTransaction, readMined, readNonce } from '../../chain/raw-transactions.ts';
import { Refusal } from '../../core/errors.ts';
import { gasSpent } from '../../core/observed.ts';
import { type Landed, type Outcome, type OutcomeHandlers, recordOutcomes } from './record-outcomes.ts';
import { isReset, reopenRemoved } from './removed-transactions.ts';
import { sendAgain } from './replace-transactions.ts';
import type { LaneDeps } from './spender.ts';
import type { SigningWallet } from './spender-key.ts';
import { readUnfinished, type Unfinished } from './unfinished.ts';

/** Extra blocks to wait before concluding that another transaction used a nonce, because the node may lag behind. */
const LAG_MARGIN_BLOCKS = 5;
/** A node that keeps no archive has the states of its last 128 blocks. */
const STATE_BLOCKS = 100;

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
  const [head, mined] = await Promise.all([readHead(deps.chain), readNonce(deps.chain, wallet.sender)]);
  const landings = await Promise.all(unfinished.map((one) => findLanding(deps, one)));
  const isUnexplained = unfinished.some(({ nonce }, i) => nonce < mined && landings[i] === null);
  const settled = isUnexplained ? await readSettledNonce(deps, wallet, head) : 0;
  const blocks = await readTimes(deps, head, landings);
  // The reads came from different nodes. One may report a used nonce while a lagging one lacks its transaction, which
  // would look like a voided transaction.
  if (deps.chain.switches() !== switches) return { open: unfinished, outcomes: [] };
  const landed: Landed[] = [];
  const open: Unfinished[] = [];
  for (const [i, one] of unfinished.entries()) {
    const found = findState(deps, one, landings[i]!, { head, settled, blocks });
    if (found && isChanged(one, found)) landed.push(found);
    if ((found?.state ?? 'open') === 'open') open.push(one);
  }
  // All transactions below the lowest unfinished one are final. A chain that counts fewer has lost some of them.
  const lowest = unfinished[0]!.nonce;
  const lostFinal = nonces === null && mined < lowest;
  if (lostFinal && isReset(deps, mined)) {
    deps.log.warn({ sender: wallet.sender }, 'local chain was reset, open transactions are lost');
    landed.push(...unfinished.map((one) => lost(one, head)));
    open.length = 0;
  } else if (lostFinal) {
    await reopenRemoved(deps, deps.db, wallet.sender, { head, mined, below: lowest });
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

/**
 * The number of the wallet's transactions in blocks that no reorganization replaces any more. 0 if the node does not
 * have the state of such a block.
 */
async function readSettledNonce({ chain }: LaneDeps, { sender }: SigningWallet, head: BlockMark): Promise<number> {
  const depth = BigInt(Math.min(chain.confirmations + LAG_MARGIN_BLOCKS, STATE_BLOCKS));
  if (head.number < depth) return 0;
  try {
    return await readNonce(chain, sender, head.number - depth);
  } catch (error) {
    if (error instanceof Refusal) return 0;
    throw error;
  }
}

interface ChainView {
  readonly head: BlockMark;
  /** The nonces below are used for good. */
  readonly settled: number;
  readonly blocks: ReadonlyMap<number, number>;
}

/** The new state of a nonce according to the chain; null if the chain shows nothing new. */
function findState(
  { chain }: LaneDeps,
  { nonce, state, broadcasts }: Unfinished,
  landing: MinedTransaction | null,
  { head, settled, blocks }: ChainView,
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
  const isUsedElsewhere = nonce < settled;
  if (isUsedElsewhere)
    return { nonce, state: 'final', outcome: 'voided', minedHash: null, minedBlock: null, atMs: head.timeMs };
  if (state !== 'mined') return null;
  return { nonce, state: 'open', outcome: null, minedHash: null, minedBlock: null, atMs: head.timeMs };
}

const isChanged = (before: Unfinished, now: Landed): boolean =>
  before.state !== now.state ||
  before.minedHash !== now.minedHash ||
  (now.outcome ?? before.outcome) !== before.outcome;

const lost = ({ nonce }: Unfinished, head: BlockMark): Landed => ({
  nonce,
  state: 'final',
  outcome: 'voided',
  minedHash: null,
  minedBlock: null,
  atMs: head.timeMs,
});

const LOCAL_POLL_MS = 20;
/** A full pass every so many polls, also if the transaction count has not changed. */
const POLLS_PER_FOLLOW = 20;

/**
 * Waits until the transactions are in blocks, at most `waitMs`, and records their outcomes. Returns the outcomes that
 * it recorded. A chain that does not respond is asked again.
 */
export async function awaitMined(
  deps: LaneDeps,
  wallet: SigningWallet,
  handlers: OutcomeHandlers,
  nonces: readonly number[],
  { waitMs, signal }: { readonly waitMs: number; readonly signal?: AbortSignal },
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const pollMs = Math.max(LOCAL_POLL_MS, Math.min(deps.chain.client.pollingInterval, 1_000) / 2);
  const untilMs = performance.now() + waitMs;
  for (let polls = 0; nonces.length > 0 && !signal?.aborted; polls++) {
    const isLast = performance.now() >= untilMs;
    // Poll the cheap transaction count, and run a full pass only when it exceeds the nonces, and every few polls.
    const mined = (await unlessRefused(readNonce(deps.chain, wallet.sender))) ?? 0;
    if (mined > Math.max(...nonces) || polls % POLLS_PER_FOLLOW === POLLS_PER_FOLLOW - 1 || isLast) {
      const report = await unlessRefused(followTransactions(deps, wallet, handlers, { nonces }));
      outcomes.push(...(report?.outcomes ?? []));
      if (report?.open.length === 0 || isLast) break;
    }
    await setTimeout(pollMs);
  }
  return outcomes;
}

/** Null for a refusal, such as `chain_unavailable`. */
async function unlessRefused<T>(result: Promise<T>): Promise<T | null> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
