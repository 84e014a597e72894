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

/** What a transfer to an empty balance costs more. */
const NEW_BALANCE_GAS = 25_000n;

/** A call to send. `data` is optional: a transfer of native coins has none. */
type Sendable = Omit<TransactionCall, 'data'> & Partial<Pick<TransactionCall, 'data'>>;

/**
 * The result of a send. `hash` is null if the transaction was not sent, because it would revert: "already deployed" is
 * an expected outcome.
 */
type Sending =
  | { readonly hash: Hash; readonly revertReason: null }
  | { readonly hash: null; readonly revertReason: string };

/**
 * Sends the transactions of a test account, which are neither stored nor followed. Use one sender per key and process:
 * it assigns the nonces in order. The transactions of a real wallet go through the lane of `spender`.
 */
export interface Sender {
  readonly address: Wallet;
  /**
   * Signs and broadcasts, unless the transaction would revert. Throws `chain_unavailable`, and viem's
   * `InsufficientFundsError` if the balance is too low for value and gas.
   */
  send(transaction: Sendable): Promise<Sending>;
  /** Waits for the transaction's first block. `pending` if it is not in a block after the timeout. */
  waitFor(hash: Hash, timeoutMs?: number): Promise<'success' | 'reverted' | 'pending'>;
}

const WAIT_TIMEOUT_MS = 60_000;

/** Creates the sender of a key on a chain. */
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

  async function signAndSend({ to, data, value }: Sendable): Promise<Sending> {
    const { address } = account;
    const call = { to: toAddress(to), data, value };
    const [needed, nonce, fees] = await Promise.all([
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
      // Transactions before it may change the cost of the call, such as a release that empties the recipient's balance.
      // Unused gas is not paid.
      gas: (needed * 5n) / 4n + NEW_BALANCE_GAS,
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
        const mined = client.waitForTransactionReceipt({ hash, timeout: timeoutMs });
        return (await mined).status;
      } catch (error) {
        if (findError(error, WaitForTransactionReceiptTimeoutError)) return 'pending';
        return reach(Promise.reject(error));
      }
    },
  };
}
