import { defineEntity, p } from '@mikro-orm/core';
import type { Selectable } from 'kysely';
import type { Scope } from '../../../base/core/scopes.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { columnsOf, type Database, type TableOf } from '../../../base/platform/postgres/database.ts';

export const ApiKeySchema = defineEntity({
  name: 'ApiKey',
  tableName: 'api_keys',
  indexes: [{ properties: ['merchant', 'createdAt'] }],
  properties: {
    id: p.text().primary(),
    merchant: p.text().$type<Wallet>(),
    /** The member who issued it; null: the operator, or unknown. */
    issuer: p.text().$type<Wallet>().nullable(),
    label: p.text().nullable(),
    scopes: p.array().$type<Scope[]>().columnType('text[]'),
    /** Hex SHA-256 of the key, used to look it up. */
    digest: p.text().unique(),
    /** The key itself, encrypted, because it signs webhooks. */
    sealed: p.text(),
    unlimited: p.boolean().default(false),
    /** Over GraphQL it runs only documents of `TRUSTED_DOCUMENTS`. */
    trustedOnly: p.boolean().default(false),
    /** Rate limits of this key only, per category and minute. */
    limits: p.json().$type<Record<string, number>>().nullable(),
    createdAt: p.bigint('number'),
    revokedAt: p.bigint('number').nullable(),
    /** The first of the keys that were rotated into this one; null: this one is the first. */
    firstId: p.text().nullable(),
    /** The key that replaces it, if it was rotated. It works until it expires. */
    replacedBy: p.text().nullable(),
    /** When it stops working by itself; null: never. */
    expiresAt: p.bigint('number').nullable(),
    lastUsedAt: p.bigint('number').nullable(),
    /** The origins from which browsers may use it; null: all. */
    origins: p.array().$type<string[]>().columnType('text[]').nullable(),
    /** The addresses and networks (CIDR) from which it may be used; null: all. */
    addresses: p.array().$type<string[]>().columnType('text[]').nullable(),
  },
});

/** All columns of a key, by property name. */
export const KEY_COLUMNS = columnsOf(ApiKeySchema);

/** A developer's API key. A revoked key is refused but still signs webhooks of the receipts it created. */
export type ApiKey = Selectable<Database['ApiKey']>;

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    ApiKey: TableOf<typeof ApiKeySchema>;
  }
}
