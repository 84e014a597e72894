import type { Shop, Took } from './shop.ts';

/** A migration, and how long it ran. */
export interface Step {
  readonly migration: string;
  readonly ms: number;
}

/** The orders that a p99 needs. */
const ENOUGH = 100;
/** How many times as long the p99 of an order may be while a migration runs. */
const FACTOR = 3;
/** The migrations that the report shows. */
const SHOWN = 12;

const beside = ({ orders }: Shop, migration: string | null) => orders.filter(({ during }) => during === migration);

/** Null: there are too few. */
function p99(times: readonly Took[]): number | null {
  if (times.length < ENOUGH) return null;
  return times.map(({ ms }) => ms).toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? null;
}

/** The migrations beside which the p99 of an order was more than three times that of orders beside none. */
export function compareSteps(steps: readonly Step[], shop: Shop): string[] {
  const limit = FACTOR * (p99(beside(shop, null)) as number);
  return steps.filter(({ migration }) => (p99(beside(shop, migration)) ?? 0) > limit).map(({ migration }) => migration);
}

/** The longest of them, with the statement that took most of it. */
function longestOf(times: readonly Took[]): string {
  const [first] = times.toSorted((a, b) => b.ms - a.ms);
  if (!first) return 'none';
  const { ms, longest } = first;
  return `${Math.round(ms)} ms (${longest.name}: ${Math.round(longest.ms)} ms)`;
}

/** A table of the migrations that took longest, with the orders that were placed meanwhile. */
export function reportSteps(
  steps: readonly Step[],
  shop: Shop,
  { receipts, waits }: { readonly receipts: number; readonly waits: readonly string[] },
): string {
  const row = (name: string, seconds: string, orders: readonly Took[]) => {
    const tail = p99(orders);
    const cells = [name, seconds, orders.length, tail === null ? '' : `${Math.round(tail)} ms`, longestOf(orders)];
    return `| ${cells.join(' | ')} |`;
  };
  const all = shop.orders.filter(({ during }) => during !== null);
  const total = steps.reduce((sum, { ms }) => sum + ms, 0);
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  return `${[
    `${receipts} receipts, ${steps.length} migrations: ${shop.placed.length} orders, none failed; ` +
      `longest read of a receipt ${longestOf(shop.reads)}; waits for a lock: ${waits.length}`,
    '| Migration | It took | Orders | p99 of an order | Longest order |',
    row('None', '', beside(shop, null)),
    row('All', seconds(total), all),
    ...steps
      .toSorted((a, b) => b.ms - a.ms)
      .slice(0, SHOWN)
      .map(({ migration, ms }) => row(migration, seconds(ms), beside(shop, migration))),
  ].join('\n')}\n`;
}
