import type { Wallet } from '../../../base/core/wallet.ts';
import { countWaiting, type WaitingOf } from '../../../base/onchain/spender/count-sent.ts';
import { findSpender } from '../../../base/onchain/spender/spender.ts';
import { openSpenderKeys } from '../../../base/onchain/spender/spender-key.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { countPermissionSpenders, type PermissionsOf } from '../../recurring/subscriptions/permission-spenders.ts';
import { type GasWallet, readGasWallets } from './progress.ts';

/** What a change of the signing keys would leave behind. */
export interface RotationPlan {
  /** The wallets of the configured keys, with their native coins on every chain. */
  readonly wallets: readonly GasWallet[];
  /** The contract that charges with the configured key on the first chain; null without one. */
  readonly spender: Wallet | null;
  /** The permissions that are still charged, by the contract that they name. */
  readonly permissions: readonly PermissionsOf[];
  /** Those that no configured key can charge. */
  readonly lost: number;
  /** The transactions that are not final, by chain and wallet. */
  readonly waiting: readonly WaitingOf[];
}

type PlanDeps = Pick<Deps, 'db' | 'chain' | 'chains' | 'settings'>;

/** Reads what has to be empty before a key is replaced. Changes nothing. */
export async function planRotation(deps: PlanDeps): Promise<RotationPlan> {
  const spender = findSpender(deps)?.spender ?? null;
  const current = new Set(
    deps.chains
      .map((chain) => ({ ...deps, chain }))
      .filter((place) => findSpender(place) !== null)
      .flatMap((place) => openSpenderKeys(place).map(({ charger }) => charger.address)),
  );
  const [wallets, permissions, waiting] = await Promise.all([
    readGasWallets(deps),
    countPermissionSpenders(deps.db),
    countWaiting(deps.db),
  ]);
  return { wallets, spender, permissions, lost: lostOf(permissions, current), waiting };
}

const lostOf = (permissions: readonly PermissionsOf[], current: ReadonlySet<Wallet>): number =>
  permissions.filter(({ spender }) => !current.has(spender)).reduce((sum, one) => sum + one.permissions, 0);
