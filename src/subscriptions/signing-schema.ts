import { parseWallet, type Wallet } from '../core/wallet.ts';
import { builder, throughParent } from '../graphql/builder.ts';
import { OUTSIDE_POINTS } from '../graphql/rate.ts';
import { type CancellationRequest, requestCancellation } from './cancel.ts';
import { draftPermission, type PermissionDraft } from './draft-permission.ts';
import {
  type Fix,
  type FixTransaction,
  type OBSTACLES,
  type Obstacle,
  type Preflight,
  readPreflight,
} from './preflight.ts';
import { SpendPermissionType } from './subscription-schema.ts';

const ANYONE = { key: true, session: true, subscriber: true } as const;

const PermissionDraftType = builder.objectRef<PermissionDraft>('PermissionDraft').implement({
  pages: ['plan'],
  description: 'What a customer signs to subscribe to a plan.',
  authScopes: ANYONE,
  fields: (t) => ({
    permission: t.expose('permission', {
      type: SpendPermissionType,
      description: 'To be sent with the signature, as it is.',
    }),
    typedData: t.field({
      type: 'JSON',
      description: 'The EIP-712 data, as eth_signTypedData_v4 takes it.',
      resolve: ({ typedData }) => typedData,
    }),
    permissionHash: t.expose('permissionHash', {
      type: 'Hex',
      description: 'What the spend permission manager will call it.',
    }),
  }),
});

const CancellationRequestType = builder.objectRef<CancellationRequest>('CancellationRequest').implement({
  pages: ['plan'],
  description: 'What the subscribing customer signs to cancel without a session.',
  authScopes: ANYONE,
  fields: (t) => ({
    expiresAt: t.expose('expiresAt', { type: 'Millis', description: 'To be sent with the signature.' }),
    typedData: t.field({
      type: 'JSON',
      description: 'The EIP-712 data, as eth_signTypedData_v4 takes it.',
      resolve: ({ typedData }) => typedData,
    }),
  }),
});

const ObstacleEnum = builder.enumType('SubscriptionObstacle', {
  description: 'What stands in the way of a charge.',
  values: {
    approval_missing: { description: "The plain wallet's ERC-20 approval for the spender is too low." },
    manager_not_owner: { description: 'The smart account does not list the spend permission manager as an owner.' },
    balance_too_low: { description: 'The wallet has less than one charge takes.' },
  } satisfies Record<(typeof OBSTACLES)[number], object>,
});

const TransactionType = builder.objectRef<FixTransaction>('PreflightTransaction').implement({
  pages: ['plan'],
  ...throughParent,
  description: "A call that the customer's wallet sends.",
  fields: (t) => ({
    to: t.expose('to', { type: 'Wallet', description: 'The contract that is called.' }),
    data: t.expose('data', { type: 'Hex', description: 'The calldata. No coins go with it.' }),
  }),
});

const FixType = builder.objectRef<Fix>('PreflightFix').implement({
  pages: ['plan'],
  ...throughParent,
  description: 'Exactly what clears an obstacle.',
  fields: (t) => ({
    address: t.expose('address', {
      type: 'Wallet',
      description: 'The contract to call: the token, or the account itself. For a balance, the token that is missing.',
    }),
    spender: t.expose('spender', {
      type: 'Wallet',
      nullable: true,
      description: 'Who is to be allowed; null where tokens are missing.',
    }),
    amount: t.expose('amount', {
      type: 'BaseUnits',
      nullable: true,
      description: 'What to approve, or what is missing; null where no amount is part of it.',
    }),
    transactions: t.field({
      type: [TransactionType],
      description: 'What to send, in this order; empty where no call clears it.',
      resolve: ({ transactions }) => [...transactions],
    }),
  }),
});

const PreflightObstacleType = builder.objectRef<Obstacle>('PreflightObstacle').implement({
  pages: ['plan'],
  ...throughParent,
  description: 'Something that stands in the way of a charge, and what clears it.',
  fields: (t) => ({
    code: t.expose('code', { type: ObstacleEnum, description: 'What it is.' }),
    message: t.exposeString('message', { description: 'The same in a sentence for the customer.' }),
    fix: t.expose('fix', { type: FixType, description: 'What clears it.' }),
  }),
});

const PreflightType = builder.objectRef<Preflight>('SubscriptionPreflight').implement({
  pages: ['plan'],
  description: "Whether a customer's wallet could be charged for a plan now.",
  authScopes: ANYONE,
  fields: (t) => ({
    ready: t.boolean({
      description: 'Nothing stands in the way.',
      resolve: ({ obstacles }) => obstacles.length === 0,
    }),
    token: t.string({ description: "The token's symbol.", resolve: ({ token }) => token.symbol }),
    tokenAddress: t.field({ type: 'Wallet', description: 'Its contract.', resolve: ({ token }) => token.address }),
    decimals: t.int({ description: 'Of the token.', resolve: ({ token }) => token.decimals }),
    amount: t.expose('amount', { type: 'BaseUnits', description: 'What each charge takes.' }),
    balance: t.expose('balance', { type: 'BaseUnits', description: 'What the wallet has.' }),
    smartAccount: t.exposeBoolean('smartAccount', {
      description: 'A smart account is charged through the manager, a plain wallet through its ERC-20 approval.',
    }),
    obstacles: t.field({
      type: [PreflightObstacleType],
      description: 'What stands in the way; a subscription is taken all the same.',
      resolve: ({ obstacles }) => [...obstacles],
    }),
  }),
});

/** The scalar has made it one. */
const walletOf = (checked: string): Wallet => parseWallet(checked) as Wallet;

builder.queryFields((t) => {
  const args = {
    planId: t.arg.id({ required: true, description: 'Which plan.' }),
    customer: t.arg({ type: 'Wallet', required: true, description: 'Who is to pay.' }),
    token: t.arg.string({ description: 'A symbol; left out, the first that subscriptions can be paid in.' }),
  };
  return {
    permissionDraft: t.field({
      type: PermissionDraftType,
      description:
        'A spend permission that fits a plan exactly, for the customer to sign: from now on, for five years.',
      authScopes: ANYONE,
      complexity: 20,
      args,
      resolve: (_, given, ctx) => draftPermission(ctx, ctx.caller, { ...given, customer: walletOf(given.customer) }),
    }),
    subscriptionPreflight: t.field({
      type: PreflightType,
      description: 'What stands in the way of charging a customer for a plan, and what clears it. It refuses nobody.',
      authScopes: ANYONE,
      complexity: OUTSIDE_POINTS,
      args: {
        ...args,
        subscriptionId: t.arg.id({
          description: 'A subscription to the plan: its own price, period and token count.',
        }),
      },
      resolve: (_, given, ctx) => readPreflight(ctx, ctx.caller, { ...given, customer: walletOf(given.customer) }),
    }),
    cancellationRequest: t.field({
      type: CancellationRequestType,
      description: 'The typed data that the subscribing customer signs to cancel without a session.',
      authScopes: ANYONE,
      args: { subscriptionId: t.arg.id({ required: true, description: 'Which subscription.' }) },
      resolve: (_, { subscriptionId }, ctx) => requestCancellation(ctx, ctx.caller, subscriptionId),
    }),
  };
});
