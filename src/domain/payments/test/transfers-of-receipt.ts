import type { TransferRow } from '../transfers/core/transfer-row.ts';
import { selectTransfers } from '../transfers/transfers.ts';
import type { Quoted } from './quoted.ts';
import type { World } from './world.ts';

/** The transfers that are credited to a receipt, in chain order. */
export const transfersOfReceipt = (
  world: World,
  { merchant, receiptId }: Pick<Quoted, 'merchant' | 'receiptId'>,
): Promise<TransferRow[]> =>
  world.deps.db.transaction(({ db }) =>
    selectTransfers(db)
      .where('merchant', '=', merchant)
      .where('receiptId', '=', receiptId)
      .orderBy('blockNumber')
      .orderBy('logIndex')
      .execute(),
  );
