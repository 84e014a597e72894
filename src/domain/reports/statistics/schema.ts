import type { Currency } from '../../../base/core/amount.ts';
import { parseInput } from '../../../base/core/input.ts';
import { usdFromCents } from '../../../base/core/money.ts';
import { dayIn, textOfDay } from '../../../base/core/time-zone.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { AnswerSource } from '../../../base/graphql/answer-source.ts';
import { builder, throughParent } from '../../../base/graphql/builder.ts';
import type { Context } from '../../../base/graphql/context.ts';
import { CurrencyEnum } from '../../../base/graphql/vocabulary.ts';
import { revenueOf } from '../../payments/refunds/revenue.ts';
import { ReceiptStatusEnum } from '../../sales/receipts/status-types.ts';
import { merchantReadBy } from '../../shop/merchants/own-wallet.ts';
import { readShopConfig } from '../../shop/merchants/read-config.ts';
import { type Interval, isRelative } from './days.ts';
import { readStatisticsOnce, type Statistics } from './read-statistics.ts';
import { daysInput } from './statistics.input.ts';
import type { Figures, Group, Period } from './sums.ts';

const IntervalEnum = builder.enumType('StatisticsInterval', {
  description: 'The length of a period of statistics.',
  values: {
    DAY: { description: 'A day of the shop’s time zone.' },
    WEEK: { description: 'A week from Monday to Sunday.' },
    MONTH: { description: 'A calendar month.' },
  } satisfies Record<Interval, object>,
});

interface CurrencyFigures {
  readonly currency: Currency;
  readonly createdCents: number;
  readonly paidCents: number;
}

/** The figures by the currency of the receipts, those without receipts left out. */
function byCurrency(figures: Figures): CurrencyFigures[] {
  const { createdCents, paidCents, euroCreatedCents, euroCreatedUsdCents, euroPaidCents, euroPaidUsdCents } = figures;
  const all: readonly CurrencyFigures[] = [
    { currency: 'EUR', createdCents: euroCreatedCents, paidCents: euroPaidCents },
    { currency: 'USD', createdCents: createdCents - euroCreatedUsdCents, paidCents: paidCents - euroPaidUsdCents },
  ];
  return all.filter((one) => one.createdCents !== 0 || one.paidCents !== 0);
}

const CurrencyFiguresType = builder.objectRef<CurrencyFigures>('CurrencyFigures').implement({
  ...throughParent,
  description: 'Sums over the receipts of one currency, in this currency.',
  fields: (t) => ({
    currency: t.expose('currency', { type: CurrencyEnum, description: 'The currency of the receipts.' }),
    created: t.float({
      description: 'The totals of the receipts created in the period, paid or not, in major units.',
      resolve: ({ createdCents }) => usdFromCents(createdCents),
    }),
    gross: t.float({
      description: 'The totals of the receipts paid in the period, before refunds, in major units.',
      resolve: ({ paidCents }) => usdFromCents(paidCents),
    }),
  }),
});

const FiguresType = builder.objectRef<Figures>('ReceiptFigures').implement({
  ...throughParent,
  description: 'Sums over receipts, exact to the cent.',
  fields: (t) => ({
    count: t.exposeInt('createdCount', { description: 'The number of receipts created in the period.' }),
    createdUsd: t.field({
      type: 'Usd',
      description: 'The totals of the receipts created in the period, paid or not.',
      resolve: ({ createdCents }) => usdFromCents(createdCents),
    }),
    paidCount: t.exposeInt('paidCount', { description: 'The number of receipts paid in the period.' }),
    grossUsd: t.field({
      type: 'Usd',
      description: 'The totals of the receipts paid in the period, before refunds.',
      resolve: ({ paidCents }) => usdFromCents(paidCents),
    }),
    feesUsd: t.field({
      type: 'Usd',
      description: 'The processing fees included in `grossUsd`.',
      resolve: ({ feeCents }) => usdFromCents(feeCents),
    }),
    refundedUsd: t.field({
      type: 'Usd',
      description: 'What is refunded by now of the receipts paid in the period, whenever it was refunded.',
      resolve: ({ refundedCents }) => usdFromCents(refundedCents),
    }),
    taxUsd: t.field({
      type: 'Usd',
      description: 'The taxes included in `grossUsd`.',
      resolve: ({ taxCents }) => usdFromCents(taxCents),
    }),
    receivedUsd: t.field({
      type: 'Usd',
      description: 'What was received for the receipts paid in the period, in whole cents of each.',
      resolve: ({ receivedCents }) => usdFromCents(receivedCents),
    }),
    surplusUsd: t.field({
      type: 'Usd',
      description: 'What of `receivedUsd` is beyond the total of its receipt. It is no revenue.',
      resolve: ({ surplusCents }) => usdFromCents(surplusCents),
    }),
    shortfallUsd: t.field({
      type: 'Usd',
      description:
        'What is missing of the totals of the receipts paid in the period, because the merchant accepted less.',
      resolve: (figures) => usdFromCents(revenueOf(figures).shortfallCents),
    }),
    refundedRevenueUsd: t.field({
      type: 'Usd',
      description: 'What of `refundedUsd` was revenue: of each receipt what is more than its surplus.',
      resolve: (figures) => usdFromCents(revenueOf(figures).refundedRevenueCents),
    }),
    returnedSurplusUsd: t.field({
      type: 'Usd',
      description: 'What of `refundedUsd` was surplus: `refundedUsd` without `refundedRevenueUsd`.',
      resolve: ({ returnedSurplusCents }) => usdFromCents(returnedSurplusCents),
    }),
    netUsd: t.field({
      type: 'Usd',
      description:
        'What remains of the sales of the period by now: `grossUsd` without `shortfallUsd` and `refundedRevenueUsd`.',
      resolve: (figures) => usdFromCents(revenueOf(figures).netCents),
    }),
    sentBackUsd: t.field({
      type: 'Usd',
      description:
        'What was sent back in the period, by the day of each refund, whenever it was received, also of receipts that were never paid.',
      resolve: ({ sentBackCents }) => usdFromCents(sentBackCents),
    }),
    currencies: t.field({
      type: [CurrencyFiguresType],
      description:
        'The same receipts by the currency that they are priced in, each amount as it was asked for. Currencies without receipts are left out.',
      complexity: { field: 1, multiplier: 2 },
      resolve: byCurrency,
    }),
  }),
});

const GroupType = builder.objectRef<Group>('ReceiptStatsGroup').implement({
  ...throughParent,
  description: 'The receipts of a period with one status and token.',
  fields: (t) => ({
    status: t.expose('status', {
      type: ReceiptStatusEnum,
      description: 'The status that the receipts have now, as in `Receipt.status`.',
    }),
    token: t.exposeString('token', {
      nullable: true,
      description: 'The token that paid, as in `Receipt.paid.token`; null without a payment.',
    }),
    figures: t.field({ type: FiguresType, description: 'The sums of the group.', resolve: (group) => group }),
  }),
});

const PeriodType = builder.objectRef<Period>('ReceiptStatsPeriod').implement({
  ...throughParent,
  description: 'The receipts of some days.',
  fields: (t) => ({
    from: t.string({ description: 'The first day: `2026-11-16`.', resolve: ({ from }) => textOfDay(from) }),
    to: t.string({
      description: 'The last day, which is included: `2026-11-22`.',
      resolve: ({ to }) => textOfDay(to),
    }),
    figures: t.field({ type: FiguresType, description: 'The sums of the period.', resolve: (period) => period }),
    groups: t.field({
      type: [GroupType],
      complexity: { field: 1, multiplier: 4 },
      description: 'The period by status and token, in their order. Groups without receipts are left out.',
      resolve: ({ groups }) => [...groups],
    }),
  }),
});

const StatsType = builder.objectRef<Statistics>('ReceiptStats').implement({
  description: 'Sums of a merchant’s receipts over time.',
  authScopes: { scope: 'receipts:read', may: 'reports', platform: true },
  fields: (t) => ({
    total: t.expose('total', { type: PeriodType, description: 'All days of the range.' }),
    periods: t.field({
      type: [PeriodType],
      description:
        'The range by interval, oldest first, without gaps: periods without receipts have zeros. The first and the last contain only days of the range.',
      complexity: { field: 10, multiplier: 40 },
      resolve: ({ periods }) => [...periods],
    }),
    building: t.exposeBoolean('building', {
      description:
        'Older receipts are still being counted, after an upgrade or a restore, or in the days of another time zone; until then the sums are too low or in other days.',
    }),
    timeZone: t.exposeString('timeZone', {
      description: 'The time zone of the days: that of the shop’s profile, as soon as it is counted.',
    }),
  }),
});

interface Asked {
  readonly from: string;
  readonly to: string;
  readonly interval?: Interval | null;
  readonly wallet?: string | null;
}

/** The answer depends on nothing else than these statistics, the selection and the caller's rights. */
async function statisticsFor(context: Context, { from, to, interval: asked, wallet }: Asked): Promise<Statistics> {
  const merchant = merchantReadBy(context.caller, wallet as Wallet | null);
  const interval = asked ?? 'DAY';
  const today = isRelative(from) || isRelative(to) ? await todayOf(context, merchant) : Number.NaN;
  return readStatisticsOnce(context, merchant, parseInput(daysInput(today), { from, to, interval }), interval);
}

const todayOf = async (context: Context, merchant: Wallet): Promise<number> =>
  dayIn((await readShopConfig(context, merchant)).timeZone, context.clock());

builder.queryField('receiptStats', (t) =>
  t.field({
    type: StatsType,
    description:
      'The number and sums of the merchant’s receipts by day, week or month. Changes of the last seconds may be missing.',
    authScopes: { scope: 'receipts:read', may: 'reports', platform: true },
    args: {
      from: t.arg.string({
        required: true,
        description: 'The first day, by the shop’s time zone: `2026-01-01`, or days before today: `today-13`.',
      }),
      to: t.arg.string({
        required: true,
        description:
          'The last day, which is included: `2026-12-31`, or `today`. At most 400 days by `DAY`, 3,700 by `WEEK` and `MONTH`.',
      }),
      interval: t.arg({ type: IntervalEnum, defaultValue: 'DAY', description: 'The length of a period.' }),
      wallet: t.arg({
        type: 'Wallet',
        description: 'The merchant, named by platform admins. Default: the caller’s own.',
      }),
    },
    extensions: { answerSource: statisticsFor satisfies AnswerSource },
    resolve: (_root, args, context) => statisticsFor(context, args),
  }),
);
