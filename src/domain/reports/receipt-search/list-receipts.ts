import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Context } from '../../../base/graphql/context.ts';
import type { Db } from '../../../base/platform/db.ts';
import {
  type KeysetList,
  type KeysetOrder,
  keysetList,
  type Listing,
  listing,
  type PageRequest,
} from '../../../base/platform/keyset.ts';
import { SHOWN_COLUMNS } from '../../sales/receipts/columns.ts';
import { isLastKnown, LIST_MAX, listOrLastKnown } from '../../sales/receipts/newest.ts';
import type { ReceiptRow } from '../../sales/receipts/read.ts';
import { isOpen, type ReceiptFilter } from './filter.input.ts';
import { listFound } from './find-receipts.ts';
import { NEWEST, type ReceiptOrder } from './order.ts';

/** The order of creation, in which receipts are read themselves, so nothing is missing. */
const byCreation = (direction: ReceiptOrder['direction']): KeysetOrder => ({
  name: 'receipts createdAt',
  direction,
  keys: [
    { name: 'createdAt', type: 'int8' },
    { name: 'id', type: 'text' },
  ],
});

const allReceipts = (direction: ReceiptOrder['direction']): KeysetList<{ merchant: Wallet }, ReceiptRow> =>
  keysetList(`receipts-${direction}`, {
    order: byCreation(direction),
    from: (db, $: { merchant: Wallet }) => db.selectFrom('Receipt').where('merchant', '=', $.merchant),
    select: (receipts) => receipts.select(SHOWN_COLUMNS),
  });
const ALL = { asc: allReceipts('asc'), desc: allReceipts('desc') };

/**
 * A merchant's receipts that match a filter, in an order, as a list that is paged by cursors. A filter, or an order
 * other than that of creation, reads the search, which is at most a second behind. The newest receipts come from a
 * cache. While the database is away they are the last known ones, and the request is marked as degraded.
 */
export function listReceipts(
  context: Context,
  merchant: Wallet,
  filter: ReceiptFilter,
  order: ReceiptOrder,
): Listing<ReceiptRow> {
  const found = listFound(context, merchant, filter, order);
  if (!isOpen(filter) || order.field !== 'createdAt') return found;
  const all = listing(context.db, ALL[order.direction], { merchant }, merchant);
  return {
    ...all,
    async read(page) {
      if (!isNewest(page, order)) return all.read(page);
      const rows = await listOrLastKnown(context, merchant, page.limit);
      return rows.map((row) => ({ row, place: [row.createdAt, row.id] }));
    },
    async count() {
      if (isLastKnown(context)) throw refuse('datastore_unavailable');
      return found.count();
    },
  };
}

const isNewest = ({ after, before, backward, limit }: PageRequest, { direction }: ReceiptOrder): boolean =>
  direction === NEWEST.direction && !after && !before && !backward && limit <= LIST_MAX + 1;

interface Creator {
  readonly merchant: Wallet;
  readonly createdBy: Wallet;
}

const created = (direction: ReceiptOrder['direction']): KeysetList<Creator, ReceiptRow> =>
  keysetList(`receipts-created-${direction}`, {
    order: byCreation(direction),
    from: (db, $: Creator) =>
      db.selectFrom('Receipt').where('merchant', '=', $.merchant).where('createdBy', '=', $.createdBy),
    select: (receipts) => receipts.select(SHOWN_COLUMNS),
  });
const CREATED = { asc: created('asc'), desc: created('desc') };

/** The receipts that a wallet created for a merchant, by creation. */
export const listCreated = (
  db: Db,
  creator: Creator,
  { direction }: Pick<ReceiptOrder, 'direction'>,
): Listing<ReceiptRow> => listing(db, CREATED[direction], creator, `${creator.merchant} ${creator.createdBy}`);
