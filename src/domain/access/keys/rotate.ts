import { z } from 'zod';
import { refuse } from '../../../base/core/errors.ts';
import { neededForScopes } from '../../../base/core/roles.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { type Repeatable, withSealedAnswer } from '../../../base/platform/idempotency.ts';
import { inTransaction, type UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { type AuditDeps, recordAudit } from '../../../base/records/audit/record.ts';
import { lockIssuer, requireCovered } from '../../shop/merchants/issuer.ts';
import { addKey, type IssuedKey } from './issue.ts';
import { changeKey, endKey, type KeyChoice, lockKey, requireUnended } from './revoke.ts';

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
  deps: AuditDeps & Pick<Deps, 'orm' | 'sql' | 'settings'>,
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
    if (old.replacedBy != null) throw refuse('invalid_input', `This key was replaced by ${old.replacedBy}`);
    const { merchant, scopes, label, unlimited, trustedOnly, limits, origins, addresses } = old;
    const expiresAt = old.expiresAt == null ? null : now + (old.expiresAt - old.createdAt);
    const next = await addKey(deps, uow, {
      ...{ merchant, issuer, scopes, label, unlimited, trustedOnly, limits, origins, addresses, expiresAt },
    });
    const replacedBy = next.id;
    const ends = Math.min(old.expiresAt ?? Number.POSITIVE_INFINITY, now + overlapMs);
    if (overlapMs === 0) await endKey(deps, uow, old, { replacedBy });
    else await changeKey(deps, uow, old, { replacedBy, expiresAt: ends });
    await recordAudit(deps, uow, merchant, 'key.rotated', ['key', old.id], {
      after: { replacedBy: next.id, overlapMs },
    });
    return next;
  };
  if (owner === undefined) return inTransaction(deps, rotate);
  return withSealedAnswer(deps, { merchant: owner, operation: 'rotateKey' }, repeatable, rotate);
}
