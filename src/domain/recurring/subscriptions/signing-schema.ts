import { builder, throughParent } from '../../../base/graphql/builder.ts';
import { OUTSIDE_POINTS } from '../../../base/graphql/rate.ts';
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

const TransactionType = builder.objectRef<FixTransaction>('PreflightTransaction').implement({
  pages: ['plan'],
  ...throughParent,
  description: "A call that the customer's wallet sends.",
  fields: (t) => ({
    to: t.expose('to', { type: 'Wallet', description: 'The contract that is called.' }),
    data: t.expose('data', { type: 'Hex', description: 'The calldata. The value of the transaction is 0.' }),
  }),
});

const PermissionDraftType = builder.objectRef<PermissionDraft>('PermissionDraft').implement({
  pages: ['plan'],
  description: 'The permission that a customer signs to subscribe to a plan.',
  authScopes: ANYONE,
  fields: (t) => ({
    chainId: t.expose('chainId', {
      type: 'SafeInt',
      description: 'The chain that the signature is for (EIP-155). Send it with the signature.',
    }),
    permission: t.expose('permission', {
      type: SpendPermissionType,
      description: 'Send it unchanged with the signature.',
    }),
    typedData: t.field({
      type: 'JSON',
      description: 'The EIP-712 data, as eth_signTypedData_v4 takes it.',
      resolve: ({ typedData }) => typedData,
    }),
    permissionHash: t.expose('permissionHash', {
      type: 'Hex',
      description: 'Hash of the permission in the spend permission manager (`getHash`).',
    }),
    approval: t.expose('approval', {
      type: TransactionType,
      description: 'The approval on the chain. A smart account may send it in place of a signature.',
    }),
    draftToken: t.exposeString('draftToken', {
      description: 'Send it with a permission that was approved on the chain. Only the caller of the draft has it.',
    }),
  }),
});

const CancellationRequestType = builder.objectRef<CancellationRequest>('CancellationRequest').implement({
  pages: ['plan'],
  description: 'The data that the subscribing customer signs to cancel without a session.',
  authScopes: ANYONE,
  fields: (t) => ({
    expiresAt: t.expose('expiresAt', { type: 'Millis', description: 'Send it with the signature.' }),
    typedData: t.field({
      type: 'JSON',
      description: 'The EIP-712 data, as eth_signTypedData_v4 takes it.',
      resolve: ({ typedData }) => typedData,
    }),
  }),
});

const ObstacleEnum = builder.enumType('SubscriptionObstacle', {
  description: 'A reason why a charge would fail.',
  values: {
    approval_missing: { description: "The plain wallet's ERC-20 approval for the spender is too low." },
    manager_not_owner: { description: 'The smart account does not list the spend permission manager as an owner.' },
    permission_not_approved: {
      description: 'The subscription has no signature, and a reorganization has removed its approval from the chain.',
    },
    balance_too_low: { description: "The wallet's balance is lower than one charge." },
  } satisfies Record<(typeof OBSTACLES)[number], object>,
});

const FixType = builder.objectRef<Fix>('PreflightFix').implement({
  pages: ['plan'],
  ...throughParent,
  description: 'The steps that remove an obstacle.',
  fields: (t) => ({
    address: t.expose('address', {
      type: 'Wallet',
      description:
        'The contract to call: the token, the account itself, or the spend permission manager. For `balance_too_low`, the missing token.',
    }),
    spender: t.expose('spender', {
      type: 'Wallet',
      nullable: true,
      description: 'The contract to authorize; null if tokens are missing.',
    }),
    amount: t.expose('amount', {
      type: 'BaseUnits',
      nullable: true,
      description: 'The amount to approve, or the missing amount; null if the fix has no amount.',
    }),
    transactions: t.field({
      type: [TransactionType],
      description: 'The transactions to send, in this order; empty if no transaction removes the obstacle.',
      resolve: ({ transactions }) => [...transactions],
    }),
  }),
});

const PreflightObstacleType = builder.objectRef<Obstacle>('PreflightObstacle').implement({
  pages: ['plan'],
  ...throughParent,
  description: 'A reason why a charge would fail, and its fix.',
  fields: (t) => ({
    code: t.expose('code', { type: ObstacleEnum, description: 'The kind of obstacle.' }),
    message: t.exposeString('message', { description: 'One sentence for the customer.' }),
    fix: t.expose('fix', { type: FixType, description: 'How to remove the obstacle.' }),
  }),
});

const PreflightType = builder.objectRef<Preflight>('SubscriptionPreflight').implement({
  pages: ['plan'],
  description: "Whether a customer's wallet could be charged for a plan now.",
  authScopes: ANYONE,
  fields: (t) => ({
    ready: t.boolean({
      description: 'True if there are no obstacles.',
      resolve: ({ obstacles }) => obstacles.length === 0,
    }),
    chainId: t.expose('chainId', { type: 'SafeInt', description: 'The chain of the charge (EIP-155).' }),
    token: t.string({ description: "The token's symbol.", resolve: ({ token }) => token.symbol }),
    tokenAddress: t.field({
      type: 'Wallet',
      description: "The token's contract.",
      resolve: ({ token }) => token.address,
    }),
    decimals: t.int({ description: "The token's decimals.", resolve: ({ token }) => token.decimals }),
    amount: t.expose('amount', { type: 'BaseUnits', description: 'The amount of one charge.' }),
    balance: t.expose('balance', { type: 'BaseUnits', description: "The wallet's balance." }),
    smartAccount: t.exposeBoolean('smartAccount', {
      description: 'A smart account is charged through the manager, a plain wallet through its ERC-20 approval.',
    }),
    obstacles: t.field({
      type: [PreflightObstacleType],
      description: 'Empty if the charge would succeed. A subscription can be created despite obstacles.',
      resolve: ({ obstacles }) => [...obstacles],
    }),
  }),
});

builder.queryFields((t) => {
  const args = {
    planId: t.arg.id({ required: true, description: 'The id of the plan.' }),
    customer: t.arg({ type: 'Wallet', required: true, description: 'The wallet that pays.' }),
    token: t.arg.string({ description: 'A token symbol. Default: the first token of the plan.' }),
    chainId: t.arg({ type: 'SafeInt', description: 'A chain (EIP-155). Default: the first one of the plan.' }),
  };
  return {
    permissionDraft: t.field({
      type: PermissionDraftType,
      description:
        'A spend permission that fits the plan exactly, for the customer to sign. Valid from now, for five years.',
      authScopes: ANYONE,
      complexity: 20,
      args,
      resolve: (_, given, ctx) => draftPermission(ctx, ctx.caller, given),
    }),
    subscriptionPreflight: t.field({
      type: PreflightType,
      description: 'Lists the obstacles to charging a customer for a plan, each with its fix. Advisory only.',
      authScopes: ANYONE,
      complexity: OUTSIDE_POINTS,
      args: {
        ...args,
        subscriptionId: t.arg.id({
          description: "A subscription to the plan. Its price, period, token and chain apply instead of the plan's.",
        }),
      },
      resolve: (_, given, ctx) => readPreflight(ctx, ctx.caller, given),
    }),
    cancellationRequest: t.field({
      type: CancellationRequestType,
      description: 'The typed data that the subscribing customer signs to cancel without a session.',
      authScopes: ANYONE,
      args: { subscriptionId: t.arg.id({ required: true, description: 'The id of the subscription.' }) },
      resolve: (_, { subscriptionId }, ctx) => requestCancellation(ctx.db, ctx.clock(), ctx.caller, subscriptionId),
    }),
  };
});
