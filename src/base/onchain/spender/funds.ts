import { readBalance } from '../../chain/balances.ts';
import type { BlockMark } from '../../chain/blocks.ts';
import type { Wallet } from '../../core/wallet.ts';
import { endAlert, isAlertDue } from '../../platform/alert-interval.ts';
import type { LaneDeps } from './spender.ts';
import type { SigningWallet } from './spender-key.ts';

/** Whether the wallet's native balance covers this much gas. Refuses with `chain_unavailable`. */
export async function canPay(
  { chain }: Pick<LaneDeps, 'chain'>,
  { sender }: Pick<SigningWallet, 'sender'>,
  gas: bigint,
  { maxFeePerGas, head }: { readonly maxFeePerGas: bigint; readonly head: BlockMark },
): Promise<boolean> {
  return (await readBalance(chain, sender, null, head.number)) >= gas * maxFeePerGas;
}

interface AlertDeps {
  readonly log: LaneDeps['log'];
  readonly chain: Pick<LaneDeps['chain'], 'chainId'>;
}

/** A wallet has the same address on every chain, and a balance on each. */
const fundsOf = ({ chain }: Pick<AlertDeps, 'chain'>, sender: Wallet): string => `${chain.chainId} ${sender}`;

/**
 * Raises the alert `spender_out_of_funds` or `settlement_out_of_funds`, at most once an hour per process, chain and
 * wallet: every attempt finds the same balance.
 */
export function alertOutOfFunds({ log, chain }: AlertDeps, { role, sender }: SigningWallet): void {
  if (!isAlertDue(log, fundsOf({ chain }, sender))) return;
  const { chainId } = chain;
  log.error({ alert: `${role}_out_of_funds`, sender, chainId }, `${role} wallet cannot pay for its transactions`);
}

/** Records that the wallet could pay, so that the next shortage raises the alert again. */
export function fundsSufficed({ log, chain }: AlertDeps, { sender }: SigningWallet): void {
  endAlert(log, fundsOf({ chain }, sender));
}
