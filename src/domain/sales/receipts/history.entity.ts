import { defineEntity, type Opt, p } from '@mikro-orm/core';
import type { Generated } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { TableOf } from '../../../base/platform/postgres/database.ts';
import type { ReceiptStatus } from './lifecycle.ts';

/**
 * `status`: the money moved. `tracking`: the buyer's browser reported something. `note`: a remark that moves no money.
 */
export type EventKind = 'status' | 'tracking' | 'note';

const HistoryRowSchema = defineEntity({
  name: 'HistoryRow',
  tableName: 'receipt_history',
  indexes: [
    {
      name: 'receipt_history_stream',
      expression: 'create index receipt_history_stream on receipt_history (merchant, txid, position)',
    },
  ],
  properties: {
    merchant: p.text().$type<Wallet>().primary(),
    receiptId: p.text().primary(),
    seq: p.integer().primary(),
    kind: p.text().$type<EventKind>(),
    /** The receipt's status after this row. */
    status: p.text().$type<ReceiptStatus>(),
    previousStatus: p.text().$type<ReceiptStatus>().nullable(),
    /** What was reported or noted; null on rows of kind `status`. */
    name: p.text().nullable(),
    actor: p.text(),
    detail: p.json().$type<Record<string, unknown>>().nullable(),
    at: p.bigint('number'),
    /**
     * A merchant's stream is read in the order of (txid, position), up to the oldest open transaction, so no row is
     * missed.
     */
    position: p.bigint('string').$type<Opt<string>>().columnType('bigint').generated('identity'),
    txid: p.bigint('string').columnType('xid8').defaultRaw('pg_current_xact_id()'),
  },
});

/** One row of a receipt's history: every change of status or tracking, in order. */
export class HistoryRow extends HistoryRowSchema.class {}
HistoryRowSchema.setClass(HistoryRow);

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    /** PostgreSQL generates the position. */
    HistoryRow: Omit<TableOf<typeof HistoryRowSchema>, 'position'> & { position: Generated<string> };
  }
}
