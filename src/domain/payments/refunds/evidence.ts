import { setTimeout } from 'node:timers/promises';
import { readHead } from '../../../base/chain/blocks.ts';
import type { Chain } from '../../../base/chain/client.ts';
import { inTime } from '../../../base/chain/in-time.ts';
import type { Token } from '../../../base/chain/token.ts';
import { readTransfersOf, type TransactionReading, watchlistOf } from '../../../base/chain/transfers.ts';
import { Refusal, refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { onChain } from '../../../base/platform/on-chain.ts';
import { type ReadRate, usdPerToken } from '../../shop/fx/usd-per-token.ts';

/** A transfer of one of a chain's tokens to a buyer. */
export interface Sent {
  readonly chainId: number;
  readonly transactionHash: `0x${string}`;
  /** The index of the log within the block; `COIN_INDEX` for native coins sent by the transaction itself. */
  readonly logIndex: number;
  readonly blockNumber: number;
  readonly token: Token;
  readonly sender: Wallet;
  /** Base units. */
  readonly value: bigint;
  /** US dollars per whole token now, as decimal text. */
  readonly usdPerUnit: string;
}

/** Index for native coins sent by a transaction, which have no log. */
const COIN_INDEX = -1;

/** Limits each chain query, so that the request completes within 2.5 s. */
const CHAIN_TIMEOUT_MS = 1_800;
/** How long to wait for missing confirmations: enough on chains with fast blocks, such as the local chain. */
const DEPTH_WAIT_MS = 5_000;

export const noProof = (sentence: string) =>
  refuse('invalid_input', `txHash ${sentence}`, { field: 'txHash', reason: 'no_proof' });

/** The chain does not show the transaction yet, or not deep enough: the same proof may be taken later. */
const tooEarly = (sentence: string) =>
  refuse('invalid_input', `txHash ${sentence}`, { field: 'txHash', reason: 'too_early' });

/** The transaction that a refund is proven by, and who received the money. */
interface Proof {
  readonly txHash: `0x${string}`;
  readonly buyer: Wallet;
}

type EvidenceDeps = Pick<Deps, 'chain' | 'chains'> & { readonly readRate: ReadRate };

/**
 * Reads what a transaction sent to the buyer, on the one of the chains that knows it; see `readOn`. The chains are read
 * at the same time. Refuses with `chain_unavailable` if no chain knows it and one does not answer.
 */
export async function readEvidence(deps: EvidenceDeps, chainIds: readonly number[], proof: Proof): Promise<Sent[]> {
  const looks = await Promise.all(
    chainIds.map(async (chainId) => {
      try {
        return { sent: await readOn(onChain(deps, chainId), proof) };
      } catch (error) {
        return { error };
      }
    }),
  );
  const found = looks.find(({ sent }) => sent !== undefined && sent !== null);
  if (found?.sent) return found.sent;
  const errors = looks.flatMap(({ error }) => (error === undefined ? [] : [error]));
  const isUnavailable = (error: unknown) => error instanceof Refusal && error.code === 'chain_unavailable';
  // A chain that knows the transaction says best what is wrong with it.
  throw errors.find((error) => !isUnavailable(error)) ?? errors[0] ?? tooEarly('is not known to the chain');
}

/**
 * Reads what a transaction sent to the buyer on one chain, from any sender; null if the chain does not know it. Native
 * coins count only in a plain transfer, because coins sent on by a contract leave no verifiable trace; tokens count in
 * any transaction. Refuses with `invalid_input` if the transaction is not in a block yet, reverted, sent the buyer
 * nothing, or lacks confirmations (its block may still be removed, and `refunded` is final). Refuses with
 * `chain_unavailable` if the node does not respond in time or serves another chain.
 */
async function readOn(deps: EvidenceDeps, { txHash, buyer }: Proof): Promise<Sent[] | null> {
  const { reading, confirmations } = await waitForDepth(deps.chain, txHash, buyer);
  if (reading.status === 'unknown') return null;
  if (reading.status === 'pending') throw tooEarly('is not in a block yet: try again once it is mined');
  if (reading.status === 'reverted') throw noProof('was reverted: it transferred nothing');
  const sent = sentIn(deps.chain, reading, txHash, buyer);
  if (sent.length === 0) throw noProof(`has sent nothing to ${buyer}`);
  const needed = deps.chain.confirmations;
  if (confirmations < needed)
    throw tooEarly(`has ${confirmations} of ${needed} confirmations: try again once it has them`);
  return Promise.all(sent.map(async (one) => ({ ...one, usdPerUnit: await usdPerToken(deps.readRate, one.token) })));
}

interface Look {
  readonly reading: TransactionReading;
  /** Blocks on top of the transaction's block. */
  readonly confirmations: number;
}

/** Polls until the transaction has its confirmations, the time is over, or it cannot get confirmations. */
async function waitForDepth(chain: Chain, hash: `0x${string}`, buyer: Wallet): Promise<Look> {
  const until = performance.now() + DEPTH_WAIT_MS;
  for (;;) {
    const look = await askChain(chain, hash, buyer);
    const waiting = look.reading.status === 'success' && look.confirmations < chain.confirmations;
    if (!waiting || performance.now() >= until) return look;
    await setTimeout(chain.client.pollingInterval);
  }
}

async function askChain(chain: Chain, hash: `0x${string}`, buyer: Wallet): Promise<Look> {
  try {
    return await inTime(lookAt(chain, hash, buyer), CHAIN_TIMEOUT_MS);
  } catch (error) {
    // A node with malformed responses counts as unavailable.
    throw error instanceof Refusal ? error : refuse('chain_unavailable');
  }
}

/** Reads the head first: data read afterwards can only be deeper. */
async function lookAt(chain: Deps['chain'], hash: `0x${string}`, buyer: Wallet): Promise<Look> {
  const head = await readHead(chain);
  const reading = await readTransfersOf(chain, hash, watchlistOf(new Set([buyer])));
  const confirmations = reading.blockNumber === null ? 0 : Math.max(0, Number(head.number - reading.blockNumber));
  return { reading, confirmations };
}

function sentIn(
  { chainId, tokens }: Pick<Chain, 'chainId' | 'tokens'>,
  reading: TransactionReading,
  transactionHash: `0x${string}`,
  buyer: Wallet,
): Omit<Sent, 'usdPerUnit'>[] {
  const place = { chainId, transactionHash, blockNumber: Number(reading.blockNumber) };
  const sent: Omit<Sent, 'usdPerUnit'>[] = [];
  const coin = tokens.find(({ address }) => address === null);
  if (coin && reading.to === buyer && reading.from !== buyer && reading.value > 0n) {
    const { from, value } = reading;
    sent.push({ ...place, logIndex: COIN_INDEX, token: coin, sender: from as Wallet, value });
  }
  for (const { tokenAddress, logIndex, from, value } of reading.transfers) {
    // Any contract can emit an event about received coins, so such events prove nothing.
    const token = tokenAddress === null ? null : tokens.find(({ address }) => address === tokenAddress);
    if (token && from !== buyer) sent.push({ ...place, logIndex, token, sender: from, value });
  }
  return sent;
}
