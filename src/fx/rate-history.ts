import type { QuotedRate, RateTable } from '../core/rates.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';

/** A feed that says the same again and again is written down this often, so that its age stays known. */
const SAME_AGAIN_MS = 60_000;

const REMEMBER = statement(
  'fx-remember-rates',
  `insert into rate_history (currency, quoted_at, provider, usd_per_unit)
   select r.currency, r.quoted_at, r.provider, r.usd_per_unit
     from unnest($1::text[], $2::bigint[], $3::text[], $4::text[]) as r(currency, quoted_at, provider, usd_per_unit)
     left join lateral (select * from rate_history where currency = r.currency order by quoted_at desc limit 1) last on true
    where last.usd_per_unit is distinct from r.usd_per_unit or last.provider is distinct from r.provider
       or (r.provider <> 'static' and r.quoted_at >= last.quoted_at + ${SAME_AGAIN_MS})
   on conflict do nothing`,
);

/**
 * Writes down what has changed since it was last called. A rate set by hand holds from when it is first seen. What cannot be written is told in the log and
 * tried again with the next change.
 */
export function recordRates({ sql, clock, log }: Pick<Deps, 'sql' | 'clock' | 'log'>) {
  let written: RateTable = new Map();
  return async (table: RateTable): Promise<void> => {
    const news = [...table].filter(([currency, rate]) => !isSame(rate, written.get(currency)));
    if (news.length === 0) return;
    try {
      await sql.rows(REMEMBER, [
        news.map(([currency]) => currency),
        news.map(([, { quotedAt }]) => quotedAt ?? clock()),
        news.map(([, { provider }]) => provider),
        news.map(([, { usdPerUnit }]) => usdPerUnit),
      ]);
      written = table;
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'exchange rates could not be written down');
    }
  };
}

const isSame = (rate: QuotedRate, known: QuotedRate | undefined): boolean =>
  rate.usdPerUnit === known?.usdPerUnit && rate.quotedAt === known.quotedAt && rate.provider === known.provider;

const RATE_AT = statement(
  'fx-rate-at',
  `(select 0 as place, quoted_at as "quotedAt", provider, usd_per_unit as "usdPerUnit"
      from rate_history where currency = $1 and quoted_at <= $2 order by quoted_at desc limit 1)
   union all
   (select 1, quoted_at, provider, usd_per_unit from rate_history where currency = $1 and quoted_at > $2 order by quoted_at limit 1)
   order by place limit 1`,
);

/** The newest rate that was not quoted after a moment (epoch ms), else the oldest after it; null where none is known. Refuses with `datastore_unavailable`. */
export async function readRateAt(
  { sql }: Pick<Deps, 'sql'>,
  currency: string,
  atMs: number,
): Promise<QuotedRate | null> {
  const [rate] = await sql.rows<QuotedRate>(RATE_AT, [currency, atMs]);
  if (!rate) return null;
  const { usdPerUnit, provider, quotedAt } = rate;
  return { usdPerUnit, provider, quotedAt: provider === 'static' ? null : quotedAt };
}
