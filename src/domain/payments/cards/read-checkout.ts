import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';

/** The card checkout of a receipt. Money in US cents. The fields of the session are null if the receipt has none. */
export type ReceiptCheckout = Omit<RowOf<typeof CHECKOUTS>, 'id'>;

const CHECKOUTS = query('onramp-checkouts', (db, $: { merchant: Wallet; receiptIds: readonly string[] }) =>
  db
    .selectFrom('Receipt as r')
    .leftJoin('OnrampSession as s', (join) =>
      join
        .on('r.onrampSessionId', 'is not', null)
        .onRef('s.merchant', '=', 'r.merchant')
        .onRef('s.receiptId', '=', 'r.id')
        .onRef('s.providerSessionId', '=', 'r.onrampSessionId'),
    )
    .select(['r.id', 'r.onrampSessionId', 'r.onrampSourceAmountCents', 'r.customerTotalCents'])
    .select(['s.provider', 's.status', 's.expiresAt'])
    .where('r.merchant', '=', $.merchant)
    .where('r.id', '=', (eb) => eb.fn.any(eb.val($.receiptIds))),
);

const NONE: ReceiptCheckout = {
  onrampSessionId: null,
  onrampSourceAmountCents: null,
  customerTotalCents: null,
  provider: null,
  status: null,
  expiresAt: null,
};

/** The card checkout of each receipt, in the order of the receipts. */
export async function readCheckoutsOf(
  db: Db,
  merchant: Wallet,
  receiptIds: readonly string[],
): Promise<ReceiptCheckout[]> {
  const rows = await db.run(CHECKOUTS, { merchant, receiptIds });
  const found = new Map(rows.map((row) => [row.id, row]));
  return receiptIds.map((id) => found.get(id) ?? NONE);
}

/** The card checkout of one receipt. */
export async function readCheckout(db: Db, merchant: Wallet, receiptId: string): Promise<ReceiptCheckout> {
  const [checkout] = await readCheckoutsOf(db, merchant, [receiptId]);
  return checkout ?? NONE;
}
