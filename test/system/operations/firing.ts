import { readFileSync } from 'node:fs';
import { RULES_FILE, type Scene } from './promtool.ts';
import { type Series, scrape } from './scrape.ts';

const rules = readFileSync(RULES_FILE, 'utf8');

/** A scrape, and when it was made. */
export interface Scraped {
  readonly series: readonly Series[];
  /** On the monotonic clock, ms. */
  readonly at: number;
}

/** Everything that a server shows now at its metrics' address. */
export const scrapeNow = async (url: string): Promise<Scraped> => ({
  series: await scrape(url),
  at: performance.now(),
});

/** Counters, and ages of what waits: they grow as long as the fault lasts. */
const GROWING = /_(total|count|sum|bucket)$|_(age|oldest|failing|held)_seconds$/;
const INTERVAL_S = 15;
const SCRAPES = 720;

const keyOf = ({ name, labels }: Series) =>
  `${name}{${Object.entries({ ...labels, instance: 'test', job: 'quittance' })
    .map(([label, value]) => `${label}=${JSON.stringify(value)}`)
    .join(',')}}`;

/**
 * What two scrapes of a server show, as series of three hours: what grew between them grows on at the same rate, and
 * the rest stays. Only the metrics of the rules.
 */
function continued(first: Scraped, second: Scraped): Record<string, string> {
  const before = new Map(first.series.map((one) => [keyOf(one), one.value]));
  const elapsedS = (second.at - first.at) / 1000;
  const entries = second.series.flatMap((one) => {
    const base = one.name.replace(/_(bucket|count|sum)$/, '');
    if (!rules.includes(base)) return [];
    const key = keyOf(one);
    const growth = GROWING.test(one.name) ? Math.max(0, one.value - (before.get(key) ?? 0)) : 0;
    const step = growth === 0 ? 0 : (growth / elapsedS) * INTERVAL_S;
    return [[key, `${one.value.toFixed(6)}+${step.toFixed(6)}x${SCRAPES}`]];
  });
  return Object.fromEntries(entries);
}

/**
 * What Prometheus sees if the state of two scrapes lasts for three hours.
 *
 * @param alerts those that fire then
 * @param quiet alerts that do not fire
 */
export const sceneOf = (
  [first, second]: readonly [Scraped, Scraped],
  alerts: readonly string[],
  quiet: readonly string[] = [],
): Scene => ({ series: continued(first, second), firing: { '3h': alerts }, among: [...alerts, ...quiet] });
