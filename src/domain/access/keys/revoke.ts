import { LockMode } from '@mikro-orm/core';
import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { notify } from '../../../base/platform/pg-notifications.ts';
import { inTransaction, type UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { type AuditDeps, recordAudit } from '../../../base/records/audit/record.ts';
import { ApiKey } from './api-key.entity.ts';
import { forgetKeys, KEYS_CHANNEL } from './find.ts';

/** Identifies a key. With `merchant`, the key must belong to that merchant. */
export interface KeyChoice {
  readonly id: string;
  readonly merchant?: Wallet;
}

/**
 * Revokes a key. It is refused in every process, but still signs webhooks of the receipts it created. Revoking again
 * succeeds and changes nothing.
 *
 * Errors: `not_found`.
 */
export async function revokeKey(
  deps: AuditDeps & Pick<Deps, 'orm' | 'sql'>,
  choice: KeyChoice,
): Promise<{ id: string; revokedAt: number }> {
  return inTransaction(deps, async (uow) => {
    const key = await lockKey(uow, choice);
    const { id, merchant } = key;
    if (key.revokedAt != null) return { id, revokedAt: key.revokedAt };
    const revokedAt = await endKey(deps, uow, key);
    await recordAudit(deps, uow, {
      ...{ merchant, action: 'key.revoked', object: ['key', id] },
      ...{ before: { revokedAt: null }, after: { revokedAt } },
    });
    return { id, revokedAt };
  });
}

/** The key's row, locked until the unit of work ends. Refuses with `not_found`. */
export async function lockKey(uow: UnitOfWork, { id, merchant }: KeyChoice): Promise<ApiKey> {
  const key = await uow.em.findOne(ApiKey, merchant === undefined ? { id } : { id, merchant }, {
    lockMode: LockMode.PESSIMISTIC_WRITE,
  });
  if (!key) throw refuse('not_found', 'No such key');
  return key;
}

/** Refuses a key that has ended with `invalid_input`. */
export function requireUnended({ revokedAt, expiresAt }: ApiKey, now: number): void {
  if (revokedAt !== null) throw refuse('invalid_input', 'This key is revoked: issue a new one');
  if (expiresAt != null && expiresAt <= now) throw refuse('invalid_input', 'This key has expired: issue a new one');
}

/** Marks a locked key as revoked and notifies every process. Returns the time of the revocation. */
export async function endKey(deps: Pick<Deps, 'sql' | 'clock'>, uow: UnitOfWork, key: ApiKey): Promise<number> {
  const now = deps.clock();
  key.revokedAt = now;
  await announceKey(deps, uow, key);
  return now;
}

/** Stores a locked key and has every process read it again. */
export async function announceKey(deps: Pick<Deps, 'sql'>, uow: UnitOfWork, key: ApiKey): Promise<void> {
  await uow.em.flush();
  await notify(uow, KEYS_CHANNEL, key.digest);
  // This process must not wait for its own notification.
  uow.afterCommit(() => forgetKeys(deps)(key.digest));
}
