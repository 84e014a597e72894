import { defineEntity, p } from '@mikro-orm/core';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { TableOf } from '../../../base/platform/postgres/database.ts';

const ReceiptAddressSchema = defineEntity({
  name: 'ReceiptAddress',
  tableName: 'receipt_addresses',
  indexes: [{ properties: ['merchant', 'receiptId', 'number'] }],
  properties: {
    address: p.text().$type<Wallet>().primary(),
    merchant: p.text().$type<Wallet>(),
    receiptId: p.text(),
    /** 0 for the receipt's first address. */
    number: p.integer(),
    /** The contract that makes the forwarder at the address. */
    factory: p.text().$type<Wallet>(),
    /** Where the forwarder sends what arrives. */
    split: p.text().$type<Wallet>(),
    /** The only chain where it may be paid, because the split has code only there; null: every chain. */
    onlyChainId: p.bigint('number').nullable(),
    /** The receipt's `createdAt`, which the address is made of; epoch ms. */
    createdAt: p.bigint('number'),
  },
});

/**
 * An address of one receipt. The only code that can ever stand there sends what it holds to the split. It is stored
 * with all that it is computed from, and never changes or goes as long as money may arrive there.
 */
export class ReceiptAddress extends ReceiptAddressSchema.class {}
ReceiptAddressSchema.setClass(ReceiptAddress);

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    ReceiptAddress: TableOf<typeof ReceiptAddressSchema>;
  }
}
