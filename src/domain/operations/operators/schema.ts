import { z } from 'zod';
import { parseInput } from '../../../base/core/input.ts';
import { usdFromCents } from '../../../base/core/money.ts';
import { filledText, text } from '../../../base/core/text.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { builder, throughParent } from '../../../base/graphql/builder.ts';
import { connect, connectionTypes, costOfPage } from '../../../base/graphql/connection.ts';
import { GLOBAL_ID, globalId } from '../../../base/graphql/global-id.ts';
import { OUTSIDE_POINTS } from '../../../base/graphql/rate.ts';
import { vocabulary } from '../../../base/graphql/vocabulary.ts';
import { CHARGE_QUEUE, type QueueAge, REVOKE_QUEUE } from '../../../base/platform/jobs.ts';
import { PLATFORM } from '../../../base/records/audit/audit-entry.entity.ts';
import { listAudit } from '../../../base/records/audit/read-log.ts';
import {
  AuditEntryType,
  AuditFilterInput,
  AuditOrderInput,
  auditConditions,
} from '../../../base/records/audit/schema.ts';
import { audits } from '../../../base/records/audit/writes.ts';
import { admitMerchant } from '../../shop/merchants/newcomer.ts';
import { resumeMerchant, suspendMerchant } from '../../shop/merchants/suspend.ts';
import { WEBHOOK_QUEUE } from '../../webhooks/delivery/queue.ts';
import type { FailingEndpoint } from '../../webhooks/endpoints/read.ts';
import { ALARMS, type Alarm, type PlatformState, readPlatform } from './alarms.ts';
import { listPlatformMerchants, type PlatformMerchant, readPlatformMerchant, VOLUME_DAYS } from './merchants.ts';
import type { GasWallet, WatcherProgress } from './progress.ts';
import type { WatchedQueue } from './queues.ts';

const PlatformMerchantType = builder.objectRef<PlatformMerchant>('PlatformMerchant').implement({
  authScopes: { platform: true },
  description: 'A merchant as the operator sees it.',
  fields: (t) => ({
    id: t.id({ description: GLOBAL_ID, resolve: ({ wallet }) => globalId('PlatformMerchant', wallet) }),
    wallet: t.expose('wallet', { type: 'Wallet', description: 'Its wallet.' }),
    name: t.exposeString('name', { description: 'The name shown to buyers.' }),
    createdAt: t.expose('createdAt', { type: 'Millis', description: 'When it was registered.' }),
    newcomer: t.exposeBoolean('newcomer', {
      description:
        'Whether its wallet registered it freely, and the operator has not admitted it: it shares the limits of all newcomers.',
    }),
    suspendedAt: t.expose('suspendedAt', {
      type: 'Millis',
      nullable: true,
      description: 'Since when it is suspended; null if it is not.',
    }),
    suspendedReason: t.exposeString('suspendedReason', { nullable: true, description: 'Why it is suspended.' }),
    paidCount: t.exposeInt('paidCount', {
      description: `The number of receipts that were paid in the last ${VOLUME_DAYS} days.`,
    }),
    paidUsd: t.field({
      type: 'Usd',
      description: 'Their sum.',
      resolve: ({ paidCents }) => usdFromCents(paidCents),
    }),
  }),
});

const WatcherProgressType = builder.objectRef<WatcherProgress>('WatcherProgress').implement({
  ...throughParent,
  description: 'How far the watcher has read a chain.',
  fields: (t) => ({
    chainId: t.expose('chainId', { type: 'SafeInt', description: 'The chain (EIP-155).' }),
    network: t.exposeString('network', { description: 'The name of the chain for people.' }),
    head: t.expose('head', {
      type: 'SafeInt',
      nullable: true,
      description: 'The newest block; null if the endpoint does not answer.',
    }),
    scanned: t.expose('scanned', { type: 'SafeInt', nullable: true, description: 'The last block that was read.' }),
    confirmed: t.expose('confirmed', {
      type: 'SafeInt',
      nullable: true,
      description: 'The last block whose payments are confirmed.',
    }),
    behindBlocks: t.exposeInt('behindBlocks', {
      nullable: true,
      description: 'The number of unread blocks; null if it is not known.',
    }),
  }),
});

const QueueNameEnum = vocabulary('QueueName', 'A queue of jobs.', {
  [WEBHOOK_QUEUE]: 'Webhooks to send.',
  [CHARGE_QUEUE]: 'Subscriptions to charge.',
  [REVOKE_QUEUE]: 'Spend permissions to revoke on the chain.',
} satisfies Record<WatchedQueue, string>);

const QueueType = builder.objectRef<QueueAge<WatchedQueue>>('QueueAge').implement({
  ...throughParent,
  description: 'The jobs of a queue that wait for a worker.',
  fields: (t) => ({
    name: t.expose('name', { type: QueueNameEnum, description: 'The name of the queue.' }),
    waiting: t.exposeInt('waiting', { description: 'The number of jobs that could run now.' }),
    oldestSeconds: t.exposeInt('oldestSeconds', { description: 'For how long the oldest of them waits.' }),
  }),
});

const RoleEnum = vocabulary('GasWalletRole', 'What a wallet of the server pays for.', {
  settlement: 'Deploys splits and releases shares.',
  spender: 'Charges subscriptions.',
} satisfies Record<GasWallet['role'], string>);

const GasWalletType = builder.objectRef<GasWallet>('GasWallet').implement({
  ...throughParent,
  description: 'A wallet that pays for the transactions of the server, on one chain.',
  fields: (t) => ({
    chainId: t.expose('chainId', { type: 'SafeInt', description: 'The chain (EIP-155).' }),
    role: t.expose('role', { type: RoleEnum, description: 'What it pays for.' }),
    address: t.expose('address', { type: 'Wallet', description: 'Where to send native coins.' }),
    balance: t.exposeString('balance', {
      nullable: true,
      description: 'Its native coins; null if the endpoint does not answer.',
    }),
    coin: t.exposeString('coin', { description: 'The symbol of its native coins, for example `ETH`.' }),
    network: t.exposeString('network', { description: 'The name of the chain for people.' }),
    low: t.exposeBoolean('low', {
      description: 'Whether it cannot pay for ten more transactions at the current price.',
    }),
  }),
});

const FailingEndpointType = builder.objectRef<FailingEndpoint>('FailingEndpoint').implement({
  ...throughParent,
  description: 'A webhook endpoint whose attempts fail.',
  fields: (t) => ({
    merchant: t.expose('merchant', { type: 'Wallet', description: 'Its merchant.' }),
    endpointId: t.exposeID('id', { description: 'Its id.' }),
    url: t.exposeString('url', { description: 'Where events are sent.' }),
    enabled: t.boolean({
      description: 'Whether it still receives events.',
      resolve: ({ state }) => state === 'enabled',
    }),
    failingSince: t.expose('failingSince', {
      type: 'Millis',
      nullable: true,
      description: 'The first failed attempt since the last success.',
    }),
  }),
});

const AlarmCodeEnum = vocabulary('AlarmCode', 'What needs the operator.', ALARMS);

const AlarmType = builder.objectRef<Alarm>('Alarm').implement({
  ...throughParent,
  description: 'Something that needs the operator.',
  fields: (t) => ({
    code: t.expose('code', { type: AlarmCodeEnum, description: 'What it is.' }),
    message: t.exposeString('message', { description: 'What was found.' }),
    action: t.string({ description: 'What to do.', resolve: ({ code }) => ALARMS[code] }),
  }),
});

const PlatformMerchantFilter = builder.inputType('PlatformMerchantFilter', {
  description: 'Conditions on merchants; all that are given must hold.',
  fields: (t) => ({
    q: t.string({ description: 'A part of the name or of the wallet in any letter case. `%` has no special meaning.' }),
    suspended: t.boolean({ description: 'Only merchants that are, or are not, suspended.' }),
  }),
});

const MAX_SEARCH = 256;
const merchantFilter = z.object({
  q: filledText(MAX_SEARCH).nullish(),
  suspended: z.boolean().nullish(),
});

export const PlatformType = builder.objectRef<PlatformState>('Platform').implement({
  authScopes: { platform: true },
  description: 'The whole installation, for its operator.',
  fields: (t) => ({
    id: t.id({ description: GLOBAL_ID, resolve: () => globalId('Platform', 'this') }),
    merchants: t.connection(
      {
        type: PlatformMerchantType,
        description: 'All merchants, newest first.',
        complexity: costOfPage,
        args: { filter: t.arg({ type: PlatformMerchantFilter, description: 'Default: all merchants.' }) },
        resolve: (_, { filter, ...page }, ctx) => {
          const { q = null, suspended = null } = parseInput(merchantFilter, filter ?? {});
          return connect(page, listPlatformMerchants(ctx.db, ctx.clock(), { q, suspended }));
        },
      },
      ...connectionTypes('PlatformMerchant', 'merchants'),
    ),
    watcher: t.field({
      type: WatcherProgressType,
      description: 'How far the watcher has read the first chain.',
      resolve: ({ watchers }) => watchers[0]!,
    }),
    watchers: t.field({
      type: [WatcherProgressType],
      description: 'How far the watcher has read every chain, the first one first.',
      resolve: ({ watchers }) => [...watchers],
    }),
    queues: t.field({
      type: [QueueType],
      description: 'The queues of jobs, each with what waits.',
      resolve: ({ queues }) => [...queues],
    }),
    wallets: t.field({
      type: [GasWalletType],
      description: 'The wallets that pay for the transactions of the server, on every chain.',
      resolve: ({ wallets }) => [...wallets],
    }),
    failingEndpoints: t.field({
      type: [FailingEndpointType],
      description: 'The webhook endpoints whose attempts fail, the longest first. At most 100.',
      resolve: ({ failingEndpoints }) => [...failingEndpoints],
    }),
    alarms: t.field({
      type: [AlarmType],
      description: 'What needs the operator now, each with what to do. `/healthz` knows the same.',
      resolve: ({ alarms }) => [...alarms],
    }),
    auditLog: t.connection(
      {
        type: AuditEntryType,
        description: 'The audit log of the operator, or of one merchant, newest first by default.',
        complexity: costOfPage,
        args: {
          wallet: t.arg({ type: 'Wallet', description: 'A merchant. Default: what concerns no single merchant.' }),
          filter: t.arg({ type: AuditFilterInput, description: 'Default: all entries.' }),
          orderBy: t.arg({ type: AuditOrderInput, description: 'Default: the newest first.' }),
        },
        resolve: (_, { wallet, filter, orderBy, ...page }, ctx) => {
          const owner = (wallet as Wallet | null | undefined) ?? PLATFORM;
          return connect(page, listAudit(ctx.db, owner, auditConditions(filter), orderBy?.direction ?? 'desc'));
        },
      },
      ...connectionTypes('PlatformAuditEntry', 'entries of the platform’s audit log'),
    ),
  }),
});

builder.queryField('platform', (t) =>
  t.field({
    type: PlatformType,
    complexity: OUTSIDE_POINTS,
    description: 'The whole installation, for its operator.',
    authScopes: { platform: true },
    resolve: (_, _args, ctx) => readPlatform(ctx),
  }),
);

const MAX_REASON = 1_000;
const reasonInput = z.object({ reason: text(MAX_REASON).min(1, { error: 'must not be empty' }) });

builder.mutationFields((t) => ({
  admitMerchant: t.field({
    ...audits('others', 'merchant.admitted'),
    type: PlatformMerchantType,
    description:
      'Admits a merchant that registered itself: the limits of all newcomers together do not apply to it any more.',
    authScopes: { platformSign: true },
    args: { wallet: t.arg({ type: 'Wallet', required: true, description: 'The merchant.' }) },
    resolve: async (_, { wallet }, ctx) => {
      await admitMerchant(ctx, wallet as Wallet);
      return readPlatformMerchant(ctx.db, ctx.clock(), wallet as Wallet);
    },
  }),
  suspendMerchant: t.field({
    ...audits('others', 'merchant.suspended'),
    type: PlatformMerchantType,
    description:
      'Suspends a merchant: new orders, receipts, quotes, subscriptions and charges are refused with `merchant_suspended`. Money that arrives is still credited.',
    authScopes: { platformSign: true },
    args: {
      wallet: t.arg({ type: 'Wallet', required: true, description: 'The merchant.' }),
      reason: t.arg.string({ required: true, description: 'Why; at most 1,000 characters. Buyers do not see it.' }),
    },
    resolve: async (_, { wallet, reason }, ctx) => {
      await suspendMerchant(ctx, wallet as Wallet, parseInput(reasonInput, { reason }).reason);
      return readPlatformMerchant(ctx.db, ctx.clock(), wallet as Wallet);
    },
  }),
  resumeMerchant: t.field({
    ...audits('others', 'merchant.resumed'),
    type: PlatformMerchantType,
    description: 'Ends the suspension of a merchant.',
    authScopes: { platformSign: true },
    args: { wallet: t.arg({ type: 'Wallet', required: true, description: 'The merchant.' }) },
    resolve: async (_, { wallet }, ctx) => {
      await resumeMerchant(ctx, wallet as Wallet);
      return readPlatformMerchant(ctx.db, ctx.clock(), wallet as Wallet);
    },
  }),
}));
