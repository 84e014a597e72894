import { builder, throughParent } from '../graphql/builder.ts';
import { countsAs, OUTSIDE_POINTS } from '../graphql/rate.ts';
import { type BatchReport, chargeDueSubscriptions } from './charge-batch.ts';
import { chargeSubscription } from './charge-one.ts';
import type { ChargeResult } from './charge-result.ts';

const ChargeResultType = builder.objectRef<ChargeResult>('ChargeResult').implement({
  ...throughParent,
  description: 'What has come of charging a subscription.',
  fields: (t) => ({
    subscriptionId: t.exposeID('subscriptionId', { description: 'Which one.' }),
    success: t.exposeBoolean('success', { description: 'Whether the money has moved.' }),
    chargeId: t.exposeID('chargeId', { nullable: true, description: 'The charge; null where none was made.' }),
    transactionHash: t.expose('transactionHash', {
      type: 'Hex',
      nullable: true,
      description: 'The transaction that carries it.',
    }),
    amountUsd: t.expose('amountUsd', { type: 'Usd', nullable: true, description: 'What the customer pays.' }),
    feeUsd: t.expose('feeUsd', {
      type: 'Usd',
      nullable: true,
      description: 'The platform’s part of it: 0.5%, which it gets through the split.',
    }),
    nextChargeAt: t.expose('nextChargeAt', { type: 'Millis', nullable: true, description: 'When it is due next.' }),
    reason: t.exposeString('reason', {
      nullable: true,
      description:
        'Why it was not charged: not_due, declined, reverted, revoked, expired, pending, split_required, permission_not_usable, spender_out_of_funds, or the code of what was away. Null where it was.',
    }),
    failureCode: t.exposeString('failureCode', {
      nullable: true,
      description: 'What the customer’s side lacks, as a payment failure code.',
    }),
  }),
});

const ChargeBatchType = builder.objectRef<BatchReport>('ChargeBatch').implement({
  ...throughParent,
  description: 'What a batch of charges has come to.',
  fields: (t) => ({
    processed: t.exposeInt('processed', { description: 'How many were due.' }),
    succeeded: t.exposeInt('succeeded', { description: 'How many were charged.' }),
    failed: t.exposeInt('failed', { description: 'How many were not.' }),
    durationMs: t.exposeInt('durationMs', { description: 'How long it took.' }),
    results: t.field({
      type: [ChargeResultType],
      description: 'One for each.',
      resolve: ({ results }) => [...results],
    }),
  }),
});

builder.mutationFields((t) => ({
  chargeSubscription: t.field({
    ...countsAs('others'),
    complexity: OUTSIDE_POINTS,
    type: ChargeResultType,
    description:
      'Charges one subscription at once, if it is due by the time of the latest block. For the operator’s timer. Refuses with `charge_failed` and a `reason`.',
    authScopes: { internal: true },
    args: { subscriptionId: t.arg.id({ required: true, description: 'Which one.' }) },
    resolve: (_, { subscriptionId }, ctx) => chargeSubscription(ctx, subscriptionId),
  }),
  chargeDueSubscriptions: t.field({
    ...countsAs('others'),
    complexity: OUTSIDE_POINTS,
    type: ChargeBatchType,
    description: 'Charges every subscription that is due, once each; while one call does, another finds nothing to do.',
    authScopes: { internal: true },
    resolve: (_root, _args, ctx) => chargeDueSubscriptions(ctx),
  }),
}));
