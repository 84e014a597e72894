import { z } from 'zod';
import { chainName } from '../../../base/chain/names.ts';
import { parseInput } from '../../../base/core/input.ts';
import { LOG_COMPONENTS, type LogLevel } from '../../../base/core/log-level.ts';
import { text } from '../../../base/core/text.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { builder, throughParent } from '../../../base/graphql/builder.ts';
import { OUTSIDE_POINTS } from '../../../base/graphql/rate.ts';
import { vocabulary } from '../../../base/graphql/vocabulary.ts';
import { audits } from '../../../base/records/audit/writes.ts';
import { listPauses, type Pause, pausePayments, resumePayments } from '../../payments/quotes/pauses.ts';
import { type Reevaluation, reevaluateReceipt } from '../../payments/watching/reevaluate.ts';
import type { Rescan } from '../../payments/watching/rescan.ts';
import { ReceiptStatusEnum } from '../../sales/receipts/status-types.ts';
import { createShares } from '../../settlement/shares/create-shares.ts';
import { replayAll, replayInput } from '../../webhooks/delivery/replay.ts';
import { changeLogLevel } from './log-level.ts';
import { RESCAN_MAX, rescanBriefly } from './rescan.ts';
import { PlatformType } from './schema.ts';

const PauseType = builder.objectRef<Pause>('PaymentPause').implement({
  ...throughParent,
  description: 'A token, or a chain, in which no new payments are offered and no subscriptions are charged.',
  fields: (t) => ({
    chainId: t.expose('chainId', { type: 'SafeInt', description: 'The chain (EIP-155).' }),
    network: t.string({ description: 'The name of the chain.', resolve: ({ chainId }) => chainName(chainId) }),
    token: t.exposeString('token', { nullable: true, description: 'The symbol; null for every token of the chain.' }),
    reason: t.exposeString('reason', { description: 'Why. Buyers do not see it.' }),
    pausedAt: t.expose('pausedAt', { type: 'Millis', description: 'Since when.' }),
  }),
});

/** A token that the server accepts. */
interface AcceptedToken {
  readonly chainId: number;
  readonly symbol: string;
}

const AcceptedTokenType = builder.objectRef<AcceptedToken>('AcceptedToken').implement({
  ...throughParent,
  description: 'A token that the server accepts on a chain.',
  fields: (t) => ({
    chainId: t.expose('chainId', { type: 'SafeInt', description: 'The chain (EIP-155).' }),
    network: t.string({ description: 'The name of the chain.', resolve: ({ chainId }) => chainName(chainId) }),
    token: t.exposeString('symbol', { description: 'The symbol.' }),
  }),
});

builder.objectFields(PlatformType, (t) => ({
  acceptedTokens: t.field({
    type: [AcceptedTokenType],
    description: 'The tokens that the server accepts, by chain, those of the first one first.',
    resolve: (_platform, _args, { chains }) =>
      chains.flatMap(({ chainId, tokens }) => tokens.map(({ symbol }) => ({ chainId, symbol }))),
  }),
  paymentPauses: t.field({
    type: [PauseType],
    description: 'The tokens and chains in which no new payments are offered.',
    resolve: (_platform, _args, ctx) => listPauses(ctx.db),
  }),
}));

const RescanType = builder.objectRef<Rescan>('Rescan').implement({
  authScopes: { platform: true },
  description: 'What was found in blocks that were read again.',
  fields: (t) => ({
    fromBlock: t.expose('fromBlock', { type: 'SafeInt', description: 'The first block.' }),
    toBlock: t.expose('toBlock', {
      type: 'SafeInt',
      description: 'The last block that was read; the watcher reads later ones itself.',
    }),
    found: t.exposeInt('found', { description: 'The number of transfers to splits.' }),
    added: t.exposeInt('added', { description: 'The number of those that were not known.' }),
  }),
});

const ReevaluationType = builder.objectRef<Reevaluation>('ReceiptReevaluation').implement({
  authScopes: { platform: true },
  description: 'What was found when a receipt was looked at again.',
  fields: (t) => ({
    statusBefore: t.field({
      type: ReceiptStatusEnum,
      description: 'Its status before.',
      resolve: ({ before }) => before,
    }),
    statusAfter: t.field({
      type: ReceiptStatusEnum,
      description: 'Its status now. Confirmations that are checked again may still change it.',
      resolve: ({ after }) => after,
    }),
    lookedUp: t.exposeInt('lookedUp', { description: 'The number of transactions looked up on the chain.' }),
    added: t.exposeInt('added', { description: 'The number of transfers that were not known.' }),
    rematched: t.exposeInt('rematched', { description: 'The number of unmatched transfers that were matched again.' }),
  }),
});

const LogLevelEnum = vocabulary('LogLevel', 'How much is logged, from everything to nothing.', {
  trace: 'Every step.',
  debug: 'Each answered request and what helps to find a fault.',
  info: 'What happens.',
  warn: 'What is tried again.',
  error: 'What failed.',
  fatal: 'What ends the process.',
  silent: 'Nothing.',
} satisfies Record<LogLevel, string>);
const LogComponentEnum = vocabulary('LogComponent', 'A part of the server that logs.', LOG_COMPONENTS);

const PlatformReplayInput = builder.inputType('PlatformReplayInput', {
  description: 'Which deliveries of webhooks to send again.',
  fields: (t) => ({
    wallet: t.field({ type: 'Wallet', description: 'Only those of this merchant. Default: of all.' }),
    since: t.field({ type: 'Millis', required: true, description: 'Those of events since then.' }),
    kind: t.string({ description: 'Only those of this kind of event, such as `receipt.paid` or `receipt.*`.' }),
    failedOnly: t.boolean({ description: 'False: also those that were accepted. Default: true.' }),
  }),
});

const MAX_REASON = 1_000;
const blocks = z.int().min(0, { error: 'must not be negative' });
const rescanInput = z.object({ fromBlock: blocks, toBlock: blocks });
const pauseInput = z.object({ reason: text(MAX_REASON).min(1, { error: 'must not be empty' }) });
const place = (chainId: number, token: string | null | undefined) => ({ chainId, token: token ?? null });

builder.mutationFields((t) => ({
  pausePayments: t.field({
    ...audits('others', 'payments.paused'),
    type: [PauseType],
    description:
      'Offers a token, or every token of a chain, for no new payments and charges no subscription in it, in every process at once. Money on its way is still credited. Returns every pause.',
    authScopes: { platformSign: true },
    args: {
      chainId: t.arg({ type: 'SafeInt', required: true, description: 'The chain (EIP-155).' }),
      token: t.arg.string({ description: 'The symbol. Default: every token of the chain.' }),
      reason: t.arg.string({ required: true, description: 'Why; at most 1,000 characters. Buyers do not see it.' }),
    },
    resolve: (_, { chainId, token, reason }, ctx) =>
      pausePayments(ctx, place(chainId, token), parseInput(pauseInput, { reason }).reason),
  }),
  resumePayments: t.field({
    ...audits('others', 'payments.resumed'),
    type: [PauseType],
    description: 'Offers a token, or a chain, again. The pause of a chain and those of its tokens end apart.',
    authScopes: { platformSign: true },
    args: {
      chainId: t.arg({ type: 'SafeInt', required: true, description: 'The chain (EIP-155).' }),
      token: t.arg.string({ description: 'The symbol. Default: the pause of the whole chain.' }),
    },
    resolve: (_, { chainId, token }, ctx) => resumePayments(ctx, place(chainId, token)),
  }),
  rescanBlocks: t.field({
    ...audits('others', 'blocks.rescanned'),
    type: RescanType,
    complexity: OUTSIDE_POINTS,
    description: `Reads up to ${RESCAN_MAX.toLocaleString('en')} blocks again that the watcher has passed, for payments that it missed.`,
    authScopes: { platformSign: true },
    args: {
      chainId: t.arg({ type: 'SafeInt', description: 'The chain (EIP-155). Default: the first one.' }),
      fromBlock: t.arg({ type: 'SafeInt', required: true, description: 'The first block.' }),
      toBlock: t.arg({ type: 'SafeInt', required: true, description: 'The last block.' }),
    },
    resolve: (_, { chainId, ...range }, ctx) => rescanBriefly(ctx, chainId ?? null, parseInput(rescanInput, range)),
  }),
  reevaluateReceipt: t.field({
    ...audits('others', 'receipt.reevaluated'),
    type: ReevaluationType,
    complexity: OUTSIDE_POINTS,
    description:
      'Looks up the transactions of a receipt, unmatched transfers of its amounts and its confirmations again. The usual rules decide.',
    authScopes: { platformSign: true },
    args: {
      wallet: t.arg({ type: 'Wallet', required: true, description: 'The merchant.' }),
      receiptId: t.arg.id({ required: true, description: 'The receipt’s id.' }),
    },
    resolve: (_, { wallet, receiptId }, ctx) =>
      reevaluateReceipt({ ...ctx, createShares }, wallet as Wallet, receiptId),
  }),
  replayPlatformWebhooks: t.field({
    ...audits('others', 'webhook.replayed'),
    type: 'Int',
    description: 'Sends deliveries of one or all merchants again: the same ids and bodies. Returns how many.',
    authScopes: { platformSign: true },
    args: { input: t.arg({ type: PlatformReplayInput, required: true, description: 'The selection.' }) },
    resolve: (_, { input: { wallet, ...selection } }, ctx) => {
      const { since, kind, failedOnly } = parseInput(replayInput, selection);
      return replayAll(ctx, { since, kind, failedOnly }, (wallet as Wallet | null | undefined) ?? null);
    },
  }),
  setLogLevel: t.field({
    ...audits('others', 'log.level_changed'),
    type: 'Int',
    description:
      'Sets how much every process logs, until it restarts. Returns how many have set it. Without REDIS_URL only the process that answers does.',
    authScopes: { platformSign: true },
    args: {
      level: t.arg({ type: LogLevelEnum, required: true, description: 'The lowest level that is logged.' }),
      component: t.arg({ type: LogComponentEnum, description: 'Only of this part. Default: of all.' }),
    },
    resolve: (_, { level, component }, ctx) =>
      changeLogLevel(ctx, { level: level as LogLevel, component: component ?? null }),
  }),
}));
