import { defineEntity, p } from '@mikro-orm/core';
import type { Wallet } from '../../core/wallet.ts';
import type { TableOf } from '../../platform/postgres/database.ts';

const AuditHeadSchema = defineEntity({
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

/** The end of a merchant's chain of entries. Its row is locked while an entry is added. */
export class AuditHead extends AuditHeadSchema.class {}
AuditHeadSchema.setClass(AuditHead);

declare module '../../platform/postgres/database.ts' {
  interface Database {
    AuditHead: TableOf<typeof AuditHeadSchema>;
  }
}
