import { Refusal, refuse } from '../../../base/core/errors.ts';
import { parseInput } from '../../../base/core/input.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { requireOwnWallet } from '../merchants/own-wallet.ts';
import { raiseVersion } from '../merchants/version.ts';
import type { ItemRecord } from './item.entity.ts';
import { itemInput } from './item.input.ts';
import { putItem, readItems, storeItems } from './write-item.ts';

/** The most items of one request. */
export const MAX_ITEMS = 100;

/** What became of one entry of a request: the item, or why it was refused. */
export interface SavedItem {
  readonly sku: string;
  readonly outcome: ItemRecord | Refusal;
}

/**
 * Does what `saveItem` does for each entry, in one transaction. Refused entries change nothing, and the others are
 * saved; an SKU may be in the list again. Refuses the request with `invalid_input` if the list is too long.
 */
export async function saveItems(
  deps: Pick<Deps, 'db' | 'clock'>,
  merchant: Wallet,
  entries: readonly { readonly sku: string }[],
): Promise<SavedItem[]> {
  if (entries.length > MAX_ITEMS)
    throw refuse('invalid_input', `input must have at most ${MAX_ITEMS} entries`, {
      field: 'input',
      reason: 'too_many',
      most: MAX_ITEMS,
    });
  const read = entries.map((entry) =>
    attempt(() => {
      const given = parseInput(itemInput, entry);
      requireOwnWallet(merchant, given.wallet);
      return given;
    }),
  );
  const accepted = read.flatMap((given) => (given instanceof Refusal ? [] : [given]));
  if (accepted.length === 0) return named(entries, read as Refusal[]);
  return deps.db.transaction(async (uow) => {
    await raiseVersion(deps, uow, merchant);
    const known = await readItems(
      uow,
      merchant,
      accepted.map(({ sku }) => sku),
    );
    const now = deps.clock();
    const left = new Map(known);
    const outcomes = read.map((given) => {
      if (given instanceof Refusal) return given;
      const put = attempt(() => putItem(merchant, left.get(given.sku) ?? null, given, now));
      if (!(put instanceof Refusal)) left.set(given.sku, put);
      return put;
    });
    await storeItems(
      uow,
      known,
      [...left].filter(([sku, item]) => item !== known.get(sku)).map(([, item]) => item),
    );
    return named(entries, outcomes);
  });
}

const named = (entries: readonly { readonly sku: string }[], outcomes: readonly SavedItem['outcome'][]): SavedItem[] =>
  entries.map(({ sku }, n) => ({ sku, outcome: outcomes[n]! }));

function attempt<T>(work: () => T): T | Refusal {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
