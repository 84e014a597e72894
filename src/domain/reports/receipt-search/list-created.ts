import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { type KeysetList, keysetList, type Listing, listing } from '../../../base/platform/keyset.ts';
import { SHOWN_COLUMNS } from '../../sales/receipts/columns.ts';
import type { ReceiptRow } from '../../sales/receipts/read.ts';
import type { ReceiptOrder } from './order.ts';

interface Creator {
  readonly merchant: Wallet;
  readonly createdBy: Wallet;
}

const created = (direction: ReceiptOrder['direction']): KeysetList<Creator, ReceiptRow> =>
  keysetList(`receipts-created-${direction}`, {
    order: {
      name: 'receipts createdAt',
      direction,
      keys: [
        { name: 'createdAt', type: 'int8' },
        { name: 'id', type: 'text' },
      ],
    },
    from: (db, $: Creator) =>
      db.selectFrom('Receipt').where('merchant', '=', $.merchant).where('createdBy', '=', $.createdBy),
    select: (receipts) => receipts.select(SHOWN_COLUMNS),
  });

const LISTS = { asc: created('asc'), desc: created('desc') };

/** The receipts that a wallet created for a merchant, by creation. */
export const listCreated = (
  deps: Pick<Deps, 'sql'>,
  creator: Creator,
  { direction }: Pick<ReceiptOrder, 'direction'>,
): Listing<ReceiptRow> => listing(deps, LISTS[direction], creator, `${creator.merchant} ${creator.createdBy}`);
