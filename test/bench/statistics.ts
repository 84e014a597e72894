import { STATISTICS as STATISTICS_POSITION } from '../../src/domain/reports/statistics/count.ts';
import type { Environment, Shop } from './environment.ts';
import { contestant, type Measuring } from './measure.ts';
import { GRAPHQL } from './paths.ts';
import type { BenchProgram } from './programs.ts';
import { post } from './requests.ts';
import { compare, type Round } from './rounds.ts';
import type { Line } from './table.ts';

/** What is measured of the statistics. The goal: a year costs at most what two receipts by id cost. */
export const STATISTICS = { name: 'receiptStats of a year by day', against: 'two look-ups', goal: 1 } as const;

const CONNECTIONS = 4;
/** 2023-01-01, as days since 1970-01-01. */
const FIRST_DAY = 19_358;

const QUERY = `query Year($from: String!, $to: String!) {
  receiptStats(from: $from, to: $to, interval: DAY) {
    building
    total { figures { ...Sums } groups { status token figures { ...Sums } } }
    periods { from figures { ...Sums } }
  }
}
fragment Sums on ReceiptFigures { count paidCount grossUsd refundedUsd }`;

/** A year of receipts with four pairs of status and token a day, packed as the statistics' worker packs them. */
const FILL = `
  insert into receipt_months
  select $1, month, json_agg(json_build_array(status, token, days, counts, cents, counts, cents, zeros, zeros))::text
    from (select extract(year from at) * 12 + extract(month from at) - 23641 as month, status, token,
                 json_agg(at::date - date '1970-01-01') as days, json_agg(7) as counts, json_agg(123456) as cents,
                 json_agg(0) as zeros
            from generate_series(timestamp '2023-01-01', timestamp '2023-12-31', interval '1 day') at,
                 unnest(array['completed', 'paid']) status, unnest(array['USDC', 'USDT']) token
           group by 1, 2, 3) months
   group by month`;

/** One day changes, as the worker writes it. */
const CHANGE = {
  name: 'bench-statistics-change',
  text: `with position as (update receipt_followers set step = step + 1 where name = 'statistics')
         update receipt_months set groups = groups
          where merchant = $1 and month = (select max(month) from receipt_months where merchant = $1)`,
};

const doubled = (round: Round): Round => ({
  ...round,
  perSecond: round.perSecond / 2,
  serverUs: round.serverUs && round.serverUs * 2,
  databaseUs: round.databaseUs && round.databaseUs * 2,
});

/** The statistics of a year, of which a day changes once for every ten reads, against two receipts by id. */
export async function benchStatistics(
  { db, deps }: Environment,
  shop: Shop,
  { port, pid, memoryMiB }: BenchProgram,
  { rounds, ...measuring }: Measuring & { readonly rounds: number },
): Promise<Line> {
  // No worker runs, so the position of one is made here.
  await STATISTICS_POSITION.require(deps.db);
  await db.query(FILL, [shop.wallet]);
  await db.query('vacuum analyze receipt_months');
  const auth = { 'ocp-apim-subscription-key': shop.key };
  const [from, to] = [FIRST_DAY, FIRST_DAY + 364].map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10));
  const request = post('/api/graphql', { query: QUERY, variables: { from, to } }, auth);
  const change = () => db.query({ ...CHANGE, values: [shop.wallet] });
  const load = { port, connections: CONNECTIONS, next: () => request };
  const year = await contestant({ pid, load, change }, measuring);
  const lookUp = await contestant({ pid, load: { ...load, next: GRAPHQL.server(shop) } }, measuring);
  const result = await compare(rounds, year, async () => doubled(await lookUp()));
  return { ...STATISTICS, ...result, memoryMiB: memoryMiB() };
}
