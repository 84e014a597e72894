import { randomBytes } from 'node:crypto';
import type { Wallet } from '../../core/wallet.ts';
import type { Deps } from '../../platform/deps.ts';
import { jsonb } from '../../platform/postgres/jsonb.ts';
import { query } from '../../platform/postgres/query.ts';
import type { UnitOfWork } from '../../platform/unit-of-work.ts';
import type { AuditAction, AuditObject } from './actions.ts';
import type { PersonalData } from './audit-entry.entity.ts';
import { digestOfPersonal, FIRST_HASH, hashOf } from './canonical.ts';
import { changedFields, withoutPersonal } from './fields.ts';

/** What recording a change needs. `origin` says who makes it. */
export type AuditDeps = Pick<Deps, 'bus' | 'clock' | 'origin'>;

/** A change to record. */
export interface AuditedChange {
  /** Whose log it belongs to: a merchant's, or the platform's. */
  readonly merchant: Wallet;
  readonly action: AuditAction;
  /** What is changed: its kind and its id. */
  readonly object: readonly [AuditObject, string];
  /** Its fields before and after; of these only those that differ are stored. Null: it did not, or does not, exist. */
  readonly before: object | null;
  readonly after: object | null;
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
 */
export async function recordAudit(deps: AuditDeps, uow: UnitOfWork, change: AuditedChange): Promise<void> {
  const { merchant, action, object } = change;
  const [objectType, objectId] = object;
  const changed = changedFields(change.before, change.after);
  if (changed === null) return;
  const [salt, valuesSalt] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')];
  const { actor, address, userAgent } = deps.origin;
  const values: Record<string, string> = {};
  const before = withoutPersonal(changed.before, valuesSalt, values);
  const after = withoutPersonal(changed.after, valuesSalt, values);
  const personal: PersonalData = { address, userAgent, values, valuesSalt };
  const [head] = await uow.run(LOCK, { merchant });
  const hashed = {
    ...{ merchant, position: head!.position + 1, at: deps.clock(), actor, action, objectType, objectId },
    ...{ before, after, personalDigest: digestOfPersonal(salt, personal), previousHash: head!.hash },
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
