import { defineEntity, p } from '@mikro-orm/core';
import type { Selectable } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { TableOf } from '../../../base/platform/postgres/database.ts';
import type { AuthorizationState } from './lifecycle.ts';

const PaymentAuthorizationSchema = defineEntity({
  name: 'PaymentAuthorization',
  tableName: 'payment_authorizations',
  indexes: [
    { properties: ['merchant', 'receiptId', 'createdAt'] },
    {
      name: 'payment_authorizations_open',
      expression: `create unique index payment_authorizations_open on payment_authorizations (merchant, receipt_id) where state in ('sent', 'mined')`,
    },
  ],
  properties: {
    chainId: p.bigint('number').primary().autoincrement(false),
    /** Symbol. */
    token: p.text().primary(),
    /** The owner of the money, who signed. */
    payer: p.text().$type<Wallet>().primary(),
    /** 32 bytes; the token accepts each nonce of an owner once. */
    nonce: p.text().$type<`0x${string}`>().primary(),
    merchant: p.text().$type<Wallet>(),
    receiptId: p.text(),
    payTo: p.text().$type<Wallet>(),
    /** Base units. */
    amount: p.decimal('string').columnType('numeric(78,0)').$type<string>(),
    /** Unix seconds from which the token refuses it. */
    validBefore: p.bigint('number'),
    state: p.text().$type<AuthorizationState>(),
    /** The transaction that carried it out; before that, the one that was sent for it. */
    transactionHash: p.text().$type<`0x${string}`>(),
    createdAt: p.bigint('number'),
    updatedAt: p.bigint('number'),
  },
});

/** A transfer that a buyer has signed and this server sends (EIP-3009), bound to the receipt that it pays. */
export class PaymentAuthorization extends PaymentAuthorizationSchema.class {}
PaymentAuthorizationSchema.setClass(PaymentAuthorization);

/** A stored authorization. */
export type AuthorizationRow = Readonly<Selectable<TableOf<typeof PaymentAuthorizationSchema>>>;

/** The columns of a stored authorization. */
export const AUTHORIZATION_FIELDS = Object.keys(
  PaymentAuthorizationSchema.properties,
) as readonly (keyof AuthorizationRow)[];

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    PaymentAuthorization: TableOf<typeof PaymentAuthorizationSchema>;
  }
}
