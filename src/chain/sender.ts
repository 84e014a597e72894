import {
  type BaseError,
  ExecutionRevertedError,
  type Hash,
  type Hex,
  type TransactionReceipt,
  WaitForTransactionReceiptTimeoutError,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { getTransactionError } from 'viem/utils';
import type { Wallet } from '../core/wallet.ts';
import { toAddress, toWallet } from './address.ts';
import { assertChainId, type Chain, findError, reach } from './client.ts';
import type { TransactionCall } from './create2.ts';

/** A plain transfer of native coins has no data. */
export type Sendable = Omit<TransactionCall, 'data'> & Partial<Pick<TransactionCall, 'data'>>;

/**
 * Sent, or not sent because it would revert ("nothing due" and "already there" are answers, not faults) or, with `overGasMax`, because it needs more gas
 * than it may use.
 */
export type Sending =
  | { readonly hash: Hash; readonly revertReason: null }
  | { readonly hash: null; readonly revertReason: string; readonly overGasMax: boolean };

export interface SendOptions {
  /** It is not sent where it needs more gas than this. What a chain adds to every transaction for posting its data does not count. */
  readonly gasMax?: bigint;
}

/** Sends transactions of one key. Use one sender a key and process: it is what keeps their nonces in order. */
export interface Sender {
  readonly address: Wallet;
  /** Signs and broadcasts, unless the transaction would revert. Refuses with `chain_unavailable`; too little for
   * value and gas throws viem's error. */
  send(transaction: Sendable, options?: SendOptions): Promise<Sending>;
  /** Waits for the transaction's first block; `pending` where it is in none after the timeout. */
  waitFor(hash: Hash, timeoutMs?: number): Promise<'success' | 'reverted' | 'pending'>;
  /** The same, answering the receipt; null where it is in no block after the timeout. */
  waitForReceipt(hash: Hash, timeoutMs?: number): Promise<TransactionReceipt | null>;
}

const WAIT_TIMEOUT_MS = 60_000;
/** What a transaction without data or code costs. */
const PLAIN_GAS = 21_000n;

export function createSender(chain: Chain, privateKey: Hex): Sender {
  const { client } = chain;
  const account = privateKeyToAccount(privateKey);
  let last: Promise<unknown> = Promise.resolve();

  /** Each waits for the one before: a nonce is asked for only when all earlier ones are with the node. */
  function inTurn<T>(task: () => Promise<T>): Promise<T> {
    const turn = last.then(task, task);
    last = turn;
    return turn;
  }

  /** The most gas that may be given, the chain's own addition to every estimate included; null where the call needs more. */
  async function gasLimit(needed: bigint, gasMax: bigint | undefined): Promise<bigint | null> {
    // Others may come first and change what the call costs; unused gas is not paid.
    const ample = (needed * 5n) / 4n;
    if (gasMax === undefined || ample <= gasMax) return ample;
    const { address } = account;
    const added = (await client.estimateGas({ account: address, to: address })) - PLAIN_GAS;
    const most = gasMax + added;
    if (needed > most) return null;
    return ample < most ? ample : most;
  }

  async function signAndSend({ to, data, value }: Sendable, { gasMax }: SendOptions): Promise<Sending> {
    const { address } = account;
    const call = { to: toAddress(to), data, value };
    const [needed, nonce, fees] = await Promise.all([
      client.estimateGas({ ...call, account: address, blockTag: 'pending' }),
      client.getTransactionCount({ address, blockTag: 'pending' }),
      client.estimateFeesPerGas(),
      assertChainId(chain),
    ]);
    const gas = await gasLimit(needed, gasMax);
    if (gas === null) return { hash: null, revertReason: `it needs ${needed} gas`, overGasMax: true };
    const serializedTransaction = await account.signTransaction({
      ...call,
      ...fees,
      type: 'eip1559',
      chainId: chain.chainId,
      nonce,
      gas,
    });
    try {
      return { hash: await client.sendRawTransaction({ serializedTransaction }), revertReason: null };
    } catch (error) {
      throw getTransactionError(error as BaseError, { ...call, account });
    }
  }

  async function waitForReceipt(hash: Hash, timeoutMs = WAIT_TIMEOUT_MS): Promise<TransactionReceipt | null> {
    try {
      return await client.waitForTransactionReceipt({ hash, timeout: timeoutMs, checkReplacement: false });
    } catch (error) {
      if (findError(error, WaitForTransactionReceiptTimeoutError)) return null;
      return reach(Promise.reject(error));
    }
  }

  return {
    address: toWallet(account.address),

    async send(transaction, options = {}) {
      try {
        return await inTurn(() => reach(signAndSend(transaction, options)));
      } catch (error) {
        const revert = findError(error, ExecutionRevertedError);
        if (revert === null) throw error;
        return { hash: null, revertReason: revert.shortMessage, overGasMax: false };
      }
    },

    waitForReceipt,

    async waitFor(hash, timeoutMs) {
      return (await waitForReceipt(hash, timeoutMs))?.status ?? 'pending';
    },
  };
}
