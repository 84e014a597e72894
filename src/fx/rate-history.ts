import type { QuotedRate, RateTable } from '../core/rates.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';

/** The interval at which an unchanged rate of a feed is recorded, so that its age is known. */
const SAME_AGAIN_MS = 60_000;

const RECORD = statement(
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
 * Returns a function that records the rates that have changed since its last call. A static rate is valid from the time
 * at which it is first seen. A failed write is logged, and tried again with the next change.
 */
export function recordRates({ sql, clock, log }: Pick<Deps, 'sql' | 'clock' | 'log'>) {
  let recorded: RateTable = new Map();
  return async (table: RateTable): Promise<void> => {
    const changed = [...table].filter(([currency, rate]) => !isSame(rate, recorded.get(currency)));
    if (changed.length === 0) return;
    try {
      await sql.rows(RECORD, [
        changed.map(([currency]) => currency),
        changed.map(([, { quotedAt }]) => quotedAt ?? clock()),
        changed.map(([, { provider }]) => provider),
        changed.map(([, { usdPerUnit }]) => usdPerUnit),
      ]);
      recorded = table;
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'exchange rates could not be recorded');
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

/**
 * The newest rate quoted at or before a time (epoch ms), else the oldest after it; null if there is none. Throws
 * `datastore_unavailable`.
 */
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
