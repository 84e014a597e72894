import { type BlockMark, readBlock, readHead } from '../chain/blocks.ts';
import { type MinedTransaction, readMined, readNonce } from '../chain/raw-transactions.ts';
import type { SpenderDeps } from '../spender/deps.ts';
import { sendAgain } from '../spender/replace-transactions.ts';
import type { SpenderKey } from '../spender/spender-key.ts';
import { readUnfinished, type Unfinished } from '../spender/unfinished.ts';
import { type Landed, recordOutcomes } from './record-outcomes.ts';

/** A nonce that is used up while none of our transactions shows in a block: a node may be behind, so it is believed only this much later. */
const BELIEVED_BLOCKS = 5;

/** How a look at the wallet's transactions went. */
export interface FollowReport {
  /** Still in no block. */
  readonly open: number;
}

/**
 * One look at the wallet's unfinished transactions: notes which are in a block, and at full depth; gives those that no node seems to have to the node
 * again, offers more for those that are stuck, and fills the nonces of those that could only revert. With `nonces` it only notes.
 */
export async function follow(
  deps: SpenderDeps,
  key: SpenderKey,
  { nonces = null, signal }: { readonly nonces?: readonly number[] | null; readonly signal?: AbortSignal } = {},
): Promise<FollowReport> {
  const unfinished = await readUnfinished(deps, key, nonces);
  if (unfinished.length === 0) return { open: 0 };
  const switches = deps.chain.switches();
  const [head, mined] = await Promise.all([readHead(deps.chain), readNonce(deps.chain, key.sender, 'latest')]);
  const landings = await Promise.all(unfinished.map((one) => findLanding(deps, one)));
  const blocks = await readTimes(deps, head, landings);
  // One node says that a nonce is used, another one that lags knows no transaction of it: together that would look like a charge that never was.
  if (deps.chain.switches() !== switches) return { open: unfinished.length };
  const landed: Landed[] = [];
  const open: Unfinished[] = [];
  for (const [i, one] of unfinished.entries()) {
    const found = judge(deps, one, landings[i]!, { head, mined, blocks });
    if (found && isNews(one, found)) landed.push(found);
    if ((found?.state ?? 'open') === 'open') open.push(one);
  }
  if (nonces === null && isReset(deps, unfinished, landings, mined)) {
    deps.log.warn({ sender: key.sender, mined }, 'the local chain began anew: what was under way is gone with it');
    landed.push(...unfinished.map((one) => lost(one, head)));
    open.length = 0;
  }
  await recordOutcomes(deps, key.sender, landed);
  if (nonces === null && !signal?.aborted) await sendAgain(deps, key, open, { head, mined });
  return { open: open.length };
}

/** Any of the signed forms may be the one in a block; the newest most likely. */
async function findLanding({ chain }: SpenderDeps, { broadcasts }: Unfinished): Promise<MinedTransaction | null> {
  for (const { hash } of broadcasts.toReversed()) {
    const landing = await readMined(chain, hash);
    if (landing) return landing;
  }
  return null;
}

async function readTimes(
  { chain }: SpenderDeps,
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

interface Sight {
  readonly head: BlockMark;
  readonly mined: number;
  readonly blocks: ReadonlyMap<number, number>;
}

/** What the chain says of a nonce; null: nothing. */
function judge(
  { chain }: SpenderDeps,
  { nonce, state, sentBlock, broadcasts }: Unfinished,
  landing: MinedTransaction | null,
  { head, mined, blocks }: Sight,
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
  const passed =
    mined > nonce && sentBlock !== null && Number(head.number) - sentBlock >= chain.confirmations + BELIEVED_BLOCKS;
  if (passed) return { nonce, state: 'final', outcome: 'voided', minedHash: null, minedBlock: null, atMs: head.timeMs };
  if (state !== 'mined') return null;
  return { nonce, state: 'open', outcome: null, minedHash: null, minedBlock: null, atMs: head.timeMs };
}

const isNews = (before: Unfinished, now: Landed): boolean =>
  before.state !== now.state ||
  before.minedHash !== now.minedHash ||
  (now.outcome ?? before.outcome) !== before.outcome;

/** Of all that are unfinished: nonces below the lowest one are in deep blocks, so a chain that has used fewer has begun anew, where it may. */
const isReset = (
  { chain }: SpenderDeps,
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
