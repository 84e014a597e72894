import { type ChargingSettings, chargerAddress } from '../../chain/charger.ts';
import type { Chain } from '../../chain/client.ts';
import { defaultSpendPermissionManager } from '../../chain/spend-permissions.ts';
import { refuse } from '../../core/errors.ts';
import { keptBy } from '../../core/kept.ts';
import type { Wallet } from '../../core/wallet.ts';
import type { Deps } from '../../platform/deps.ts';

/** The contracts that a spend permission involves. */
export interface Spending {
  /** The spend permission manager, in whose domain permissions are signed. */
  readonly manager: Wallet;
  /** Our charging contract, which permissions name as their spender. */
  readonly spender: Wallet;
}

/** The settings of the contracts: `spendPermissionManager` is that of the first chain. */
export interface SpendingSettings extends ChargingSettings {
  readonly chainId: number;
  /** The chains after the first, each with its own manager. */
  readonly furtherChains: readonly { readonly chainId: number; readonly spendPermissionManager: Wallet | null }[];
}

interface SpenderPlace {
  readonly settings: SpendingSettings;
  readonly chain: Pick<Chain, 'chainId'>;
}

const spendersOf = keptBy('spender contracts', (_settings: SpendingSettings) => new Map<number, Spending | null>());

/**
 * The contracts that spend permissions involve on the chain of this work; null if no manager is known there, or no key
 * is configured.
 */
export function findSpender({ settings, chain: { chainId } }: SpenderPlace): Spending | null {
  const known = spendersOf(settings);
  const found = known.get(chainId);
  if (found !== undefined) return found;
  const configured = [settings, ...settings.furtherChains].find(
    (one) => one.chainId === chainId,
  )?.spendPermissionManager;
  const manager = configured ?? defaultSpendPermissionManager(chainId);
  const spender = chargerAddress({ ...settings, spendPermissionManager: manager });
  const made = manager === null || spender === null ? null : { manager, spender };
  known.set(chainId, made);
  return made;
}

/** The contracts that spend permissions involve on the chain of this work. Refuses with `spender_not_configured`. */
export function spenderOf(place: SpenderPlace): Spending {
  const found = findSpender(place);
  if (!found) throw refuse('spender_not_configured');
  return found;
}

/** Dependencies of the lane: the code that signs, stores, sends and follows transactions. */
export type LaneDeps = Pick<Deps, 'db' | 'clock' | 'chain' | 'settings' | 'log'>;

/** Dependencies of the code that charges with the spender's transactions. */
export type SpenderDeps = LaneDeps & Pick<Deps, 'bus' | 'moneyOnItsWay'>;

/** Dependencies of the work of every chain: `chain` is the first one. */
export type SpendersDeps = SpenderDeps & Pick<Deps, 'chains'>;
