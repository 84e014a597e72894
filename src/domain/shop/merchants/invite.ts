import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { refuse } from '../../../base/core/errors.ts';
import { newId } from '../../../base/core/ids.ts';
import { text } from '../../../base/core/text.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { repeatableOf, withSealedAnswer } from '../../../base/platform/idempotency.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { sha256 } from '../../../base/platform/secrets.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { PLATFORM } from '../../../base/records/audit/audit-entry.entity.ts';
import { type AuditDeps, recordAudit } from '../../../base/records/audit/record.ts';

const HOUR_MS = 3_600_000;
/** How long a code is valid, in hours: a week, at most 90 days. */
const HOURS = 168;
const MAX_HOURS = 2_160;
const HOURS_WANTED = `must be a whole number from 1 to ${MAX_HOURS}`;
const MAX_NOTE = 500;

/** The properties of a code. */
export const inviteInput = z.object({
  hours: z
    .int({ error: HOURS_WANTED })
    .min(1, { error: HOURS_WANTED })
    .max(MAX_HOURS, { error: HOURS_WANTED })
    .nullish()
    .transform((hours) => hours ?? HOURS),
  note: text(MAX_NOTE)
    .nullish()
    .transform((note) => note ?? ''),
});

/** A new code. It is returned only here. */
export interface IssuedInvite {
  readonly id: string;
  readonly code: string;
  readonly expiresAt: number;
}

/**
 * Issues a code with which one wallet may register a merchant. Only its digest is stored.
 *
 * @param by.key the Idempotency-Key of the admin, which gives the same code again
 */
export function inviteMerchant(
  deps: AuditDeps & Pick<Deps, 'db' | 'settings'>,
  { hours, note }: z.output<typeof inviteInput>,
  { by, key }: { readonly by: Wallet; readonly key: string | null } = { by: PLATFORM, key: null },
): Promise<IssuedInvite> {
  const now = deps.clock();
  const id = newId('inv', now);
  const code = `qm_${randomBytes(18).toString('base64url')}`;
  const expiresAt = now + hours * HOUR_MS;
  const place = { merchant: by, operation: 'inviteMerchant' };
  return withSealedAnswer(deps, place, repeatableOf(key, { hours, note }), async (uow) => {
    await uow.db
      .insertInto('MerchantInvite')
      .values({ id, digest: sha256(code), note, createdAt: now, expiresAt, usedAt: null, usedBy: null })
      .execute();
    await recordAudit(deps, uow, PLATFORM, 'merchant.invited', ['invite', id], { after: { note, expiresAt } });
    return { id, code, expiresAt };
  });
}

/** Uses a code up. Of two registrations with one code, the second is refused with `invalid_input`, as unknown ones. */
export async function useInvite(uow: UnitOfWork, code: string, wallet: Wallet, now: number): Promise<void> {
  const used = await uow.db
    .updateTable('MerchantInvite')
    .set({ usedAt: now, usedBy: wallet })
    .where('digest', '=', sha256(code))
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .returning('id')
    .executeTakeFirst();
  if (!used) throw refuse('invalid_input', 'code is unknown, used or expired', { field: 'code', reason: 'invitation' });
}

/** Deletes the codes to register a merchant that expired before a time, epoch ms. They are few. */
export const DELETE_INVITES = query('merchant-invites-delete', (db, $: { before: number }) =>
  db.deleteFrom('MerchantInvite').where('expiresAt', '<', $.before).returning('id'),
);
