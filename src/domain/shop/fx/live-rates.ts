import type { Chain } from '../../../base/chain/client.ts';
import { readPriceFeed } from '../../../base/chain/price-feeds.ts';
import type { Clock } from '../../../base/core/clock.ts';
import { LOCAL_CHAIN_ID } from '../../../base/core/local-chains.ts';
import type { QuotedRate, RateTable } from '../../../base/core/rates.ts';
import { DESTINATIONS } from '../../../base/outgoing/destinations.ts';
import type { Config } from '../../../base/platform/config/config.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { fetchEcb } from './ecb.ts';
import { recordRates } from './rate-history.ts';
import { staticTable } from './rates.ts';

/** The current exchange rates, refreshed until `close`. */
export interface LiveRates {
  table(): RateTable;
  close(): Promise<void>;
}

type RatesDeps = Pick<Deps, 'db' | 'settings' | 'chain' | 'clock' | 'log'>;

/** A source of rates. A failure for one currency does not affect the others. */
interface Source {
  readonly read: Readonly<Record<string, (signal: AbortSignal) => Promise<QuotedRate>>>;
  readonly intervalMs: number;
}

/** The delay of a retry after a failure. */
const RETRY_MS = 10_000;
/** How long the start waits for the first answer. */
const FIRST_WAIT_MS = 2_000;
const MINUTE_MS = 60_000;

/** Reads the rate of each currency that FX_SOURCE covers; none for static rates. */
export function rateReaders(
  { fx }: Pick<Config, 'fx'>,
  chainOf: () => Chain,
  clock: Clock,
): Readonly<Record<string, (signal: AbortSignal) => Promise<QuotedRate>>> {
  if (fx.source === 'ecb') return { EUR: (signal) => fetchEcb(fx.ecbUrl, clock(), signal) };
  if (fx.source === 'static') return {};
  const chain = chainOf();
  const readers = [...fx.feeds].map(([currency, feed]) => {
    const read = async (): Promise<QuotedRate> => {
      const { usdPerUnit, updatedAt } = await readPriceFeed(chain, feed);
      // The chain's clock may be ahead of this machine's.
      return { usdPerUnit, quotedAt: Math.min(updatedAt, clock()), provider: 'chainlink' };
    };
    return [currency, read] as const;
  });
  return Object.fromEntries(readers);
}

/** The configured source; null for static rates. */
function sourceOf({ settings, chain, clock }: RatesDeps): Source | null {
  const { source } = settings.fx;
  if (source === 'static') return null;
  const often = source === 'chainlink' && chain.chainId === LOCAL_CHAIN_ID;
  const intervalMs = source === 'ecb' ? 60 * MINUTE_MS : often ? 1_000 : MINUTE_MS;
  return { read: rateReaders(settings, () => chain, clock), intervalMs };
}

/**
 * Opens the rates of `FX_SOURCE` and refreshes them in the background. A currency that the source covers has no other
 * source: while the source does not answer, the last rate is used until it is too old. Other currencies use `FX_RATES`.
 * The start waits at most 2 s for the first answer. Each change is recorded, so that past rates can be read later.
 */
export async function openRates(deps: RatesDeps): Promise<LiveRates> {
  const { settings } = deps;
  const fixed = staticTable(settings.fx.rates);
  const source = sourceOf(deps);
  const record = recordRates(deps);
  if (!source) {
    const recorded = record(fixed);
    return { table: () => fixed, close: () => recorded };
  }

  const covered = Object.entries(source.read);
  const ended = new AbortController();
  const failing = failureLog(deps);
  let table: RateTable = new Map([...fixed].filter(([currency]) => !(currency in source.read)));

  async function refresh(): Promise<boolean> {
    const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(DESTINATIONS.rates.timeoutMs)]);
    const answers = await Promise.all(
      covered.map(async ([currency, read]) => {
        try {
          const rate = await read(signal);
          failing.end(currency);
          return [currency, rate] as const;
        } catch (error) {
          if (!ended.signal.aborted) failing.note(currency, error as Error);
          return null;
        }
      }),
    );
    const next = new Map(table);
    for (const answer of answers) if (answer && !isOlder(answer[1], table.get(answer[0]))) next.set(...answer);
    table = next;
    await record(table);
    return answers.every((answer) => answer !== null);
  }

  const intervalMs = Math.max(1_000, Math.min(source.intervalMs, settings.fx.maxAgeMs / 4));
  let timer: NodeJS.Timeout | undefined;
  let refreshing: Promise<void> = Promise.resolve();
  function refreshRepeatedly(): Promise<void> {
    refreshing = refresh().then((complete) => {
      if (ended.signal.aborted) return;
      timer = setTimeout(refreshRepeatedly, complete ? intervalMs : Math.min(intervalMs, RETRY_MS)).unref();
    });
    return refreshing;
  }

  let firstWait: NodeJS.Timeout | undefined;
  await Promise.race([refreshRepeatedly(), new Promise((resolve) => (firstWait = setTimeout(resolve, FIRST_WAIT_MS)))]);
  clearTimeout(firstWait);
  return {
    table: () => table,
    async close() {
      ended.abort();
      clearTimeout(timer);
      await refreshing;
    },
  };
}

/** The interval of lines about a source that goes on failing. */
const REPEAT_MS = 600_000;

/** Logs the first failure for a currency, one again every ten minutes, and its end. */
function failureLog({ settings, log }: Pick<RatesDeps, 'settings' | 'log'>) {
  const loggedAt = new Map<string, number>();
  const { source } = settings.fx;
  return {
    note(currency: string, { message }: Error) {
      const now = performance.now();
      if (now - (loggedAt.get(currency) ?? Number.NEGATIVE_INFINITY) < REPEAT_MS) return;
      loggedAt.set(currency, now);
      log.warn({ alert: 'rate_unavailable', currency, source, reason: message.split('\n')[0] }, 'no exchange rate');
    },
    end(currency: string) {
      if (loggedAt.delete(currency)) log.warn({ currency, source }, 'the exchange rate is read again');
    },
  };
}

/** Whether a rate is older than the known one. A lagging node must not replace a newer rate. */
const isOlder = (quoted: QuotedRate, known: QuotedRate | undefined): boolean =>
  known !== undefined && (quoted.quotedAt ?? 0) < (known.quotedAt ?? 0);
