import { decodeErrorResult, type Hex, isHex, parseAbi } from 'viem';
import type { Wallet } from '../core/wallet.ts';
import { toAddress } from './address.ts';
import { type ChargeCall, chargerAbi, chargeTransaction } from './charger.ts';
import { assertChainId, type Chain, reach } from './client.ts';

/** No charge may use more: an account's own code runs in it, and what it burns the spender pays. */
export const CHARGE_GAS_MAX = 1_500_000n;

/** What would come of a charge now. `refused` names the contracts' own error where they gave one. */
export type Attempt =
  | { readonly kind: 'ready'; readonly gas: bigint }
  | { readonly kind: 'refused'; readonly error: string; readonly args: readonly unknown[]; readonly reason: string };

const knownErrors = [...chargerAbi, ...parseAbi(['error Error(string reason)', 'error Panic(uint256 code)'])];

/**
 * How much gas a charge is tried with, and then given: others may come first and change what it costs, and unused gas is not paid. Nearly all need less
 * than half of the first. Trying with a fixed amount is one execution; to have the node estimate it takes eight.
 */
const GAS = [
  { tried: 400_000n, given: 500_000n },
  { tried: 1_200_000n, given: CHARGE_GAS_MAX },
] as const;

/** Tries a charge out on the latest block, without sending it. Refuses with `chain_unavailable`. */
export async function tryCharge(chain: Chain, charger: Wallet, owner: Wallet, charge: ChargeCall): Promise<Attempt> {
  const { to, data } = chargeTransaction(charger, charge);
  const call = { account: toAddress(owner), to: toAddress(to), data, blockTag: 'latest' } as const;
  let refusal: Attempt | null = null;
  for (const { tried, given } of GAS) {
    try {
      await chain.client.call({ ...call, gas: tried });
      return { kind: 'ready', gas: given };
    } catch (error) {
      refusal = refusalIn(error);
      if (refusal) continue;
      await assertChainId(chain);
      return reach(Promise.reject(error));
    }
  }
  return refusal!;
}

const EXECUTION = /revert|out of ?gas|gas required exceeds|invalid ?(fe ?)?(opcode|jump)|stack ?(under|over)flow/i;

/** What the code that ran said; null where none ran. */
function refusalIn(error: unknown): Attempt | null {
  const data = revertData(error);
  if (data !== null && data !== '0x') {
    try {
      const { errorName, args = [] } = decodeErrorResult({ abi: knownErrors, data });
      const reason = errorName === 'Error' ? String(args[0]) : errorName;
      return { kind: 'refused', error: errorName, args, reason };
    } catch {
      return { kind: 'refused', error: 'unknown', args: [], reason: `reverted with ${data.slice(0, 74)}` };
    }
  }
  const text = error instanceof Error ? error.message : '';
  return EXECUTION.test(text)
    ? { kind: 'refused', error: 'unknown', args: [], reason: 'reverted without a reason' }
    : null;
}

/** The bytes that a revert carried, wherever in the chain of causes the node's answer is. */
function revertData(error: unknown): Hex | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { data } = cause as { data?: unknown };
    if (isHex(data)) return data;
    if (isHex((data as { data?: unknown } | undefined)?.data)) return (data as { data: Hex }).data;
  }
  return null;
}
