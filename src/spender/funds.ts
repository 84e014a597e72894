import { readBalance } from '../chain/balances.ts';
import type { BlockMark } from '../chain/blocks.ts';
import { endAlert, isAlertDue } from '../platform/alert-interval.ts';
import type { LaneDeps } from './deps.ts';
import type { SigningWallet } from './wallet.ts';

/** Whether the wallet's native balance covers this much gas. Refuses with `chain_unavailable`. */
export async function canPay(
  { chain }: Pick<LaneDeps, 'chain'>,
  { sender }: Pick<SigningWallet, 'sender'>,
  gas: bigint,
  { maxFeePerGas, head }: { readonly maxFeePerGas: bigint; readonly head: BlockMark },
): Promise<boolean> {
  return (await readBalance(chain, sender, null, head.number)) >= gas * maxFeePerGas;
}

/**
 * Raises the alert `spender_out_of_funds` or `settlement_out_of_funds`, at most once an hour per process and wallet:
 * every attempt finds the same balance.
 */
export function alertOutOfFunds({ log }: Pick<LaneDeps, 'log'>, { role, sender }: SigningWallet): void {
  if (!isAlertDue(log, sender)) return;
  log.error({ alert: `${role}_out_of_funds`, sender }, `${role} wallet cannot pay for its transactions`);
}

/** Records that the wallet could pay, so that the next shortage raises the alert again. */
export function fundsSufficed({ log }: Pick<LaneDeps, 'log'>, { sender }: SigningWallet): void {
  endAlert(log, sender);
}
