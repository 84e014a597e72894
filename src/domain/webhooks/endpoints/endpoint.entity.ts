import { defineEntity, p } from '@mikro-orm/core';
import type { Selectable } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Database, TableOf } from '../../../base/platform/postgres/database.ts';
import type { DisabledReason, EndpointState } from './state.ts';

/** A secret that was replaced, and until when it still signs, epoch ms. */
export interface PreviousSecret {
  readonly sealed: string;
  readonly until: number;
}

export const WebhookEndpointSchema = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoints',
  properties: {
    merchant: p.text().$type<Wallet>().primary(),
    id: p.text().primary(),
    /** The member who chose its address; null: the operator, or unknown. */
    issuer: p.text().$type<Wallet>().nullable(),
    /** The first key (`firstId`) of the program that registered it; null: a person did, or has taken it over. */
    keyId: p.text().nullable(),
    url: p.text(),
    description: p.text(),
    /** The events that it receives: kinds and wildcards. */
    kinds: p.array().$type<string[]>().columnType('text[]'),
    /** The secret, encrypted. */
    sealedSecret: p.text(),
    /** Newest first. */
    previousSecrets: p.json().$type<readonly PreviousSecret[]>(),
    state: p.text().$type<EndpointState>(),
    disabledReason: p.text().$type<DisabledReason>().nullable(),
    disabledAt: p.bigint('number').nullable(),
    /** It receives the events since then, epoch ms: when it was created or last enabled. */
    enabledAt: p.bigint('number'),
    /** The first failed attempt since the last success, epoch ms; null if there is none. */
    failingSince: p.bigint('number').nullable(),
    createdAt: p.bigint('number'),
    updatedAt: p.bigint('number'),
  },
});

/** An address at which a merchant receives events. */
export type WebhookEndpoint = Selectable<Database['WebhookEndpoint']>;

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    WebhookEndpoint: TableOf<typeof WebhookEndpointSchema>;
  }
}
