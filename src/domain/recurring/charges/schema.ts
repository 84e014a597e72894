import { refuse } from '../../../base/core/errors.ts';
import { builder, throughParent } from '../../../base/graphql/builder.ts';
import { countsAs, OUTSIDE_POINTS } from '../../../base/graphql/rate.ts';
import { ERROR_CODES, vocabulary } from '../../../base/graphql/vocabulary.ts';
import { FailureCodeEnum } from '../../sales/receipts/failures.ts';
import { type BatchReport, chargeDueSubscriptions, type FailedChain } from './charge-batch.ts';
import type { ChargeReason, ChargeResult } from './charge-type.ts';
import { chargeSubscription } from './run-charges.ts';

const ChargeReasonEnum = vocabulary('ChargeReason', 'Why a subscription was not charged, or an error code.', {
  ...ERROR_CODES,
  not_due: 'The charge is not due yet.',
  declined: 'The customer’s wallet cannot pay.',
  reverted: 'The transaction failed.',
  revoked: 'The customer revoked the permission.',
  expired: 'The permission has ended.',
  pending: 'The transaction was sent and is not mined yet.',
  permission_not_usable: 'The permission names another token or spender.',
  payments_paused: 'The operator has paused the token or its chain.',
  spender_out_of_funds: 'The server’s wallet cannot pay the gas.',
  fees_too_high: 'The fees of the chain exceed the limit.',
} satisfies Record<ChargeReason, string>);

const ChargeResultType = builder.objectRef<ChargeResult>('ChargeResult').implement({
  ...throughParent,
  description: 'The result of charging a subscription.',
  fields: (t) => ({
    subscriptionId: t.exposeID('subscriptionId', { description: 'The id of the subscription.' }),
    success: t.exposeBoolean('success', { description: 'Whether the customer was charged.' }),
    chargeId: t.exposeID('chargeId', { nullable: true, description: 'The id of the charge; null if there is none.' }),
    transactionHash: t.expose('transactionHash', {
      type: 'Hex',
      nullable: true,
      description: 'The transaction of the charge.',
    }),
    amountUsd: t.expose('amountUsd', {
      type: 'Usd',
      nullable: true,
      description: 'The amount that the customer pays.',
    }),
    feeUsd: t.expose('feeUsd', {
      type: 'Usd',
      nullable: true,
      description: 'The platform’s fee: 0.5% of the amount, paid through the split.',
    }),
    nextChargeAt: t.expose('nextChargeAt', {
      type: 'Millis',
      nullable: true,
      description: 'When the next charge is due.',
    }),
    reason: t.expose('reason', {
      type: ChargeReasonEnum,
      nullable: true,
      description:
        'Why it was not charged: not_due, declined, reverted, revoked, expired, pending, split_required, merchant_suspended, payments_paused, permission_not_usable, spender_out_of_funds, fees_too_high, or an error code such as chain_unavailable. Null if it was charged.',
    }),
    failureCode: t.expose('failureCode', {
      type: FailureCodeEnum,
      nullable: true,
      description: 'A payment failure code, if the reason is on the customer’s side.',
    }),
  }),
});

const FailedChainType = builder.objectRef<FailedChain>('ChargeFailedChain').implement({
  ...throughParent,
  description: 'A chain on which a batch of charges could not begin. Its subscriptions stay due.',
  fields: (t) => ({
    chainId: t.expose('chainId', { type: 'SafeInt', description: 'The chain (EIP-155).' }),
    reason: t.expose('reason', { type: ChargeReasonEnum, description: 'The error code, as `chain_unavailable`.' }),
  }),
});

const ChargeBatchType = builder.objectRef<BatchReport>('ChargeBatch').implement({
  ...throughParent,
  description: 'The result of a batch of charges.',
  fields: (t) => ({
    processed: t.exposeInt('processed', { description: 'Number of subscriptions that were due.' }),
    succeeded: t.exposeInt('succeeded', { description: 'Number of subscriptions that were charged.' }),
    failed: t.exposeInt('failed', { description: 'Number of subscriptions that were not charged.' }),
    durationMs: t.exposeInt('durationMs', { description: 'Duration of the batch in milliseconds.' }),
    results: t.field({
      type: [ChargeResultType],
      description: 'One result per subscription.',
      resolve: ({ results }) => [...results],
    }),
    failedChains: t.field({
      type: [FailedChainType],
      nullable: true,
      description:
        'The chains that could not be charged on; null if there are none. If every chain failed, the batch itself is refused.',
      resolve: ({ failedChains }) => (failedChains.length > 0 ? [...failedChains] : null),
    }),
  }),
});

builder.mutationFields((t) => ({
  chargeSubscription: t.field({
    ...countsAs('others'),
    complexity: OUTSIDE_POINTS,
    type: ChargeResultType,
    description:
      'Charges one subscription immediately, if it is due by the time of the latest block. For the operator’s scheduler. Refuses with `charge_failed` and a `reason`.',
    authScopes: { scheduler: true },
    args: { subscriptionId: t.arg.id({ required: true, description: 'The id of the subscription.' }) },
    resolve: (_, { subscriptionId }, ctx) => {
      if (subscriptionId === '') throw refuse('subscription_id_required');
      return chargeSubscription(ctx, subscriptionId);
    },
  }),
  chargeDueSubscriptions: t.field({
    ...countsAs('others'),
    complexity: OUTSIDE_POINTS,
    type: ChargeBatchType,
    description: 'Charges every due subscription of every chain once. A call during another batch processes nothing.',
    authScopes: { scheduler: true },
    resolve: (_root, _args, ctx) => chargeDueSubscriptions(ctx),
  }),
}));
