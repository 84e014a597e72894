import type { Hash, Hex } from 'viem';
import { keccak256, parseTransaction } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import { toAddress, toWallet } from './address.ts';
import { assertChainId, type Chain, reach } from './client.ts';
import type { WalletCall } from './create2.ts';

/** The fees that a transaction offers, in wei per unit of gas. */
export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** A signed transaction. It can be broadcast later and repeatedly. */
export interface SignedTransaction {
  readonly hash: Hash;
  readonly raw: Hex;
  readonly nonce: number;
  readonly fees: Fees;
}

/** The current fees. Throws `chain_unavailable`. */
export async function readFees({ client }: Chain): Promise<Fees> {
  const { maxFeePerGas, maxPriorityFeePerGas } = await reach(client.estimateFeesPerGas());
  return { maxFeePerGas, maxPriorityFeePerGas };
}

/** The number of the wallet's transactions in blocks, up to the head or to a block. Throws `chain_unavailable`. */
export async function readNonce(chain: Chain, wallet: Wallet, blockNumber?: bigint): Promise<number> {
  const at = blockNumber === undefined ? { blockTag: 'latest' as const } : { blockNumber };
  const count = chain.client.getTransactionCount({ address: toAddress(wallet), ...at });
  return (await reach(Promise.all([count, assertChainId(chain)])))[0];
}

/** Signs without sending. The same input gives the same bytes. */
export async function signTransaction(
  chain: Pick<Chain, 'chainId'>,
  account: PrivateKeyAccount,
  { call, gas, nonce, fees }: { call: WalletCall; gas: bigint; nonce: number; fees: Fees },
): Promise<SignedTransaction> {
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId: chain.chainId,
    to: call.to && toAddress(call.to),
    data: call.data,
    value: call.value ?? 0n,
    gas,
    nonce,
    ...fees,
  });
  return { hash: keccak256(raw), raw, nonce, fees };
}

/** The call and gas limit of a signed transaction, to sign it again with other fees. */
export function callOf(raw: Hex): { readonly call: WalletCall; readonly gas: bigint } {
  const { to, data = '0x', value = 0n, gas = 0n } = parseTransaction(raw);
  return { call: { to: to ? toWallet(to) : null, data, value }, gas };
}

/**
 * A node's answer to a signed transaction: `taken` (accepted, already known, or replaced by one with higher fees),
 * `used` (its nonce is already mined), `poor` (the wallet's balance is too low), `rejected` (it can never be accepted).
 */
export type BroadcastResult = 'taken' | 'used' | 'poor' | 'rejected';

const broadcastErrors: readonly (readonly [RegExp, BroadcastResult])[] = [
  [/nonce (is )?too low|nonce has already been used|lower than the current nonce/i, 'used'],
  [/already (known|imported|exists|in)|underpriced|fee too low to replace|transaction with the same hash/i, 'taken'],
  [
    /insufficient (funds|balance)|not enough funds|exceeds (the )?(balance|transaction sender account balance)/i,
    'poor',
  ],
  [
    /intrinsic gas|exceeds block gas limit|gas limit|oversized|invalid sender|not supported|initcode|fee cap|max fee/i,
    'rejected',
  ],
];

/** Sends a signed transaction to the node. Throws `chain_unavailable` if the result is unknown. */
export async function broadcast({ client }: Chain, raw: Hex): Promise<BroadcastResult> {
  try {
    await client.sendRawTransaction({ serializedTransaction: raw });
    return 'taken';
  } catch (error) {
    const text = String((error as { details?: unknown }).details ?? (error as Error).message);
    const known = broadcastErrors.find(([words]) => words.test(text));
    if (known) return known[1];
    return reach(Promise.reject(error));
  }
}

/** A transaction in a block. */
export interface MinedTransaction {
  readonly succeeded: boolean;
  readonly blockNumber: number;
  readonly hash: Hash;
  /** What its gas has cost, in wei. */
  readonly gasWei: bigint;
}

/** The mined transaction; null while it is not in a block. Throws `chain_unavailable`. */
export async function readMined({ client }: Chain, hash: Hash): Promise<MinedTransaction | null> {
  // A raw request: viem's method throws on `null`, which is a valid answer here.
  const receipt = await reach(client.request({ method: 'eth_getTransactionReceipt', params: [hash] }));
  if (receipt === null) return null;
  const { transactionHash, status, blockNumber, gasUsed, effectiveGasPrice } = receipt;
  // An invalid answer must not count as a reverted transaction.
  if (transactionHash !== hash || !(status === '0x1' || status === '0x0') || !(Number(blockNumber) >= 0))
    throw refuse('chain_unavailable');
  const gasWei = BigInt(gasUsed ?? 0) * BigInt(effectiveGasPrice ?? 0);
  return { succeeded: status === '0x1', blockNumber: Number(blockNumber), hash, gasWei };
}
