import { sql } from 'kysely';
import type { QuotedRate, RateProvider, RateTable } from '../../../base/core/rates.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { SWEEP_BATCH, sweep } from '../../../base/platform/sweep.ts';

/** The interval at which an unchanged rate of a feed is recorded, so that its age is known. */
const SAME_AGAIN_MS = 60_000;

interface RateColumns {
  readonly currencies: readonly string[];
  readonly quotedAt: readonly number[];
  readonly providers: readonly string[];
  readonly usdPerUnit: readonly string[];
}

interface GivenRate {
  readonly currency: string;
  readonly at: number;
  readonly provider: string;
  readonly usd: string;
}

/** Inserts the rates that differ from the last one of their currency. */
const RECORD = query('fx-record-rates', (db, $: RateColumns) =>
  db
    .insertInto('PastRate')
    .columns(['currency', 'quotedAt', 'provider', 'usdPerUnit'])
    .expression((eb) =>
      eb
        .selectFrom(
          sql<GivenRate>`unnest(${$.currencies}::text[], ${$.quotedAt}::int8[], ${$.providers}::text[],
            ${$.usdPerUnit}::text[])`.as<'r'>(sql`r(currency, at, provider, usd)`),
        )
        .leftJoinLateral(
          (rates) =>
            rates
              .selectFrom('PastRate as h')
              .select(['h.quotedAt as at', 'h.provider', 'h.usdPerUnit as usd'])
              .whereRef('h.currency', '=', 'r.currency')
              .orderBy('h.quotedAt', 'desc')
              .limit(1)
              .as('last'),
          (join) => join.onTrue(),
        )
        .select(['r.currency', 'r.at', 'r.provider', 'r.usd'])
        .where((where) =>
          where.or([
            where('last.usd', 'is distinct from', where.ref('r.usd')),
            where('last.provider', 'is distinct from', where.ref('r.provider')),
            where.and([where('r.provider', '<>', 'static'), where('r.at', '>=', where('last.at', '+', SAME_AGAIN_MS))]),
          ]),
        ),
    )
    .onConflict((conflict) => conflict.doNothing()),
);

/**
 * Returns a function that records the rates that have changed since its last call. A static rate is valid from the time
 * at which it is first seen. A failed write is logged, and tried again with the next change.
 */
export function recordRates(deps: Pick<Deps, 'db' | 'clock' | 'log'>) {
  let recorded: RateTable = new Map();
  return async (table: RateTable): Promise<void> => {
    const changed = [...table].filter(([currency, rate]) => !isSame(rate, recorded.get(currency)));
    if (changed.length === 0) return;
    try {
      await deps.db.run(RECORD, {
        currencies: changed.map(([currency]) => currency),
        quotedAt: changed.map(([, { quotedAt }]) => quotedAt ?? deps.clock()),
        providers: changed.map(([, { provider }]) => provider),
        usdPerUnit: changed.map(([, { usdPerUnit }]) => usdPerUnit),
      });
      recorded = table;
    } catch (error) {
      deps.log.warn({ reason: (error as Error).message }, 'exchange rates could not be recorded');
    }
  };
}

const isSame = (rate: QuotedRate, known: QuotedRate | undefined): boolean =>
  rate.usdPerUnit === known?.usdPerUnit && rate.quotedAt === known.quotedAt && rate.provider === known.provider;

const RATE_AT = query(
  'fx-rate-at',
  (db, $: { currency: string; atMs: number }) => {
    const rates = db
      .selectFrom('PastRate')
      .select(['quotedAt as at', 'provider', 'usdPerUnit as usd'])
      .where('currency', '=', $.currency);
    return db
      .with('before', () => rates.where('quotedAt', '<=', $.atMs).orderBy('quotedAt', 'desc').limit(1))
      .with('later', () => rates.where('quotedAt', '>', $.atMs).orderBy('quotedAt').limit(1))
      .selectFrom('before')
      .select(['at', 'provider', 'usd', sql<number>`0`.as('place')])
      .unionAll((eb) => eb.selectFrom('later').select(['at', 'provider', 'usd', sql<number>`1`.as('place')]))
      .orderBy('place')
      .limit(1);
  },
  { computed: { at: 'int8', provider: 'text', usd: 'text', place: 'int4' } },
);

/**
 * The newest rate quoted at or before a time (epoch ms), else the oldest after it; null if there is none. Throws
 * `datastore_unavailable`.
 */
export async function readRateAt(db: Db, currency: string, atMs: number): Promise<QuotedRate | null> {
  const [rate] = await db.run(RATE_AT, { currency, atMs });
  if (!rate) return null;
  const { usd, provider, at } = rate;
  return { usdPerUnit: usd, provider: provider as RateProvider, quotedAt: provider === 'static' ? null : at };
}

const RATE_AFTER = query('fx-rate-after', (db, $: { currency: string; atMs: number }) =>
  db
    .selectFrom('PastRate')
    .select(['quotedAt', 'usdPerUnit'])
    .where('currency', '=', $.currency)
    .where('quotedAt', '>', $.atMs)
    .orderBy('quotedAt')
    .limit(1),
);

/** The first rate quoted after a time (epoch ms); null if there is none yet. Throws `datastore_unavailable`. */
export async function readRateAfter(
  db: Db,
  currency: string,
  atMs: number,
): Promise<{ readonly quotedAt: number; readonly usdPerUnit: string } | null> {
  const [rate] = await db.run(RATE_AFTER, { currency, atMs });
  return rate ?? null;
}

/** Keeps the newest rate before the first relevant time, because it was valid at that time. */
const FORGET = query(
  'fx-forget-rates',
  (db, $: { before: number; currencies: readonly string[]; neededSince: readonly number[] }) =>
    db
      .with('gone', (gone) =>
        gone
          .deleteFrom('PastRate')
          .where((eb) => {
            const needed = sql<{ currency: string; since: number }>`unnest(${$.currencies}::text[],
              ${$.neededSince}::int8[])`.as<'needed'>(sql`needed(currency, since)`);
            const replaced = eb
              .selectFrom('PastRate as h')
              .leftJoin(needed, (join) => join.onRef('needed.currency', '=', 'h.currency'))
              .select(sql`h.ctid`.as('ctid'))
              .where('h.quotedAt', '<', $.before)
              .where(({ selectFrom, exists }) =>
                exists(
                  selectFrom('PastRate as later')
                    .select('later.currency')
                    .whereRef('later.currency', '=', 'h.currency')
                    .whereRef('later.quotedAt', '>', 'h.quotedAt')
                    .where('later.quotedAt', '<=', sql<number>`least(${$.before}::int8, needed.since)`),
                ),
              )
              .limit(SWEEP_BATCH);
            return sql<boolean>`ctid in ${replaced}`;
          })
          .returning('currency'),
      )
      .selectFrom('gone')
      .select((eb) => eb.fn.countAll<number>().as('count')),
  { computed: { count: 'int8' } },
);

/**
 * Deletes the rates that are not needed any more: those that were replaced before `before` (epoch ms), and for a
 * currency in `neededSince` also before that time. Returns the number of deleted rates.
 */
export const forgetRates = (db: Db, before: number, neededSince: ReadonlyMap<string, number>): Promise<number> =>
  sweep(db, FORGET, { before, currencies: [...neededSince.keys()], neededSince: [...neededSince.values()] });
