import type { Hash, Hex } from 'viem';
import { keccak256, parseTransaction } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import { toAddress, toWallet } from './address.ts';
import { assertChainId, type Chain, reach } from './client.ts';
import type { TransactionCall } from './create2.ts';

/** What a transaction offers for its place in a block, in wei for each unit of gas. */
export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** A transaction ready to be given to a node, now or later, any number of times. */
export interface SignedTransaction {
  readonly hash: Hash;
  readonly raw: Hex;
  readonly nonce: number;
  readonly fees: Fees;
}

/** What one has to offer now. Refuses with `chain_unavailable`. */
export async function readFees({ client }: Chain): Promise<Fees> {
  const { maxFeePerGas, maxPriorityFeePerGas } = await reach(client.estimateFeesPerGas());
  return { maxFeePerGas, maxPriorityFeePerGas };
}

/** How many transactions of the wallet are in blocks; with `pending`, also those that wait. Refuses with `chain_unavailable`. */
export async function readNonce(chain: Chain, wallet: Wallet, blockTag: 'latest' | 'pending'): Promise<number> {
  const address = toAddress(wallet);
  const [count] = await reach(
    Promise.all([chain.client.getTransactionCount({ address, blockTag }), assertChainId(chain)]),
  );
  return count;
}

/** Signs without sending; the same again gives the same bytes. */
export async function signTransaction(
  chain: Pick<Chain, 'chainId'>,
  account: PrivateKeyAccount,
  { call, gas, nonce, fees }: { call: TransactionCall; gas: bigint; nonce: number; fees: Fees },
): Promise<SignedTransaction> {
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId: chain.chainId,
    to: toAddress(call.to),
    data: call.data,
    value: call.value ?? 0n,
    gas,
    nonce,
    ...fees,
  });
  return { hash: keccak256(raw), raw, nonce, fees };
}

/** What a signed transaction does, to be signed anew with other fees. */
export function callOf(raw: Hex): { readonly call: TransactionCall; readonly gas: bigint } {
  const { to, data = '0x', value = 0n, gas = 0n } = parseTransaction(raw);
  if (!to) throw new Error('The transaction calls nobody');
  return { call: { to: toWallet(to), data, value }, gas };
}

/**
 * What a node says to a signed transaction: `taken` (also where it has it already, or one that offers more), `used` (its nonce is in a block already),
 * `poor` (the wallet cannot pay for it), `rejected` (it never will be taken).
 */
export type BroadcastResult = 'taken' | 'used' | 'poor' | 'rejected';

const receptions: readonly (readonly [RegExp, BroadcastResult])[] = [
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

/** Gives a signed transaction to the node. Refuses with `chain_unavailable` where nobody knows what has become of it. */
export async function broadcast({ client }: Chain, raw: Hex): Promise<BroadcastResult> {
  try {
    await client.sendRawTransaction({ serializedTransaction: raw });
    return 'taken';
  } catch (error) {
    const text = String((error as { details?: unknown }).details ?? (error as Error).message);
    const known = receptions.find(([words]) => words.test(text));
    if (known) return known[1];
    return reach(Promise.reject(error));
  }
}

/** Where a transaction is in the chain. */
export interface MinedTransaction {
  readonly succeeded: boolean;
  readonly blockNumber: number;
  readonly hash: Hash;
}

/** Where the transaction is; null while it is in no block. Refuses with `chain_unavailable`. */
export async function readMined({ client }: Chain, hash: Hash): Promise<MinedTransaction | null> {
  // Asked for plainly: `null` is an answer here, and viem makes an error of it.
  const receipt = await reach(client.request({ method: 'eth_getTransactionReceipt', params: [hash] }));
  if (receipt === null) return null;
  const { transactionHash, status, blockNumber } = receipt;
  // Whatever else a node says must not pass for a transaction that was reverted.
  if (transactionHash !== hash || !(status === '0x1' || status === '0x0') || !(Number(blockNumber) >= 0))
    throw refuse('chain_unavailable');
  return { succeeded: status === '0x1', blockNumber: Number(blockNumber), hash };
}
