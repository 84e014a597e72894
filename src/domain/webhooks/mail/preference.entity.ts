import { defineEntity, p } from '@mikro-orm/core';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { TableOf } from '../../../base/platform/postgres/database.ts';
import type { Notice } from './kinds.ts';

/** Where a member of a merchant wants notices, and which. None is sent before the address is confirmed. */
export const MailPreferenceSchema = defineEntity({
  name: 'MailPreference',
  tableName: 'mail_preferences',
  properties: {
    merchant: p.text().$type<Wallet>().primary(),
    wallet: p.text().$type<Wallet>().primary(),
    email: p.text(),
    language: p.text(),
    notices: p.array().$type<Notice[]>().columnType('text[]'),
    /** When its owner confirmed the address by the link that was sent there; null before. */
    confirmedAt: p.bigint('number').nullable(),
    updatedAt: p.bigint('number'),
  },
});

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    MailPreference: TableOf<typeof MailPreferenceSchema>;
  }
}
