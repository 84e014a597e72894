import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { notify } from '../../../base/platform/pg-notifications.ts';
import { inTransaction, type UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { type AuditDeps, recordAudit } from '../../../base/records/audit/record.ts';
import { type ApiKey, KEY_COLUMNS } from './api-key.entity.ts';
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
    await recordAudit(deps, uow, merchant, 'key.revoked', ['key', id], {
      before: { revokedAt: null },
      after: { revokedAt },
    });
    return { id, revokedAt };
  });
}

/** The key's row, locked until the unit of work ends. Refuses with `not_found`. */
export async function lockKey(uow: UnitOfWork, { id, merchant }: KeyChoice): Promise<ApiKey> {
  const key = await uow.db
    .selectFrom('ApiKey')
    .select(KEY_COLUMNS)
    .where((eb) => eb.and(merchant === undefined ? { id } : { id, merchant }))
    .forUpdate()
    .executeTakeFirst();
  if (!key) throw refuse('not_found', 'No such key');
  return key;
}

/** Refuses a key that has ended with `invalid_input`. */
export function requireUnended({ revokedAt, expiresAt }: ApiKey, now: number): void {
  if (revokedAt !== null) throw refuse('invalid_input', 'This key is revoked: issue a new one');
  if (expiresAt != null && expiresAt <= now) throw refuse('invalid_input', 'This key has expired: issue a new one');
}

/** Marks a locked key as revoked in every process. Returns the time of the revocation. */
export async function endKey(
  deps: Pick<Deps, 'sql' | 'clock'>,
  uow: UnitOfWork,
  key: ApiKey,
  change: KeyColumnsChange = {},
): Promise<number> {
  const revokedAt = deps.clock();
  await changeKey(deps, uow, key, { ...change, revokedAt });
  return revokedAt;
}

/** Columns of a key that change after it was issued. */
type KeyColumnsChange = Partial<Omit<ApiKey, 'id' | 'merchant' | 'digest' | 'sealed' | 'limits'>>;

/** Changes a locked key, and has every process read it again. */
export async function changeKey(
  deps: Pick<Deps, 'sql'>,
  uow: UnitOfWork,
  key: ApiKey,
  change: KeyColumnsChange,
): Promise<void> {
  if (Object.keys(change).length > 0) await uow.db.updateTable('ApiKey').set(change).where('id', '=', key.id).execute();
  await notify(uow, KEYS_CHANNEL, key.digest);
  // This process must not wait for its own notification.
  uow.afterCommit(() => forgetKeys(deps)(key.digest));
}
