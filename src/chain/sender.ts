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

/** A call to send. `data` is optional: a transfer of native coins has none. */
export type Sendable = Omit<TransactionCall, 'data'> & Partial<Pick<TransactionCall, 'data'>>;

/**
 * The result of a send. `hash` is null if the transaction was not sent: it would revert ("nothing due" and "already
 * deployed" are expected outcomes), or, with `overGasMax`, it needs more gas than allowed.
 */
export type Sending =
  | { readonly hash: Hash; readonly revertReason: null }
  | { readonly hash: null; readonly revertReason: string; readonly overGasMax: boolean };

export interface SendOptions {
  /**
   * The transaction is not sent if it needs more gas than this. Gas that a chain adds to every transaction for posting
   * its data does not count.
   */
  readonly gasMax?: bigint;
}

/** Sends the transactions of one key. Use one sender per key and process: it assigns the nonces in order. */
export interface Sender {
  readonly address: Wallet;
  /**
   * Signs and broadcasts, unless the transaction would revert. Throws `chain_unavailable`, and viem's
   * `InsufficientFundsError` if the balance is too low for value and gas.
   */
  send(transaction: Sendable, options?: SendOptions): Promise<Sending>;
  /** Waits for the transaction's first block. `pending` if it is not in a block after the timeout. */
  waitFor(hash: Hash, timeoutMs?: number): Promise<'success' | 'reverted' | 'pending'>;
  /** Waits for the transaction's receipt. Null if it is not in a block after the timeout. */
  waitForReceipt(hash: Hash, timeoutMs?: number): Promise<TransactionReceipt | null>;
}

const WAIT_TIMEOUT_MS = 60_000;
/** The gas of a transaction without data that calls no code. */
const PLAIN_GAS = 21_000n;

export function createSender(chain: Chain, privateKey: Hex): Sender {
  const { client } = chain;
  const account = privateKeyToAccount(privateKey);
  let last: Promise<unknown> = Promise.resolve();

  /** Runs tasks one after the other: a nonce is read only after all earlier transactions were sent. */
  function inTurn<T>(task: () => Promise<T>): Promise<T> {
    const run = last.then(task, task);
    last = run;
    return run;
  }

  /**
   * The gas limit: at most `gasMax` plus the gas that the chain adds to every estimate. Null if the call needs more.
   */
  async function gasLimit(needed: bigint, gasMax: bigint | undefined): Promise<bigint | null> {
    // Transactions before it may change the cost of the call; unused gas is not paid.
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
    if (gas === null) return { hash: null, revertReason: `the transaction needs ${needed} gas`, overGasMax: true };
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
