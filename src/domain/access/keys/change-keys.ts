import { z } from 'zod';
import { refuse } from '../../../base/core/errors.ts';
import { clearable, parseInput } from '../../../base/core/input.ts';
import { neededForScopes } from '../../../base/core/roles.ts';
import { label } from '../../../base/core/text.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { type Repeatable, withSealedAnswer } from '../../../base/platform/idempotency.ts';
import { notify } from '../../../base/platform/pg-notifications.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { type AuditDeps, recordAudit, type WritingDeps } from '../../../base/records/audit/record.ts';
import { lockIssuer, requireCovered } from '../../shop/merchants/issuer.ts';
import { type ApiKey, KEY_COLUMNS } from './api-key.entity.ts';
import { forgetKeys, KEYS_CHANNEL } from './find.ts';
import { addKey, auditedKey, type IssuedKey } from './issue.ts';
import { addressesInput, originsInput } from './key-limits.ts';

/** The properties of a key to change. Omitted ones stay; null clears one. */
export interface KeyChange {
  readonly label?: string | null;
  readonly origins?: readonly string[] | null;
  readonly addresses?: readonly string[] | null;
}

const changeSchema = z.object({
  label: clearable(label),
  origins: clearable(originsInput),
  addresses: clearable(addressesInput),
});

/**
 * Changes the label and the limits of a key. The limits count from the next request or connection on, in every process.
 * Errors: `not_found`, `invalid_input` (also for a key that has ended).
 *
 * Refused with `forbidden` if a scope of the key exceeds the role of the member who changes its limits.
 *
 * @param by the member who changes it
 */
export async function updateKey(
  deps: WritingDeps,
  choice: Required<KeyChoice>,
  given: KeyChange,
  by: Wallet,
): Promise<void> {
  const change = parseInput(changeSchema, given);
  await deps.db.transaction(async (uow) => {
    const limits = change.origins !== undefined || change.addresses !== undefined;
    const role = limits ? await lockIssuer(uow, choice.merchant, by) : null;
    const key = await lockKey(uow, choice);
    requireCovered(role, neededForScopes(key.scopes));
    requireUnended(key, deps.clock());
    const before = auditedKey(key);
    const changed = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    await changeKey(deps.db, uow, key, changed);
    await recordAudit(deps, uow, key.merchant, 'key.changed', ['key', key.id], {
      before,
      after: auditedKey({ ...key, ...changed }),
    });
  });
}

/** How long a replaced key works by default, and at most. */
export const OVERLAP_HOURS = 24;
export const OVERLAP_HOURS_MAX = 168;

const wanted = `must be a whole number from 0 to ${OVERLAP_HOURS_MAX}`;
export const rotationInput = z.object({
  overlapHours: z
    .int({ error: wanted })
    .min(0, { error: wanted })
    .max(OVERLAP_HOURS_MAX, { error: wanted })
    .nullish()
    .transform((hours) => hours ?? OVERLAP_HOURS),
});

interface Rotation {
  /** How long the replaced key still works, in milliseconds. By default it is revoked at once. */
  readonly overlapMs?: number;
  /** The member who rotates it and becomes the issuer of the new key. By default the operator does. */
  readonly issuer?: Wallet | null;
  /** The Idempotency-Key of a merchant's request. */
  readonly repeatable?: Repeatable | null;
}

/**
 * Issues a new key with the same properties and lifetime, one per Idempotency-Key, and ends the old one, at once or
 * after an overlap, in one transaction. The old key signs the webhooks of the receipts that it created, before and
 * after its end.
 *
 * Errors: `not_found`; `invalid_input` if the key has ended or was rotated already; `forbidden` if a scope exceeds the
 * issuer's role.
 */
export async function rotateKey(
  deps: AuditDeps & Pick<Deps, 'db' | 'settings'>,
  choice: KeyChoice,
  { overlapMs = 0, issuer = null, repeatable = null }: Rotation = {},
): Promise<IssuedKey> {
  const { merchant: owner } = choice;
  const rotate = async (uow: UnitOfWork) => {
    const role = choice.merchant ? await lockIssuer(uow, choice.merchant, issuer) : null;
    const old = await lockKey(uow, choice);
    requireCovered(role, neededForScopes(old.scopes));
    const now = deps.clock();
    requireUnended(old, now);
    if (old.replacedBy != null)
      throw refuse('invalid_input', `This key was replaced by ${old.replacedBy}`, { reason: 'key_ended' });
    const { merchant, scopes, label, unlimited, trustedOnly, limits, origins, addresses } = old;
    const expiresAt = old.expiresAt == null ? null : now + (old.expiresAt - old.createdAt);
    const next = await addKey(deps, uow, {
      ...{ merchant, issuer, scopes, label, unlimited, trustedOnly, limits, origins, addresses, expiresAt },
      firstId: old.firstId ?? old.id,
    });
    const replacedBy = next.id;
    const ends = Math.min(old.expiresAt ?? Number.POSITIVE_INFINITY, now + overlapMs);
    if (overlapMs === 0) await endKey(deps.db, deps.clock(), uow, old, { replacedBy });
    else await changeKey(deps.db, uow, old, { replacedBy, expiresAt: ends });
    await recordAudit(deps, uow, merchant, 'key.rotated', ['key', old.id], {
      after: { replacedBy: next.id, overlapMs },
    });
    return next;
  };
  if (owner === undefined) return deps.db.transaction(rotate);
  return withSealedAnswer(deps, { merchant: owner, operation: 'rotateKey' }, repeatable, rotate);
}

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
export async function revokeKey(deps: WritingDeps, choice: KeyChoice): Promise<{ id: string; revokedAt: number }> {
  return deps.db.transaction(async (uow) => {
    const key = await lockKey(uow, choice);
    const { id, merchant } = key;
    if (key.revokedAt != null) return { id, revokedAt: key.revokedAt };
    const revokedAt = await endKey(deps.db, deps.clock(), uow, key);
    await recordAudit(deps, uow, merchant, 'key.revoked', ['key', id], {
      before: { revokedAt: null },
      after: { revokedAt },
    });
    return { id, revokedAt };
  });
}

/** The key's row, locked until the unit of work ends. Refuses with `not_found`. */
async function lockKey(uow: UnitOfWork, { id, merchant }: KeyChoice): Promise<ApiKey> {
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
function requireUnended({ revokedAt, expiresAt }: ApiKey, now: number): void {
  if (revokedAt !== null)
    throw refuse('invalid_input', 'This key is revoked: issue a new one', { reason: 'key_ended' });
  if (expiresAt != null && expiresAt <= now)
    throw refuse('invalid_input', 'This key has expired: issue a new one', { reason: 'key_ended' });
}

/** Marks a locked key as revoked in every process. Returns the time of the revocation. */
export async function endKey(
  db: Db,
  now: number,
  uow: UnitOfWork,
  key: ApiKey,
  change: KeyColumnsChange = {},
): Promise<number> {
  const revokedAt = now;
  await changeKey(db, uow, key, { ...change, revokedAt });
  return revokedAt;
}

/** Columns of a key that change after it was issued. */
type KeyColumnsChange = Partial<Omit<ApiKey, 'id' | 'merchant' | 'digest' | 'sealed' | 'limits'>>;

/** Changes a locked key, and has every process read it again. */
async function changeKey(db: Db, uow: UnitOfWork, key: ApiKey, change: KeyColumnsChange): Promise<void> {
  if (Object.keys(change).length > 0) await uow.db.updateTable('ApiKey').set(change).where('id', '=', key.id).execute();
  await notify(uow, KEYS_CHANNEL, key.digest);
  // This process must not wait for its own notification.
  uow.afterCommit(() => forgetKeys(db)(key.digest));
}
