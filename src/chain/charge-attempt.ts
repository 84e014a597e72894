import { decodeErrorResult, type Hex, isHex, parseAbi } from 'viem';
import type { Wallet } from '../core/wallet.ts';
import { toAddress } from './address.ts';
import { type ChargeCall, chargerAbi, chargeTransaction } from './charger.ts';
import { assertChainId, type Chain, reach } from './client.ts';

/** The most gas of a charge. The account's own code runs in it, and the spender pays for the gas. */
export const CHARGE_GAS_MAX = 1_500_000n;

/** The simulated result of a charge. `refused` names the contract's error, if it returned one. */
export type Attempt =
  | { readonly kind: 'ready'; readonly gas: bigint }
  | { readonly kind: 'refused'; readonly error: string; readonly args: readonly unknown[]; readonly reason: string };

const knownErrors = [...chargerAbi, ...parseAbi(['error Error(string reason)', 'error Panic(uint256 code)'])];

/**
 * The gas of a simulation, and the gas limit of the transaction. The limit is higher, because transactions before it
 * may change its cost; unused gas is not paid. Nearly all charges need less than half of the first amount. A simulation
 * with a fixed amount is one execution; a node's estimate takes eight.
 */
const GAS = [
  { simulated: 400_000n, limit: 500_000n },
  { simulated: 1_200_000n, limit: CHARGE_GAS_MAX },
] as const;

/** Simulates a charge on the latest block, without sending it. Throws `chain_unavailable`. */
export async function tryCharge(chain: Chain, charger: Wallet, owner: Wallet, charge: ChargeCall): Promise<Attempt> {
  const { to, data } = chargeTransaction(charger, charge);
  const call = { account: toAddress(owner), to: toAddress(to), data, blockTag: 'latest' } as const;
  let refusal: Attempt | null = null;
  for (const { simulated, limit } of GAS) {
    try {
      await chain.client.call({ ...call, gas: simulated });
      return { kind: 'ready', gas: limit };
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

/** The refusal by the contract's code; null if no code ran. */
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

/** The revert data, from any error in the chain of causes. */
function revertData(error: unknown): Hex | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { data } = cause as { data?: unknown };
    if (isHex(data)) return data;
    if (isHex((data as { data?: unknown } | undefined)?.data)) return (data as { data: Hex }).data;
  }
  return null;
}
