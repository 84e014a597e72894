import { defineEntity, p } from '@mikro-orm/core';
import type { Wallet } from '../core/wallet.ts';
import { columnsOf, type TableOf } from '../platform/database.ts';

const LoginNonceSchema = defineEntity({
  name: 'LoginNonce',
  tableName: 'login_nonces',
  properties: {
    nonce: p.text().primary(),
    wallet: p.text().$type<Wallet>(),
    host: p.text(),
    issuedAt: p.bigint('number'),
    expiresAt: p.bigint('number').index(),
  },
});

/** A login challenge that waits for its signature. It is deleted on use, so it works once. */
export class LoginNonce extends LoginNonceSchema.class {}
LoginNonceSchema.setClass(LoginNonce);

export const LOGIN_NONCE_COLUMNS = columnsOf(LoginNonceSchema);

const SessionSchema = defineEntity({
  name: 'Session',
  tableName: 'sessions',
  indexes: [{ properties: ['wallet', 'createdAt'] }],
  properties: {
    id: p.text().primary(),
    wallet: p.text().$type<Wallet>(),
    createdAt: p.bigint('number'),
    expiresAt: p.bigint('number'),
    revokedAt: p.bigint('number').nullable(),
  },
});

/** A signed-in wallet's session. Revoking the row ends it immediately, even if its token is valid. */
export class Session extends SessionSchema.class {}
SessionSchema.setClass(Session);

declare module '../platform/database.ts' {
  interface Database {
    LoginNonce: TableOf<typeof LoginNonceSchema>;
    Session: TableOf<typeof SessionSchema>;
  }
}
