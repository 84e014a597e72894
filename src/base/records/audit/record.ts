import { randomBytes } from 'node:crypto';
import type { Wallet } from '../../core/wallet.ts';
import type { Deps } from '../../platform/deps.ts';
import { jsonb, query } from '../../platform/postgres/query.ts';
import type { UnitOfWork } from '../../platform/unit-of-work.ts';
import type { AuditAction, AuditObject } from './actions.ts';
import { type PersonalData, PLATFORM } from './audit-entry.entity.ts';
import { digestOfPersonal, FIRST_HASH, hashOf } from './canonical.ts';
import { changedFields, withoutPersonal } from './fields.ts';

/** What recording a change needs. `origin` says who makes it. */
export type AuditDeps = Pick<Deps, 'bus' | 'clock' | 'origin'>;

/** What a change needs that is recorded with it, in a transaction of its own. */
export type WritingDeps = AuditDeps & Pick<Deps, 'db'>;

/**
 * The fields of an object before and after a change; of these only those that differ are stored. Null, or left out: it
 * did not, or does not, exist.
 */
export interface AuditedFields {
  readonly before?: object | null;
  readonly after?: object | null;
}

/** The bus channel that announces new entries of a merchant. */
export const auditChannel = (merchant: Wallet): string => `audit.${merchant}`;

/** Locks the end of a chain until the transaction ends; begins a chain if there is none. */
const LOCK = query('audit-head-lock', (db, $: { merchant: Wallet }) =>
  db
    .insertInto('AuditHead')
    .values({ merchant: $.merchant, position: 0, hash: FIRST_HASH, loggedPosition: 0 })
    .onConflict((known) => known.column('merchant').doUpdateSet((eb) => ({ merchant: eb.ref('excluded.merchant') })))
    .returning(['position', 'hash']),
);
const ADVANCE = query('audit-head-advance', (db, $: { merchant: Wallet; position: number; hash: string }) =>
  db.updateTable('AuditHead').set({ position: $.position, hash: $.hash }).where('merchant', '=', $.merchant),
);

/**
 * Records a change in the audit log, in the transaction that makes it. Nothing is recorded if no field differs. Call it
 * last: the merchant's chain is locked from here to the end of the transaction, which keeps its numbers without gaps.
 *
 * @example
 * await recordAudit(deps, uow, merchant, 'key.issued', ['key', id], { after: auditedKey(key) });
 *
 * @param merchant whose log it belongs to: a merchant's, or the platform's
 * @param object what is changed: its kind and its id
 */
export async function recordAudit(
  deps: AuditDeps,
  uow: UnitOfWork,
  merchant: Wallet,
  action: AuditAction,
  [objectType, objectId]: readonly [AuditObject, string],
  { before: old = null, after: present = null }: AuditedFields,
): Promise<void> {
  const changed = changedFields(old, present);
  if (changed === null) return;
  const [salt, valuesSalt] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')];
  const { actor, address, userAgent } = deps.origin;
  const values: Record<string, string> = {};
  const before = withoutPersonal(changed.before, valuesSalt, values);
  const after = withoutPersonal(changed.after, valuesSalt, values);
  const personal: PersonalData = { address, userAgent, values, valuesSalt };
  const [head] = await uow.run(LOCK, { merchant });
  const hashed = {
    merchant,
    position: head!.position + 1,
    at: deps.clock(),
    actor,
    action,
    objectType,
    objectId,
    before,
    after,
    personalDigest: digestOfPersonal(salt, personal),
    previousHash: head!.hash,
  };
  const hash = hashOf(hashed);
  await uow.db
    .insertInto('AuditEntry')
    .values({
      ...hashed,
      before: before && jsonb(before),
      after: after && jsonb(after),
      personal: personal && jsonb(personal),
      salt,
      hash,
    })
    .execute();
  await uow.run(ADVANCE, { merchant, position: hashed.position, hash });
  uow.afterCommit(() => deps.bus.publish(auditChannel(merchant), ''));
}

/**
 * Records an action of the operator that is not a single transaction, in the audit log of the platform.
 */
export const recordOperation = (
  deps: WritingDeps,
  action: AuditAction,
  object: readonly [AuditObject, string],
  parameters: object,
): Promise<void> =>
  deps.db.transaction((uow) => recordAudit(deps, uow, PLATFORM, action, object, { after: parameters }));
