import { defineEntity, p } from '@mikro-orm/core';
import type { Recipient } from '../../../base/core/shares.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { TableOf } from '../../../base/platform/postgres/database.ts';

const SplitSchema = defineEntity({
  name: 'Split',
  tableName: 'splits',
  uniques: [{ properties: ['chainId', 'address'] }],
  indexes: [
    { properties: ['chainId', 'txid'] },
    {
      name: 'splits_undeployed',
      expression: 'create index splits_undeployed on splits (chain_id, created_at) where not deployed and verified',
    },
    {
      name: 'splits_recipients',
      expression: 'create index splits_recipients on splits using gin (recipients jsonb_path_ops)',
    },
    {
      name: 'splits_active',
      expression: `create unique index splits_active on splits (merchant, chain_id) where replaced_at is null`,
    },
  ],
  properties: {
    merchant: p.text().$type<Wallet>().primary(),
    id: p.text().primary(),
    chainId: p.bigint('number'),
    address: p.text().$type<Wallet>(),
    recipients: p.json().$type<Recipient[]>(),
    /** CREATE2 salt and full init code of a splitter of ours; null if the merchant gave the address. */
    salt: p.text().$type<`0x${string}`>().nullable(),
    initCode: p.text().$type<`0x${string}`>().nullable(),
    /**
     * Whether it is (or will be, once deployed) a splitter with these shares. An unverified one never completes a
     * receipt.
     */
    verified: p.boolean(),
    deployed: p.boolean().default(false),
    /** Whether it was needed on the chain: a buyer was to pay it in native coins, or its shares were to be released. */
    deployRequested: p.boolean().default(false),
    /** The head at configuration; earlier payments to it do not count. */
    createdBlock: p.bigint('number'),
    createdAt: p.bigint('number'),
    /**
     * The transaction that wrote it. The watcher reads splits in this order: the clocks of their writers may differ.
     */
    txid: p.bigint('string').columnType('xid8').defaultRaw('pg_current_xact_id()'),
    /** When it was replaced. It stays watched. */
    replacedAt: p.bigint('number').nullable(),
  },
});

/** A split contract that receives a merchant's payments. */
export class Split extends SplitSchema.class {}
SplitSchema.setClass(Split);

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    Split: TableOf<typeof SplitSchema>;
  }
}
