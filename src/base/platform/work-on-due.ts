import type { Wallet } from '../core/wallet.ts';
import type { Deps } from './deps.ts';
import { isOutage } from './log/outage.ts';

/**
 * Does the work of one of many items. An item that fails is logged and does not stop the others; an outage of the
 * database does. Returns what the work returns, null if it failed.
 */
export async function workOnOne<Result>(
  log: Deps['log'],
  message: string,
  item: object,
  work: () => Promise<Result>,
): Promise<Result | null> {
  try {
    return await work();
  } catch (error) {
    if (isOutage(error)) throw error;
    log.error({ err: error, ...item }, message);
    return null;
  }
}

/** The place of an item in the order of reading. `dueAt` in epoch ms. */
export interface DuePlace {
  readonly dueAt: number;
  readonly merchant: Wallet;
  readonly id: string;
}

/**
 * Does the work of each due item, page by page in the order of `DuePlace`. An item that stays due is asked about once a
 * pass.
 *
 * @param read reads the page after a place, of at most `batch` items
 * @returns for how many items `work` returned true
 */
export async function workOnDue<Item extends DuePlace>(
  { log }: Pick<Deps, 'log'>,
  message: string,
  { batch, read }: { readonly batch: number; readonly read: (after: DuePlace) => Promise<readonly Item[]> },
  work: (item: Item) => Promise<boolean>,
): Promise<number> {
  let done = 0;
  let after: DuePlace = { dueAt: -1, merchant: '' as Wallet, id: '' };
  for (;;) {
    const due = await read(after);
    for (const item of due) if (await workOnOne(log, message, item, () => work(item))) done += 1;
    const last = due.at(-1);
    if (!last || due.length < batch) return done;
    after = last;
  }
}
