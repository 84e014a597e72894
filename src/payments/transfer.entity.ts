import { defineEntity, p } from '@mikro-orm/core';
import type { Wallet } from '../core/wallet.ts';

const TransferSchema = defineEntity({
  name: 'Transfer',
  tableName: 'transfers',
  indexes: [
    {
      name: 'transfers_canonical',
      expression:
        'create unique index transfers_canonical on transfers (chain_id, transaction_hash, log_index) where canonical',
    },
    {
      name: 'transfers_of_receipt',
      expression: 'create index transfers_of_receipt on transfers (merchant, receipt_id) where receipt_id is not null',
    },
    {
      name: 'transfers_to_split',
      expression:
        'create index transfers_to_split on transfers (chain_id, pay_to, token, block_number, log_index) where canonical',
    },
  ],
  properties: {
    chainId: p.bigint('number').primary(),
    blockHash: p.text().$type<`0x${string}`>().primary(),
    transactionHash: p.text().$type<`0x${string}`>().primary(),
    /** Counted within the block; the same transfer may have another after a reorg. */
    logIndex: p.integer().primary(),
    blockNumber: p.bigint('number'),
    blockTimeMs: p.bigint('number'),
    token: p.text(),
    sender: p.text().$type<Wallet>(),
    payTo: p.text().$type<Wallet>(),
    /** Base units. */
    amount: p.decimal('string').columnType('numeric(78,0)'),
    /** False once its block is no longer part of the chain. */
    canonical: p.boolean().default(true),
    /** The merchant whose split received it. */
    merchant: p.text().$type<Wallet>(),
    /** The receipt it pays, at most one, ever. */
    receiptId: p.text().nullable(),
    /** Why it pays none: `unknown_amount`, `duplicate`, `too_old`, …; null where it does. */
    unmatchedReason: p.text().nullable(),
    /** Who said where it belongs, where the chain alone did not. */
    assignedBy: p.text().nullable(),
    seenAt: p.bigint('number'),
  },
});

/** Money that arrived at a split, as one log of one block says. */
export class Transfer extends TransferSchema.class {}
TransferSchema.setClass(Transfer);
