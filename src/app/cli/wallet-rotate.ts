import { planRotation, type RotationPlan } from '../../domain/operations/operators/rotation.ts';
import { counted } from './counted.ts';
import { withDeps } from './open-deps.ts';
import { print } from './print.ts';

/** `quittance wallet rotate --plan`: what a change of the signing keys would leave behind. Changes nothing. */
export async function walletRotate({ json }: { json?: boolean }): Promise<void> {
  const plan = await withDeps(planRotation);
  print(plan, json, linesOf(plan));
}

const transactions = (count: number) => counted(count, 'transaction waits', 'transactions wait');

function linesOf({ wallets, spender, permissions, lost, waiting }: RotationPlan): string[] {
  const waitingOf = (address: string, chainId: number) =>
    waiting
      .filter((one) => one.sender === address && one.chainId === chainId)
      .reduce((sum, one) => sum + one.waiting, 0);
  const own = new Set(wallets.map(({ address }) => address));
  return [
    ...wallets.map(
      ({ chainId, role, address, balance }) =>
        `${role} ${address} on chain ${chainId}: ${balance ?? 'an unknown number of'} native coins, ${transactions(waitingOf(address, chainId))}`,
    ),
    ...permissions.map(
      (one) =>
        `${counted(one.permissions, 'permission names', 'permissions name')} ${one.spender}${one.spender === spender ? ', the contract of SPENDER_PRIVATE_KEY' : ''}`,
    ),
    ...waiting
      .filter(({ sender }) => !own.has(sender))
      .map(
        (one) =>
          `${counted(one.waiting, 'transaction', 'transactions')} of ${one.sender} on chain ${one.chainId} ${one.waiting === 1 ? 'waits, and needs' : 'wait, and need'} its key`,
      ),
    lost > 0
      ? `${counted(lost, 'permission', 'permissions')} cannot be charged with the configured keys: add the key that SPENDER_PRIVATE_KEY has replaced to SPENDER_PREVIOUS_KEYS.`
      : 'Every permission can be charged with the configured keys.',
  ];
}
