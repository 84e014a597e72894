import { transactionUrl } from '../../../base/chain/explorers.ts';
import { merchantOf, seesBuyers } from '../../../base/core/caller.ts';
import { parseInput } from '../../../base/core/input.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { builder, throughParent } from '../../../base/graphql/builder.ts';
import { connect, connectionTypes, costOfPage } from '../../../base/graphql/connection.ts';
import { GLOBAL_ID, globalId } from '../../../base/graphql/global-id.ts';
import { live } from '../../../base/graphql/live.ts';
import { vocabulary } from '../../../base/graphql/vocabulary.ts';
import { tokenOn } from '../../../base/platform/on-chain.ts';
import { audits } from '../../../base/records/audit/writes.ts';
import { BillingAddressType } from '../../sales/receipts/billing-address-type.ts';
import { type ReleaseRequest, readAllowance, requestRelease } from '../shares/request-release.ts';
import { displayOwed } from '../shares/share-view.ts';
import { followPayouts, listPayouts, type Payout } from './list-payouts.ts';
import { PAYOUT_STATES, payoutFilter } from './payout.input.ts';
import { type PayoutBatch, readBatches, WAITS_FOR, waitOf } from './waiting.ts';

const PayoutStateEnum = vocabulary('PayoutState', 'Whether a payout is with its recipient.', PAYOUT_STATES);
const WaitsForEnum = vocabulary('PayoutWaitsFor', 'What a payout waits for.', WAITS_FOR);

const PayoutType = builder.objectRef<Payout>('Payout').implement({
  description: 'What one recipient gets from one receipt’s payment.',
  authScopes: { scope: 'split:read', may: 'split:read' },
  fields: (t) => ({
    id: t.id({
      description: GLOBAL_ID,
      resolve: ({ merchant, receiptId, chainId, split, token, payee }) =>
        globalId('Payout', merchant, receiptId, chainId, split, token, payee),
    }),
    receiptId: t.exposeID('receiptId', { description: 'The receipt that was paid.' }),
    recipient: t.expose('payee', { type: 'Wallet', description: 'The wallet that gets the share.' }),
    platform: t.boolean({
      description: 'Whether the recipient is the operator of this server.',
      resolve: ({ payee }, _args, { settings }) => payee === settings.platformRecipient,
    }),
    billingAddress: t.field({
      type: BillingAddressType,
      nullable: true,
      description: 'Who bought. Null if nothing was given, and for callers that may not read receipts.',
      resolve: ({ merchant, billingAddress }, _args, { caller }) =>
        seesBuyers(caller, merchant) ? billingAddress : null,
    }),
    sharesBps: t.exposeInt('sharesBps', { description: 'The share in basis points.' }),
    split: t.expose('split', { type: 'Wallet', description: 'The split contract that pays it.' }),
    token: t.exposeString('token', { description: 'The symbol, for example `USDC`.' }),
    decimals: t.int({
      nullable: true,
      description: 'The decimals of the token; null if the server no longer supports it.',
      resolve: ({ chainId, token }, _args, context) => tokenOn(context, chainId, token)?.decimals ?? null,
    }),
    chainId: t.expose('chainId', { type: 'SafeInt', description: 'The chain (EIP-155).' }),
    amount: t.field({
      type: 'BaseUnits',
      nullable: true,
      description: 'The amount in base units; null until the payment is final.',
      resolve: ({ owed }) => owed,
    }),
    display: t.string({
      nullable: true,
      description: 'The amount in whole tokens; null if `amount` or `decimals` is.',
      resolve: (share, _args, context) => displayOwed(context, share),
    }),
    state: t.field({
      type: PayoutStateEnum,
      description: 'Whether the recipient has it.',
      resolve: ({ settledAt }) => (settledAt === null ? 'waiting' : 'released'),
    }),
    waitsFor: t.field({
      type: WaitsForEnum,
      nullable: true,
      description: 'What it waits for; null once it is released.',
      resolve: (payout, _args, context) => waitOf(context, payout),
    }),
    requestedAt: t.expose('releaseRequestedAt', {
      type: 'Millis',
      nullable: true,
      description: 'When its release was asked for before it was due.',
    }),
    createdAt: t.expose('createdAt', { type: 'Millis', description: 'When the receipt was paid.' }),
    releasedAt: t.expose('settledAt', {
      type: 'Millis',
      nullable: true,
      description: 'When the chain showed that it was released.',
    }),
    transactionHash: t.expose('transactionHash', {
      type: 'Hex',
      nullable: true,
      description: 'The transaction of the release, if the server sent it.',
    }),
    transactionUrl: t.string({
      nullable: true,
      description: 'The release in the chain’s block explorer, if one is known.',
      resolve: ({ chainId, transactionHash }) => transactionUrl(chainId, transactionHash),
    }),
    cursor: t.exposeString('cursor', { description: 'Where to resume the stream after this state of the payout.' }),
  }),
});

const PayoutFilterInput = builder.inputType('PayoutFilter', {
  description: 'Conditions on payouts; all that are given must hold. Both ends of a range are included.',
  fields: (t) => ({
    recipient: t.field({ type: 'Wallet', description: 'To this wallet.' }),
    state: t.field({ type: PayoutStateEnum, description: 'In this state.' }),
    receiptId: t.id({ description: 'Of this receipt.' }),
    createdFrom: t.field({ type: 'Millis', description: 'Whose receipt was paid at this time or later.' }),
    createdTo: t.field({ type: 'Millis', description: 'Whose receipt was paid at this time or earlier.' }),
  }),
});

const PayoutBatchType = builder.objectRef<PayoutBatch>('PayoutBatch').implement({
  ...throughParent,
  description: 'The waiting payouts of a split in a token, which are released together.',
  fields: (t) => ({
    chainId: t.expose('chainId', { type: 'SafeInt', description: 'The chain (EIP-155).' }),
    split: t.expose('split', { type: 'Wallet', description: 'The split contract.' }),
    token: t.exposeString('token', { description: 'The symbol, for example `USDC`.' }),
    amount: t.field({
      type: 'BaseUnits',
      description: 'Their sum in base units; for those that wait for `collection`, what arrived for all recipients.',
      resolve: ({ owed }) => owed,
    }),
    display: t.string({
      nullable: true,
      description: 'Their sum in whole tokens; null if the server no longer supports the token.',
      resolve: (share, _args, context) => displayOwed(context, share),
    }),
    payouts: t.expose('payouts', { type: 'SafeInt', description: 'The number of payouts.' }),
    releases: t.expose('releases', {
      type: 'SafeInt',
      description:
        'What a request for them takes of `releasesLeft`: the number of their recipients, each of whom is paid by a transaction; for those that wait for `collection`, the number of their receipts.',
    }),
    since: t.expose('since', { type: 'Millis', description: 'Since when the oldest of them waits.' }),
    waitsFor: t.expose('waitsFor', { type: WaitsForEnum, description: 'What they wait for.' }),
    requested: t.exposeBoolean('requested', { description: 'Whether their release was asked for.' }),
  }),
});

interface Waiting {
  readonly merchant: Wallet;
}

const WaitingPayoutsType = builder.objectRef<Waiting>('WaitingPayouts').implement({
  ...throughParent,
  description: 'What waits to be released, and what may be asked for.',
  fields: (t) => ({
    id: t.id({ description: GLOBAL_ID, resolve: ({ merchant }) => globalId('WaitingPayouts', merchant) }),
    batches: t.field({
      type: [PayoutBatchType],
      description:
        'Payouts of final payments without a release on its way, by split, token, and whether their money is collected. Those that their recipients must release because of their gas are left out.',
      resolve: ({ merchant }, _args, context) => readBatches(context, merchant),
    }),
    releasesPerDay: t.int({
      nullable: true,
      description:
        'How many releases may be asked for within 24 hours; 0 if the server releases nothing; null without a limit.',
      resolve: async ({ merchant }, _args, context) => (await readAllowance(context, merchant)).perDay,
    }),
    releasesLeft: t.int({
      nullable: true,
      description: 'How many of them are left; null without a limit.',
      resolve: async ({ merchant }, _args, context) => (await readAllowance(context, merchant)).left,
    }),
  }),
});

/** The points of a statement that reads everything that waits. */
const WAITING_POINTS = 100;

builder.queryFields((t) => ({
  payouts: t.connection(
    {
      type: PayoutType,
      description: 'Who got or gets what from which receipt; the newest payments first.',
      authScopes: { scope: 'split:read', may: 'split:read' },
      complexity: costOfPage,
      args: { filter: t.arg({ type: PayoutFilterInput, description: 'Default: all payouts.' }) },
      resolve: (_root, { filter, ...page }, context) =>
        connect(page, listPayouts(context.db, merchantOf(context.caller), parseInput(payoutFilter, filter ?? {}))),
    },
    ...connectionTypes('Payout', 'payouts'),
  ),
  waitingPayouts: t.field({
    type: WaitingPayoutsType,
    description: 'The payouts that wait, in batches that are released together.',
    authScopes: { scope: 'split:read', may: 'split:read' },
    complexity: WAITING_POINTS,
    resolve: (_root, _args, { caller }) => ({ merchant: merchantOf(caller) }),
  }),
}));

builder.subscriptionField('payouts', (t) =>
  t.field({
    type: PayoutType,
    description:
      'Payouts of the merchant whenever they change, from now on or after a cursor. A payout that changed several times arrives once, as it is.',
    authScopes: { scope: 'split:read', may: 'split:read' },
    args: { after: t.arg.string({ description: 'The `cursor` of the last payout received.' }) },
    extensions: { cursorArg: 'after' },
    subscribe: async (_root, args, context) =>
      live(await followPayouts(context.db, context.bus, merchantOf(context.caller), args.after ?? null)),
    resolve: (payout) => payout as Payout,
  }),
);

const ReleaseRequestType = builder.objectRef<ReleaseRequest>('ReleaseRequest').implement({
  ...throughParent,
  description: 'What settlement was asked to release.',
  fields: (t) => ({
    payouts: t.expose('payouts', { type: 'SafeInt', description: 'The number of payouts; 0 if nothing waits.' }),
    releases: t.expose('releases', {
      type: 'SafeInt',
      description:
        'What it takes of the releases of a day: one for each recipient of a split in a token, and one for each receipt whose money is collected before.',
    }),
  }),
});

builder.mutationField('releasePayouts', (t) =>
  t.field({
    ...audits('others', 'payout.requested'),
    type: ReleaseRequestType,
    description:
      'Asks for the collection and release of waiting payouts now, whatever that costs. The server sends the transactions and pays their gas. All or nothing: refused with `release_limit_reached` if more releases are needed than are left of 24 hours, with `settlement_not_configured` if the server releases nothing, and with `merchant_suspended`.',
    authScopes: { mayWrite: 'money' },
    args: {
      chainId: t.arg({ type: 'SafeInt', description: 'Only those on this chain (EIP-155).' }),
      split: t.arg({ type: 'Wallet', description: 'Only those of this split.' }),
      token: t.arg.string({ description: 'Only those in the token with this symbol.' }),
      receiptId: t.arg.id({ description: 'Only those of this receipt.' }),
      collected: t.arg.boolean({
        description: 'Only those whose money is at the split, or only those whose money waits for `collection`.',
      }),
    },
    resolve: (_root, { chainId, split, token, receiptId, collected }, context) =>
      requestRelease(context, {
        merchant: merchantOf(context.caller),
        chainId: chainId ?? null,
        split: (split ?? null) as Wallet | null,
        token: token ?? null,
        receiptId: receiptId ?? null,
        collected: collected ?? null,
      }),
  }),
);
