import { defineEntity, p } from '@mikro-orm/core';
import type { Wallet } from '../core/wallet.ts';
import type { TableOf } from '../platform/database.ts';
import type { Period } from './period.ts';

const PlanSchema = defineEntity({
  name: 'Plan',
  tableName: 'plans',
  indexes: [{ properties: ['merchant', 'createdAt'] }],
  properties: {
    merchant: p.text().$type<Wallet>().primary(),
    /** Made by the server; it opens the plan's page, so it is unique by itself. */
    id: p.text().primary().unique(),
    name: p.text(),
    description: p.text(),
    priceCents: p.bigint('number'),
    period: p.text().$type<Period>(),
    /** Whether it takes new subscriptions. */
    active: p.boolean().default(true),
    createdAt: p.bigint('number'),
    updatedAt: p.bigint('number'),
  },
});

/** What a merchant offers to be paid for again and again. */
export class Plan extends PlanSchema.class {}
PlanSchema.setClass(Plan);

declare module '../platform/database.ts' {
  interface Database {
    Plan: TableOf<typeof PlanSchema>;
  }
}
