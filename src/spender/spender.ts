import { type ChargingSettings, chargerAddress } from '../chain/charger.ts';
import type { Chain } from '../chain/client.ts';
import { defaultSpendPermissionManager } from '../chain/spend-permissions.ts';
import { refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';

/** The contracts that a spend permission involves. */
export interface Spending {
  /** The spend permission manager, in whose domain permissions are signed. */
  readonly manager: Wallet;
  /** Our charging contract, which permissions name as their spender. */
  readonly spender: Wallet;
}

const known = new WeakMap<ChargingSettings, Spending>();

/** The contracts that this server's spend permissions involve. Refuses with `spender_not_configured`. */
export function spenderOf({
  settings,
  chain,
}: {
  settings: ChargingSettings;
  chain: Pick<Chain, 'chainId'>;
}): Spending {
  const found = known.get(settings);
  if (found) return found;
  const manager = settings.spendPermissionManager ?? defaultSpendPermissionManager(chain.chainId);
  const spender = chargerAddress({ ...settings, spendPermissionManager: manager });
  if (manager === null || spender === null) throw refuse('spender_not_configured');
  const made = { manager, spender };
  known.set(settings, made);
  return made;
}
