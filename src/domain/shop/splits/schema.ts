import { merchantOf } from '../../../base/core/caller.ts';
import type { Recipient } from '../../../base/core/shares.ts';
import { builder, throughParent } from '../../../base/graphql/builder.ts';
import { GLOBAL_ID, globalId } from '../../../base/graphql/global-id.ts';
import { OUTSIDE_POINTS } from '../../../base/graphql/rate.ts';
import { audits } from '../../../base/records/audit/writes.ts';
import { type ConfiguredSplit, configureSplit, replaceSplit } from './configure.ts';
import { readSplit, type SplitRecord } from './read.ts';
import { parseSplitInput } from './split.input.ts';

const SplitRecipientType = builder.objectRef<Recipient>('SplitRecipient').implement({
  ...throughParent,
  description: 'A recipient of a share of every payment.',
  fields: (t) => ({
    address: t.expose('address', { type: 'Wallet', description: 'The recipient’s wallet.' }),
    sharesBps: t.exposeInt('sharesBps', { description: 'The share in basis points: 10000 is 100 %, 50 is 0.5 %.' }),
    platform: t.boolean({
      description: 'Whether it is the platform, whose share a request may leave out if it is 50.',
      resolve: ({ address }, _args, { settings }) => address === settings.platformRecipient,
    }),
  }),
});

const SplitType = builder.objectRef<SplitRecord>('Split').implement({
  description: "The contract that receives a merchant's payments, and its recipients.",
  authScopes: { $granted: 'split', scope: 'split:read', may: 'split:read' },
  fields: (t) => ({
    id: t.id({
      description: GLOBAL_ID,
      resolve: (_own, _args, { caller }) => globalId('Split', merchantOf(caller)),
    }),
    address: t.expose('address', {
      type: 'Wallet',
      nullable: true,
      description: 'The contract’s address; null if no split is configured.',
    }),
    recipients: t.field({
      type: [SplitRecipientType],
      description: 'The recipients; empty if no split is configured.',
      resolve: ({ recipients }) => [...recipients],
    }),
    verified: t.exposeBoolean('verified', {
      description: 'Whether it is, or will be once deployed, a known splitter with these shares.',
    }),
    deployed: t.exposeBoolean('deployed', { description: 'Whether its contract was found on the chain.' }),
    createdAt: t.expose('createdAt', { type: 'Millis', nullable: true, description: 'When it was configured.' }),
  }),
});

const ConfiguredSplitType = builder.objectRef<ConfiguredSplit>('ConfiguredSplit').implement({
  ...throughParent,
  description: 'A split, and whether it existed before.',
  fields: (t) => ({
    split: t.field({
      type: SplitType,
      grantScopes: ['split'],
      description: 'The active split.',
      resolve: ({ split }) => split,
    }),
    idempotent: t.exposeBoolean('idempotent', { description: 'True if it existed before and nothing has changed.' }),
  }),
});

builder.queryFields((t) => ({
  split: t.field({
    type: SplitType,
    description: "The caller's own split.",
    authScopes: { scope: 'split:read', may: 'split:read' },
    resolve: (_, _args, ctx) => readSplit(ctx.db, ctx.settings, merchantOf(ctx.caller)),
  }),
}));

const SplitRecipientInput = builder.inputType('SplitRecipientInput', {
  description: 'A recipient of a share of every payment.',
  fields: (t) => ({
    address: t.string({ required: true, description: '0x followed by 40 hex characters.' }),
    sharesBps: t.int({ required: true, description: 'Basis points, 1 to 10000.' }),
  }),
});

const SplitInputType = builder.inputType('SplitInput', {
  description: "A split. The shares add up to 10000 with the platform's 50 or more, or to 9950 without it.",
  fields: (t) => ({
    wallet: t.string({ description: "Optional; must be the caller's own merchant." }),
    splitAddress: t.string({
      description: 'The address of your own contract. Default: a contract is created from the recipients.',
    }),
    recipients: t.field({
      type: [SplitRecipientInput],
      description: 'Default: 9950 for the merchant, 50 for the platform.',
    }),
  }),
});

builder.mutationFields((t) => ({
  deploySplit: t.field({
    ...audits('split', 'split.configured'),
    complexity: OUTSIDE_POINTS,
    type: ConfiguredSplitType,
    description: "Configures the caller's split once. An existing split is kept and returned.",
    authScopes: { maySign: 'split' },
    args: { input: t.arg({ type: SplitInputType, description: 'Default: the usual shares.' }) },
    resolve: (_, { input }, ctx) => configureSplit(ctx, merchantOf(ctx.caller), parseSplitInput(input)),
  }),
  replaceSplit: t.field({
    ...audits('split', 'split.replaced', 'split.configured'),
    complexity: OUTSIDE_POINTS,
    type: SplitType,
    description: "Replaces the caller's split. Payments to the former split still count.",
    authScopes: { maySign: 'split' },
    grantScopes: ['split'],
    args: { input: t.arg({ type: SplitInputType, required: true, description: 'The new split.' }) },
    resolve: (_, { input }, ctx) => replaceSplit(ctx, merchantOf(ctx.caller), parseSplitInput(input)),
  }),
}));
