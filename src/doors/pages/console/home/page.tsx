import { useEffect, useRef, useState } from 'preact/hooks';
import { isOperator, useRights } from '../client/access.ts';
import { useRead } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { Icon } from '../client/icon.tsx';
import { useInside } from '../client/inside.ts';
import { moneyText, sumText } from '../client/money-text.ts';
import { PageHead } from '../client/page-head.tsx';
import { useReadOnNews } from '../client/receipts-feed.ts';
import { Rows, SkeletonRows } from '../client/rows.tsx';
import { Section } from '../client/section.tsx';
import { ConsoleShop } from '../generated/client.ts';
import { Home, HomeGas, type HomeQuery } from '../generated/home.ts';
import { locale, words } from '../shared/words.ts';
import { type Compared, DAYS, type DailySales, figuresOf, type Sales as Sold } from './figures.ts';

/** The first page: today against last week, money on its way, and what needs the merchant. */
export default function HomePage() {
  const { may } = useRights();
  const [hidden, hide] = useHidden();
  const { data, problem, again } = useRead(Home, { ...DAYS, setUp: may('split') && !hidden });
  const steps = hidden ? [] : (data?.onboarding?.steps ?? []);
  const isNew = steps.some(({ step, done }) => step === 'order' && !done);
  useReadOnNews(again);
  return (
    <>
      <PageHead
        title={words.home.title}
        lead={data ? words.period.zone({ zone: data.receiptStats.timeZone.replaceAll('_', ' ') }) : '\u00a0'}
      />
      <ErrorNote problem={problem} again={again} />
      {isNew && <SetUp steps={steps} onHide={hide} />}
      <Sales data={data} />
      <NeedsYou data={data} />
      {!isNew && <SetUp steps={steps} onHide={hide} />}
    </>
  );
}

interface HomeProps {
  /** Undefined while it is being read. */
  readonly data: HomeQuery | undefined;
}

/** The chart before the figures are read. */
const NO_SALES: DailySales = { currency: 'USD', days: [] };

function Sales({ data }: HomeProps) {
  const own = useRead(ConsoleShop, {}).data?.pricingConfig.nativeCurrency;
  const figures = data && own ? figuresOf(data.receiptStats, data.lastYear.periods, own) : undefined;
  const { today, week, onItsWay, chart = NO_SALES } = figures ?? {};
  return (
    <div class="figures" aria-busy={figures === undefined}>
      <Figure
        name={words.home.today}
        value={today && sumText(today.sales.net)}
        note={today && against(today, words.home.lastWeekDay, words.home.lastYearDay)}
      />
      <Figure
        name={words.home.week}
        value={week && sumText(week.sales.net)}
        note={week && against(week, words.home.weekBefore, words.home.lastYearWeek)}
      />
      <Figure
        name={words.home.onItsWay}
        value={onItsWay && sumText(onItsWay.sums)}
        note={onItsWay && words.home.onItsWayNote({ count: onItsWay.count })}
        href="/console/receipts?show=moving"
      />
      <div class="card chart-card">
        <p class="figure-name">
          {figures && chart.currency !== own ? words.home.chartInDollars : words.home.chart}
          {chart.days.length > 0 && `: ${rangeText(chart.days)}`}
        </p>
        <Chart {...chart} />
      </div>
    </div>
  );
}

type Says = (values: { readonly amount: string }) => string;

/** What was refunded of the sales, and what they are compared with. A year without sales is no comparison. */
function against({ sales, before, yearBefore }: Compared, weekAgo: Says, yearAgo: Says): string {
  return [
    words.home.payments({ count: sales.paid }),
    refundedText(sales),
    weekAgo({ amount: sumText(before.net) }),
    yearBefore.paid > 0 ? yearAgo({ amount: sumText(yearBefore.net) }) : '',
  ]
    .filter(Boolean)
    .join(' · ');
}

const refundedText = ({ gross, refundedUsd }: Sold): string =>
  refundedUsd > 0 ? words.home.refunded({ gross: sumText(gross), refunded: moneyText(refundedUsd, 'USD') }) : '';

const chartDay = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** The first and the last day of the chart. */
const rangeText = (days: DailySales['days']): string =>
  chartDay.formatRange(new Date(days[0]!.from), new Date(days.at(-1)!.from));

interface FigureProps {
  readonly name: string;
  readonly value: string | undefined;
  readonly note: string | undefined;
  readonly href?: string;
}

function Figure({ name, value, note, href }: FigureProps) {
  return (
    <div class="card figure">
      <p class="figure-name">{href ? <a href={href}>{name}</a> : name}</p>
      <p class="figure-value number">{value ?? <span class="skeleton" />}</p>
      <p class="soft">{note ?? '\u00a0'}</p>
    </div>
  );
}

/** Where the server stops counting what needs the merchant. */
const MOST = 100;
const upTo = (count: number): string => (count >= MOST ? `${MOST - 1}+` : String(count));

/** Each line leads to the place where it is solved, if the role may open it. */
function NeedsYou({ data }: HomeProps) {
  const { mayFollow } = useRights();
  const lowWallets = useLowWallets(data !== undefined);
  if (!data)
    return (
      <Section title={words.home.needsYou}>
        <SkeletonRows count={2} />
      </Section>
    );
  const { attention } = data;
  const lines = [
    {
      count: Number(attention.suspendedAt !== null),
      say: () => words.home.suspended,
      href: '/console/audit?what=merchant_suspended',
    },
    { count: Number(attention.takesNothing), say: () => words.home.takesNothing, href: '/console/shop?show=networks' },
    { count: attention.unmatchedTransfers, say: words.home.unmatched, href: '/console/unmatched' },
    { count: attention.receipts, say: words.home.attention, href: '/console/receipts?show=attention' },
    { count: attention.refunds, say: words.home.refunds, href: '/console/refunds' },
    { count: attention.failedDeliveries, say: words.home.failedDeliveries, href: '/console/webhooks?state=failed' },
    { count: attention.pastDueSubscriptions, say: words.home.pastDue, href: '/console/plans' },
    { count: attention.lowStock, say: words.home.lowStock, href: '/console/catalog?stock=low' },
    { count: lowWallets, say: words.home.lowGas, href: '/console/operator' },
  ].filter(({ count }) => count > 0);
  return (
    <Section title={words.home.needsYou}>
      {lines.length === 0 ? (
        <p class="card calm">
          <Icon name="check" />
          {words.home.nothing}
        </p>
      ) : (
        <Rows label={words.home.needsYou}>
          {lines.map(({ count, say, href }) => {
            const opens = mayFollow(href);
            return (
              <li key={href} class="row need">
                {opens ? (
                  <a class="row-link" href={href}>
                    {say({ count, shown: upTo(count) })}
                  </a>
                ) : (
                  say({ count, shown: upTo(count) })
                )}
                {opens && <Icon name="right" />}
              </li>
            );
          })}
        </Rows>
      )}
    </Section>
  );
}

/**
 * How many of the server's wallets run out of gas; 0 for everyone but the operator. The chain is asked for it, so the
 * page does not wait for the answer.
 */
function useLowWallets(isPageRead: boolean): number {
  const isAsked = isOperator(useInside().session) && isPageRead;
  const { data } = useRead(HomeGas, {}, { pause: !isAsked });
  return data?.platform.wallets.filter(({ low }) => low).length ?? 0;
}

/** Sales by day. The library is loaded after the page; the same numbers are in a table for screen readers. */
function Chart({ currency, days }: DailySales) {
  const isEmpty = days.every(({ amount }) => amount === 0);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isEmpty || !place.current) return;
    const target = place.current;
    let remove = () => {};
    let over = false;
    void import('./draw-chart.ts').then(({ drawChart }) => {
      if (!over) remove = drawChart(target, { currency, days });
    });
    return () => {
      over = true;
      remove();
    };
  }, [currency, JSON.stringify(days)]);
  return (
    <>
      <div class="chart" ref={place} aria-hidden="true">
        {isEmpty && days.length > 0 && <p class="soft chart-empty">{words.home.noSales}</p>}
      </div>
      <table class="unseen">
        <caption>{words.home.chart}</caption>
        <tbody>
          {days.map(({ from, amount }) => (
            <tr key={from}>
              <th scope="row">{from}</th>
              <td>{moneyText(amount, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

type Steps = NonNullable<HomeQuery['onboarding']>['steps'];

const HIDDEN = 'console.start.hidden';

/** Whether this browser hides what is left of the setup, and how it is hidden. */
function useHidden(): readonly [hidden: boolean, hide: () => void] {
  const [hidden, setHidden] = useState(() => localStorage.getItem(HIDDEN) !== null);
  const hide = () => {
    localStorage.setItem(HIDDEN, '1');
    setHidden(true);
  };
  return [hidden, hide];
}

/** What is left of the setup of the shop; nothing once all is done. */
function SetUp({ steps, onHide }: { readonly steps: Steps; readonly onHide: () => void }) {
  const left = steps.filter(({ done }) => !done);
  if (left.length === 0) return null;
  return (
    <Section title={words.start.homeTitle}>
      <Rows label={words.start.homeTitle}>
        {left.map(({ step }) => (
          <li key={step} class="row need">
            <a class="row-link" href={`/console/start?step=${step}`}>
              {words.start.steps[step].title}
            </a>
            <Icon name="right" />
          </li>
        ))}
      </Rows>
      <p class="set-up-foot">
        <span class="soft">{words.start.progress({ done: steps.length - left.length, all: steps.length })}</span>
        <Button kind="plain" onClick={onHide}>
          {words.start.homeHide}
        </Button>
      </p>
    </Section>
  );
}
