import { ExecutionRevertedError, type Hex, isHex } from 'viem';
import type { Wallet } from '../core/wallet.ts';
import { toAddress } from './address.ts';
import { type Chain, findError, reach } from './client.ts';
import { saysHalt, saysOutOfGas } from './halts.ts';

/** A call of a contract that a stranger chose. */
interface StrangeCall {
  /** Null creates a contract, whose constructor is the code that runs. */
  readonly to: Wallet | null;
  readonly data?: Hex;
  readonly from?: Wallet;
  /** In wei. */
  readonly value?: bigint;
  /** The most gas that the code may use. A node allows up to 550 million by itself. */
  readonly gas: bigint;
  /** The latest by default. */
  readonly blockNumber?: bigint | undefined;
}

/** What the code returned; or that it failed: it reverted, ran out of gas, halted, or returned more than 64 KiB. */
export type Asked =
  | { readonly kind: 'returned'; readonly data: Hex }
  | {
      readonly kind: 'failed';
      /** Null if the node gives none. */
      readonly revertData: Hex | null;
      readonly ranOutOfGas: boolean;
    };

/**
 * Runs code that a stranger chose (a wallet's contract, a payee, a split), without effects. Its gas and the length of
 * its answer are limited, the call is not repeated, and few are sent at a time. Throws `chain_unavailable`.
 */
export async function askStranger(
  { strangersClient }: Chain,
  { to, from, data, blockNumber, ...call }: StrangeCall,
): Promise<Asked> {
  try {
    const answer = await strangersClient.call({
      ...call,
      ...(data !== undefined && { data }),
      ...(to !== null && { to: toAddress(to) }),
      ...(from !== undefined && { account: toAddress(from) }),
      ...(blockNumber !== undefined && { blockNumber }),
    });
    return { kind: 'returned', data: answer.data ?? '0x' };
  } catch (error) {
    return failureIn(error) ?? reach(Promise.reject(error));
  }
}

/** The failure of the code that ran; null if the node failed. */
function failureIn(error: unknown): Asked | null {
  const revertData = revertDataIn(error);
  const words = wordsIn(error);
  const failed = revertData !== null || saysHalt(words) || findError(error, ExecutionRevertedError) !== null;
  return failed ? { kind: 'failed', revertData, ranOutOfGas: saysOutOfGas(words) } : null;
}

/** The revert data, from any error in the chain of causes. */
function revertDataIn(error: unknown): Hex | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { data } = cause as { data?: unknown };
    if (isHex(data)) return data;
    if (isHex((data as { data?: unknown } | undefined)?.data)) return (data as { data: Hex }).data;
  }
  return null;
}

/** What the node said, in an error or one of its causes. viem's own messages would contain the call as well. */
function wordsIn(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const { details } = error as { details?: unknown };
  return `${typeof details === 'string' ? details : ''} ${wordsIn(error.cause)}`;
}
