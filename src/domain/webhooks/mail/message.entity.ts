import { defineEntity, p } from '@mikro-orm/core';
import type { Selectable } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import { columnsOf, type Database, type TableOf } from '../../../base/platform/postgres/database.ts';
import type { MailKind } from './kinds.ts';
import type { MailState } from './state.ts';

/**
 * An e-mail. It holds neither its text nor an address: both are made from the records when it is sent, so that nothing
 * goes to a buyer who was erased, and nothing says what is not so any more.
 */
export const MailMessageSchema = defineEntity({
  name: 'MailMessage',
  tableName: 'mail_messages',
  indexes: [
    { name: 'mail_messages_log', properties: ['merchant', 'queuedAt', 'id'] },
    { name: 'mail_messages_of_subject', properties: ['merchant', 'subjectId'] },
    {
      name: 'mail_messages_refused',
      expression:
        'create index mail_messages_refused on mail_messages (merchant, refused_digest) where refused_digest is not null',
    },
  ],
  properties: {
    merchant: p.text().$type<Wallet>().primary(),
    /** A UUID derived from what it tells. The Message-ID is made from it. */
    id: p.text().primary(),
    kind: p.text().$type<MailKind>(),
    /** The receipt or the subscription; null for a notice to a member. */
    subjectId: p.text().nullable(),
    /** The member whom a notice is for. */
    member: p.text().$type<Wallet>().nullable(),
    state: p.text().$type<MailState>(),
    /** How often the server has taken it. */
    sent: p.integer().default(0),
    /** The last words of the server, or why it was not sent. */
    answer: p.text().nullable(),
    /** A digest of the address, if the server has refused it for good. */
    refusedDigest: p.text().nullable(),
    /** When it was enqueued, or enqueued again. */
    queuedAt: p.bigint('number'),
    finishedAt: p.bigint('number').nullable(),
  },
});

/**
 * How many messages within an hour the server has taken, and how many requests were asked for: of a merchant, of all
 * newcomers, and to a mailbox by its digest. An erasure leaves it, as it would be a way round the limits of a day.
 */
export const MailCountSchema = defineEntity({
  name: 'MailCount',
  tableName: 'mail_counts',
  indexes: [{ name: 'mail_counts_hours', properties: ['hour'] }],
  properties: {
    key: p.text().primary(),
    /** Hours since 1970. */
    hour: p.integer().primary(),
    sent: p.integer(),
    asked: p.integer(),
  },
});

/** All columns of a message, by property name. */
export const MAIL_COLUMNS = columnsOf(MailMessageSchema);

export type MailMessage = Selectable<Database['MailMessage']>;

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    MailCount: TableOf<typeof MailCountSchema>;
    MailMessage: TableOf<typeof MailMessageSchema>;
  }
}
