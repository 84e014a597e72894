import { defineEntity, p } from '@mikro-orm/core';
import type { Selectable } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import { columnsOf, type Database, type TableOf } from '../../../base/platform/postgres/database.ts';

export const LoginNonceSchema = defineEntity({
  name: 'LoginNonce',
  tableName: 'login_nonces',
  properties: {
    nonce: p.text().primary(),
    wallet: p.text().$type<Wallet>(),
    host: p.text(),
    issuedAt: p.bigint('number'),
    expiresAt: p.bigint('number').index(),
    /** The session that the signature confirms; null for a login. */
    sessionId: p.text().nullable(),
  },
});

/** A challenge that waits for its signature. It is deleted on use, so it works once. */
export type LoginNonce = Selectable<Database['LoginNonce']>;

export const LOGIN_NONCE_COLUMNS = columnsOf(LoginNonceSchema);

/** A signed-in wallet's session. Revoking the row ends it immediately, even if its token is valid. */
export const SessionSchema = defineEntity({
  name: 'Session',
  tableName: 'sessions',
  indexes: [{ properties: ['wallet', 'createdAt'] }],
  properties: {
    id: p.text().primary(),
    wallet: p.text().$type<Wallet>(),
    /** The merchant that it acts for. Null: the one that is or will be registered under the wallet. */
    merchant: p.text().$type<Wallet>().nullable(),
    createdAt: p.bigint('number'),
    expiresAt: p.bigint('number'),
    revokedAt: p.bigint('number').nullable(),
    /** When the wallet last signed, as its login or to confirm the session. */
    confirmedAt: p.bigint('number').default(0),
    lastUsedAt: p.bigint('number').nullable(),
    /** The client's address at the login. */
    address: p.text().nullable(),
    userAgent: p.text().nullable(),
  },
});

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    LoginNonce: TableOf<typeof LoginNonceSchema>;
    Session: TableOf<typeof SessionSchema>;
  }
}
