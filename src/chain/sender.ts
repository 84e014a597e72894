import {
  type BaseError,
  ExecutionRevertedError,
  type Hash,
  type Hex,
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

/** Sent, or not sent because it would revert: "nothing due" and "already there" are answers, not faults. */
export type Sending =
  | { readonly hash: Hash; readonly revertReason: null }
  | { readonly hash: null; readonly revertReason: string };

/** Sends transactions of one key. Use one sender a key and process: it is what keeps their nonces in order. */
export interface Sender {
  readonly address: Wallet;
  /** Signs and broadcasts, unless the transaction would revert. Refuses with `chain_unavailable`; too little for
   * value and gas throws viem's error. */
  send(transaction: Sendable): Promise<Sending>;
  /** Waits for the transaction's first block; `pending` where it is in none after the timeout. */
  waitFor(hash: Hash, timeoutMs?: number): Promise<'success' | 'reverted' | 'pending'>;
}

const WAIT_TIMEOUT_MS = 60_000;

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

  async function signAndSend({ to, data, value }: Sendable): Promise<Sending> {
    const { address } = account;
    const call = { to: toAddress(to), data, value };
    const [gas, nonce, fees] = await Promise.all([
      client.estimateGas({ ...call, account: address, blockTag: 'pending' }),
      client.getTransactionCount({ address, blockTag: 'pending' }),
      client.estimateFeesPerGas(),
      assertChainId(chain),
    ]);
    const serializedTransaction = await account.signTransaction({
      ...call,
      ...fees,
      type: 'eip1559',
      chainId: chain.chainId,
      nonce,
      // Others may come first and change what the call costs; unused gas is not paid.
      gas: (gas * 5n) / 4n,
    });
    try {
      return { hash: await client.sendRawTransaction({ serializedTransaction }), revertReason: null };
    } catch (error) {
      throw getTransactionError(error as BaseError, { ...call, account });
    }
  }

  return {
    address: toWallet(account.address),

    async send(transaction) {
      try {
        return await inTurn(() => reach(signAndSend(transaction)));
      } catch (error) {
        const revert = findError(error, ExecutionRevertedError);
        if (revert === null) throw error;
        return { hash: null, revertReason: revert.shortMessage };
      }
    },

    async waitFor(hash, timeoutMs = WAIT_TIMEOUT_MS) {
      try {
        const { status } = await client.waitForTransactionReceipt({
          hash,
          timeout: timeoutMs,
          checkReplacement: false,
        });
        return status;
      } catch (error) {
        if (findError(error, WaitForTransactionReceiptTimeoutError)) return 'pending';
        return reach(Promise.reject(error));
      }
    },
  };
}
