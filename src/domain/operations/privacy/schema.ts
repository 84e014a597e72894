import { merchantOf } from '../../../base/core/caller.ts';
import { parseInput } from '../../../base/core/input.ts';
import { builder, throughParent } from '../../../base/graphql/builder.ts';
import { audits } from '../../../base/records/audit/writes.ts';
import { buyerInput } from './buyer.input.ts';
import { type ErasedBuyer, eraseBuyer } from './erase-buyer.ts';

const ErasedBuyerType = builder.objectRef<ErasedBuyer>('ErasedBuyer').implement({
  description: 'What was erased, in numbers.',
  ...throughParent,
  fields: (t) => ({
    receipts: t.exposeInt('receipts', { description: 'Receipts that held personal data.' }),
    events: t.exposeInt('events', { description: 'Kept events about these receipts.' }),
    deliveries: t.exposeInt('deliveries', { description: 'Kept deliveries of webhooks about these receipts.' }),
    auditEntries: t.exposeInt('auditEntries', { description: 'Entries of the audit log that named the buyer.' }),
  }),
});

const BuyerInput = builder.inputType('BuyerInput', {
  description: 'A buyer.',
  isOneOf: true,
  fields: (t) => ({
    email: t.string({ description: 'The e-mail address of the buyer’s receipts, in any case.' }),
    wallet: t.field({ type: 'Wallet', description: 'The wallet that paid.' }),
  }),
});

builder.mutationFields((t) => ({
  eraseBuyer: t.field({
    ...audits('others', 'buyer.erased'),
    type: ErasedBuyerType,
    authScopes: { maySign: 'privacy' },
    description:
      'Erases the personal data of one buyer for good: billing addresses, `metadata` and return addresses of the receipts, and their copies in events, deliveries and the audit log. Amounts, lines, wallets and transactions stay.',
    args: { buyer: t.arg({ type: BuyerInput, required: true, description: 'The buyer.' }) },
    resolve: (_, { buyer }, ctx) => eraseBuyer(ctx, merchantOf(ctx.caller), parseInput(buyerInput, buyer)),
  }),
}));
