import { defineEntity, p } from '@mikro-orm/core';
import type { Selectable } from 'kysely';
import type { Wallet } from '../../core/wallet.ts';
import type { Database, TableOf } from '../../platform/postgres/database.ts';
import type { AuditAction, AuditObject } from './actions.ts';

/** The fields of an object before or after a change. */
export type AuditFields = Readonly<Record<string, unknown>>;

/** Personal data of an entry. It can be erased; the chain holds only salted digests of it. */
export interface PersonalData {
  /** Who acted. The entry's salt and digest belong to these two. */
  readonly address: string | null;
  readonly userAgent: string | null;
  /**
   * The personal values of `before` and `after`, by the salted digests that stand in their place. They name others than
   * the actor, and are erased by themselves. Missing once they are.
   */
  readonly values?: Readonly<Record<string, string>>;
  /** The salt of the values. Missing in entries of earlier versions, whose salt and digest cover everything. */
  readonly valuesSalt?: string;
}

/** The owner of the entries that concern no single merchant. */
export const PLATFORM = 'platform' as Wallet;

export const AuditEntrySchema = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entries',
  indexes: [
    {
      name: 'audit_entries_stream',
      expression: 'create index audit_entries_stream on audit_entries (merchant, txid, position)',
    },
  ],
  properties: {
    /** The merchant, or `platform`. */
    merchant: p.text().$type<Wallet>().primary(),
    /** Its number in the merchant's chain, from 1 and without gaps. */
    position: p.bigint('number').primary(),
    txid: p.bigint('string').columnType('xid8').defaultRaw('pg_current_xact_id()'),
    /** Epoch ms. */
    at: p.bigint('number'),
    actor: p.text(),
    action: p.text().$type<AuditAction>(),
    objectType: p.text().$type<AuditObject>(),
    objectId: p.text(),
    /** The changed fields; null for an object that was created. */
    before: p.json().$type<AuditFields>().nullable(),
    /** The changed fields; null for an object that was deleted. */
    after: p.json().$type<AuditFields>().nullable(),
    /** Null after it was erased. */
    personal: p.json().$type<PersonalData>().nullable(),
    salt: p.text().nullable(),
    personalDigest: p.text(),
    previousHash: p.text(),
    hash: p.text(),
  },
});

/** A change that the audit log records. */
export type AuditEntry = Selectable<Database['AuditEntry']>;

/** The end of a merchant's chain of entries. Its row is locked while an entry is added. */
export const AuditHeadSchema = defineEntity({
  name: 'AuditHead',
  tableName: 'audit_heads',
  properties: {
    merchant: p.text().$type<Wallet>().primary(),
    /** The number of the last entry. */
    position: p.bigint('number'),
    hash: p.text(),
    /** The number of the last entry that the log of the server names. */
    loggedPosition: p.bigint('number'),
  },
});

declare module '../../platform/postgres/database.ts' {
  interface Database {
    AuditEntry: TableOf<typeof AuditEntrySchema>;
    AuditHead: TableOf<typeof AuditHeadSchema>;
  }
}
