import type { Wallet } from '../../../base/core/wallet.ts';
import { countWaiting, type WaitingOf } from '../../../base/onchain/spender/count-sent.ts';
import { sealedTransactions } from '../../../base/onchain/spender/nonce-store.ts';
import { findSpender } from '../../../base/onchain/spender/spender.ts';
import { openSpenderKeys } from '../../../base/onchain/spender/spender-key.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Deps, Settings } from '../../../base/platform/deps.ts';
import { sealedAnswers } from '../../../base/platform/idempotency.ts';
import { readSealed, type SealedUse } from '../../../base/platform/sealed-values.ts';
import type { SealingKeys } from '../../../base/platform/secrets.ts';
import { renewKeyCheck } from '../../access/keys/check-secrets.ts';
import { sealedKeys } from '../../access/keys/signing.ts';
import { countPermissionSpenders, type PermissionsOf } from '../../recurring/subscriptions/permission-spenders.ts';
import { sealedSignatures } from '../../recurring/subscriptions/signature-encryption.ts';
import { sealedSecrets } from '../../webhooks/endpoints/secrets.ts';
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

/** Everything that is stored encrypted with `KEY_ENCRYPTION_KEY`. */
const SEALED = [sealedKeys, sealedSecrets, sealedSignatures, sealedTransactions, sealedAnswers];

/** Counts what is encrypted with `KEY_ENCRYPTION_KEY`, and with `KEY_ENCRYPTION_KEY_PREVIOUS`. Changes nothing. */
export async function readSealedUses(db: Db, keys: SealingKeys): Promise<SealedUse[]> {
  const uses: SealedUse[] = [];
  for (const values of SEALED) uses.push(await readSealed(db, keys, values));
  return uses;
}

/**
 * Encrypts with `KEY_ENCRYPTION_KEY` what `KEY_ENCRYPTION_KEY_PREVIOUS` encrypted, beside running servers. Afterwards
 * no server starts without the new key. May be run again, also after it was interrupted.
 *
 * @returns what it found; `previous` are the rows that it encrypted again
 */
export async function reEncrypt(db: Db, settings: Settings): Promise<SealedUse[]> {
  const uses: SealedUse[] = [];
  for (const values of SEALED) uses.push(await readSealed(db, settings, values, { reseal: true }));
  const left = await readSealedUses(db, settings);
  if (left.every(({ previous }) => previous === 0)) await renewKeyCheck(db, settings);
  return uses;
}
