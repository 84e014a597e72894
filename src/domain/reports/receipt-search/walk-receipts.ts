import type { Place } from '../../../base/core/cursor.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { isOpen, type ReceiptFilter } from './filter.input.ts';
import { conditionsNow, type FindDeps } from './find-receipts.ts';
import { boundsOf, type ReceiptOrder } from './order.ts';
import { COLLECT_MAX, planSearch } from './plan.ts';
import { collectQuery, type Driver, parametersOf, scanQuery } from './sources.ts';

/** What is walked, and how. */
export interface Walk {
  readonly merchant: Wallet;
  readonly filter: ReceiptFilter;
  readonly direction: ReceiptOrder['direction'];
  /** The most receipts of one step. */
  readonly size: number;
}

/** Whether a filter has no condition but a range of creation. Its receipts need no search. */
export const isEvery = (filter: ReceiptFilter): boolean =>
  isOpen({ ...filter, createdFrom: undefined, createdTo: undefined });

/** The receipts of a plan's driver in the order of creation. A facet's receipts come with those of other facets. */
const orderedDriver = (driver: Driver): Driver =>
  driver.kind === 'entry' || driver.kind === 'attention' ? driver : { kind: 'all' };

/**
 * The ids of all receipts that match a filter, in the order of creation, step by step. Each receipt comes once, also if
 * receipts are created and changed meanwhile: its time of creation never changes. Every statement reads a bounded
 * number of receipts, so that no limit of time ends a walk over many receipts of which few match; a step may be empty.
 */
export async function* walkReceipts(deps: FindDeps, walk: Walk): AsyncGenerator<readonly string[]> {
  const { merchant, filter, direction, size } = walk;
  const order = { field: 'createdAt', direction } as const;
  const conditions = await conditionsNow(deps, merchant, filter);
  const every = isEvery(filter);
  const plan = every ? null : await planSearch(deps.db, filter, conditions, order, COLLECT_MAX, { whole: true });
  if (plan?.method === 'collect') {
    const bounds = boundsOf(order, filter, {});
    const parameters = { ...conditions, ...bounds, ...parametersOf(plan.driver), limit: COLLECT_MAX * 2 };
    const found = await deps.db.run(collectQuery(plan.driver, order), parameters);
    for (let i = 0; i < found.length; i += size) yield found.slice(i, i + size).map(({ id }) => id);
    return;
  }
  const driver = plan && orderedDriver(plan.driver);
  const scan = scanQuery(driver, direction);
  let after: Place | null = null;
  for (;;) {
    const bounds = boundsOf(order, filter, { after });
    const parameters = { ...conditions, ...bounds, ...(driver && parametersOf(driver)), limit: size };
    const scanned = await deps.db.run(scan, parameters);
    yield scanned.filter(({ matched }) => matched).map(({ id }) => id);
    const last = scanned.at(-1);
    if (!last || scanned.length < size) return;
    after = [last.key, last.id];
  }
}
