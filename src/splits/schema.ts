import { merchantOf } from '../core/caller.ts';
import type { Recipient } from '../core/shares.ts';
import { builder, throughParent } from '../graphql/builder.ts';
import { countsAs, OUTSIDE_POINTS } from '../graphql/rate.ts';
import { type ConfiguredSplit, configureSplit } from './configure.ts';
import { readSplit, type SplitRecord } from './read.ts';
import { replaceSplit } from './replace.ts';
import { listSplitTransactions, MAX_TRANSACTIONS, type SplitTransaction, TRANSACTIONS } from './transactions.ts';

const SplitRecipientType = builder.objectRef<Recipient>('SplitRecipient').implement({
  ...throughParent,
  description: 'Who has a share of every payment.',
  fields: (t) => ({
    address: t.expose('address', { type: 'Wallet', description: 'Where the share goes.' }),
    sharesBps: t.exposeInt('sharesBps', { description: 'Basis points: 10000 are all, 50 are 0.5 %.' }),
  }),
});

const SplitType = builder.objectRef<SplitRecord>('Split').implement({
  description: "Where a merchant's payments go, and who gets which part of them.",
  authScopes: { $granted: 'split', scope: 'split:read', admin: true },
  fields: (t) => ({
    address: t.expose('address', {
      type: 'Wallet',
      nullable: true,
      description: 'The contract; null: not configured.',
    }),
    recipients: t.field({
      type: [SplitRecipientType],
      description: 'Empty where none is configured.',
      resolve: ({ recipients }) => [...recipients],
    }),
    verified: t.exposeBoolean('verified', {
      description: 'Whether it is, or will be once deployed, a known splitter with these shares.',
    }),
    deployed: t.exposeBoolean('deployed', { description: 'Whether its contract was seen on the chain.' }),
    createdAt: t.expose('createdAt', { type: 'Millis', nullable: true, description: 'When it was configured.' }),
  }),
});

const ConfiguredSplitType = builder.objectRef<ConfiguredSplit>('ConfiguredSplit').implement({
  ...throughParent,
  description: 'A split, and whether it was there before.',
  fields: (t) => ({
    split: t.field({
      type: SplitType,
      grantScopes: ['split'],
      description: 'The split that is in place now.',
      resolve: ({ split }) => split,
    }),
    idempotent: t.exposeBoolean('idempotent', { description: 'True: it was there before, and nothing has changed.' }),
  }),
});

const SplitTransactionType = builder.objectRef<SplitTransaction>('SplitTransaction').implement({
  description: 'A payment that a split has received for a receipt.',
  authScopes: { scope: 'split:read', admin: true },
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Of this payment.' }),
    receiptId: t.exposeString('receiptId', { description: 'The receipt it pays.' }),
    amount: t.exposeFloat('amount', { description: 'In whole units of the token.' }),
    currency: t.exposeString('currency', { description: "The token's symbol." }),
    status: t.exposeString('status', { description: '`pending`, or `completed` once every payee has its share.' }),
    timestamp: t.exposeString('timestamp', { description: "The block's time, ISO 8601." }),
    transactionHash: t.expose('transactionHash', { type: 'Hex', description: 'The transaction that brought it.' }),
    fees: t.exposeFloat('fees', { description: "The platform's part of it, in whole units of the token." }),
  }),
});

builder.queryFields((t) => ({
  split: t.field({
    type: SplitType,
    description: "The caller's own split.",
    authScopes: { scope: 'split:read', admin: true },
    resolve: (_, _args, ctx) => readSplit(ctx, merchantOf(ctx.caller)),
  }),
  splitTransactions: t.field({
    type: [SplitTransactionType],
    description: "What the caller's own splits have received for receipts, newest first.",
    authScopes: { scope: 'split:read', admin: true },
    complexity: ({ limit }) => ({ field: 1, multiplier: limit ?? TRANSACTIONS }),
    args: {
      address: t.arg.string({ description: 'Only those of this split, or those that this recipient has a share of.' }),
      limit: t.arg.int({ description: `1 to ${MAX_TRANSACTIONS}; left out: ${TRANSACTIONS}.` }),
    },
    resolve: (_, args, ctx) => listSplitTransactions(ctx, merchantOf(ctx.caller), args),
  }),
}));

const SplitRecipientInput = builder.inputType('SplitRecipientInput', {
  description: 'Who is to have a share of every payment.',
  fields: (t) => ({
    address: t.string({ required: true, description: '0x followed by 40 hex characters.' }),
    sharesBps: t.int({ required: true, description: 'Basis points, 1 to 10000.' }),
  }),
});

const SplitInputType = builder.inputType('SplitInput', {
  description: "A split. The shares add up to 10000 with the platform's 50 or more, or to 9950 without it.",
  fields: (t) => ({
    wallet: t.string({ description: "The caller's own merchant, where it is given at all." }),
    splitAddress: t.string({ description: 'A contract of your own; left out, one is made from the recipients.' }),
    recipients: t.field({
      type: [SplitRecipientInput],
      description: 'Left out: 9950 for the merchant, 50 for the platform.',
    }),
  }),
});

builder.mutationFields((t) => ({
  deploySplit: t.field({
    ...countsAs('split'),
    complexity: OUTSIDE_POINTS,
    type: ConfiguredSplitType,
    description: "Configures the caller's split, once: one that is there already stays, and is answered.",
    authScopes: { adminWrite: true },
    args: { input: t.arg({ type: SplitInputType, description: 'Left out: the usual shares.' }) },
    resolve: (_, { input }, ctx) => configureSplit(ctx, merchantOf(ctx.caller), input),
  }),
  replaceSplit: t.field({
    ...countsAs('split'),
    complexity: OUTSIDE_POINTS,
    type: SplitType,
    description: "Puts another split in place of the caller's; payments to the one before still count.",
    authScopes: { adminWrite: true },
    grantScopes: ['split'],
    args: { input: t.arg({ type: SplitInputType, required: true, description: 'The new one.' }) },
    resolve: (_, { input }, ctx) => replaceSplit(ctx, merchantOf(ctx.caller), input),
  }),
}));
