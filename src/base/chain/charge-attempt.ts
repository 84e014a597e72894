import { decodeErrorResult, type Hex, parseAbi } from 'viem';
import type { Wallet } from '../core/wallet.ts';
import { askStranger } from './ask-stranger.ts';
import { type ChargeCall, chargerAbi, chargeTransaction } from './charger.ts';
import type { Chain } from './client.ts';

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
  let refusal: Attempt | null = null;
  for (const { simulated, limit } of GAS) {
    const asked = await askStranger(chain, { from: owner, to, data, gas: simulated });
    if (asked.kind === 'returned') return { kind: 'ready', gas: limit };
    refusal = refusalOf(asked.revertData);
  }
  return refusal!;
}

/** An account may revert with any text. */
const REASON_CHARACTERS = 200;

/** The refusal that the contract's code reverted with. */
function refusalOf(data: Hex | null): Attempt {
  const refused = (error: string, reason: string, args: readonly unknown[] = []): Attempt => ({
    kind: 'refused',
    error,
    args,
    reason,
  });
  if (data === null || data === '0x') return refused('unknown', 'reverted without a reason');
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi: knownErrors, data });
    return refused(errorName, errorName === 'Error' ? String(args[0]).slice(0, REASON_CHARACTERS) : errorName, args);
  } catch {
    return refused('unknown', `reverted with ${data.slice(0, 74)}`);
  }
}
