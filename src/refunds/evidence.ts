import { setTimeout } from 'node:timers/promises';
import { readHead } from '../chain/blocks.ts';
import { inTime } from '../chain/in-time.ts';
import type { Token } from '../chain/tokens.ts';
import { readTransfersOf, type TransactionReading } from '../chain/transfers.ts';
import { Refusal, refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import { type ReadRate, usdPerToken } from '../fx/usd-per-token.ts';
import type { Deps } from '../platform/deps.ts';

/** What a transaction brought to a buyer, in one of the chain's tokens. */
export interface Sent {
  readonly transactionHash: `0x${string}`;
  /** Counted within the block; `COIN_INDEX` is the coin that the transaction itself carries. */
  readonly logIndex: number;
  readonly blockNumber: number;
  readonly token: Token;
  readonly sender: Wallet;
  /** Base units. */
  readonly value: bigint;
  /** US dollars per whole token now, as decimal text. */
  readonly usdPerUnit: string;
}

/** Stands for the coin that a transaction carries, which has no log. */
const COIN_INDEX = -1;

/** So that an answer is there within 2.5 s, whatever the node does. */
const CHAIN_TIMEOUT_MS = 1_800;
/** So long the blocks that are still missing are waited for: enough where blocks are quick, as on the local chain. */
const DEPTH_WAIT_MS = 5_000;

const noProof = (sentence: string) => refuse('invalid_input', `txHash ${sentence}`, { field: 'txHash' });

/**
 * Asks the chain what a transaction brought to the buyer, whoever sent it. Of a plain send it takes the coin, of contracts' calls only token transfers:
 * coins that a contract passes on leave no trace that anybody could check. Refuses with `invalid_input` for a transaction that is unknown, not in a block
 * yet, reverted, brought the buyer nothing, or has not got its confirmations (its block may still go, and nothing leads back from `refunded`); with
 * `chain_unavailable` where the node does not answer in time or serves another chain.
 */
export async function readEvidence(
  deps: Pick<Deps, 'chain'> & { readonly readRate: ReadRate },
  { txHash, buyer }: { readonly txHash: `0x${string}`; readonly buyer: Wallet },
): Promise<Sent[]> {
  const { reading, confirmations } = await waitForDepth(deps, txHash, buyer);
  if (reading.status === 'unknown') throw noProof('is not known to the chain');
  if (reading.status === 'pending') throw noProof('is not in a block yet: try again once it is mined');
  if (reading.status === 'reverted') throw noProof('was reverted: it has moved nothing');
  const sent = sentIn(deps.chain.tokens, reading, txHash, buyer);
  if (sent.length === 0) throw noProof(`has sent nothing to ${buyer}`);
  const needed = deps.chain.confirmations;
  if (confirmations < needed)
    throw noProof(`has ${confirmations} of ${needed} confirmations: try again once it has them`);
  return Promise.all(sent.map(async (one) => ({ ...one, usdPerUnit: await usdPerToken(deps.readRate, one.token) })));
}

interface Look {
  readonly reading: TransactionReading;
  /** Blocks on top of its own. */
  readonly confirmations: number;
}

/** Looks until the transaction has its confirmations, as long as there is time and it may still come by them. */
async function waitForDepth(deps: Pick<Deps, 'chain'>, hash: `0x${string}`, buyer: Wallet): Promise<Look> {
  const { chain } = deps;
  const until = performance.now() + DEPTH_WAIT_MS;
  for (;;) {
    const look = await askChain(deps, hash, buyer);
    const waiting = look.reading.status === 'success' && look.confirmations < chain.confirmations;
    if (!waiting || performance.now() >= until) return look;
    await setTimeout(chain.client.pollingInterval);
  }
}

async function askChain({ chain }: Pick<Deps, 'chain'>, hash: `0x${string}`, buyer: Wallet): Promise<Look> {
  try {
    return await inTime(lookAt(chain, hash, buyer), CHAIN_TIMEOUT_MS);
  } catch (error) {
    // A node that answers nonsense is as good as none.
    throw error instanceof Refusal ? error : refuse('chain_unavailable');
  }
}

/** The head comes first: what is read after it can only lie deeper. */
async function lookAt(chain: Deps['chain'], hash: `0x${string}`, buyer: Wallet): Promise<Look> {
  const head = await readHead(chain);
  const reading = await readTransfersOf(chain, hash, new Set([buyer]));
  const confirmations = reading.blockNumber === null ? 0 : Math.max(0, Number(head.number - reading.blockNumber));
  return { reading, confirmations };
}

function sentIn(
  tokens: readonly Token[],
  reading: TransactionReading,
  transactionHash: `0x${string}`,
  buyer: Wallet,
): Omit<Sent, 'usdPerUnit'>[] {
  const blockNumber = Number(reading.blockNumber);
  const sent: Omit<Sent, 'usdPerUnit'>[] = [];
  const coin = tokens.find(({ address }) => address === null);
  if (coin && reading.to === buyer && reading.from !== buyer && reading.value > 0n) {
    const { from, value } = reading;
    sent.push({ transactionHash, logIndex: COIN_INDEX, blockNumber, token: coin, sender: from as Wallet, value });
  }
  for (const { tokenAddress, logIndex, from, value } of reading.transfers) {
    // Any contract can say that it received coins; nobody need believe it.
    const token = tokenAddress === null ? null : tokens.find(({ address }) => address === tokenAddress);
    if (token && from !== buyer) sent.push({ transactionHash, logIndex, blockNumber, token, sender: from, value });
  }
  return sent;
}
