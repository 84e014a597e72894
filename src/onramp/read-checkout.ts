import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import type { ProviderName } from './provider.ts';
import type { SessionStatus } from './session.entity.ts';

/** The card checkout of a receipt. Money in US cents. */
export interface ReceiptCheckout {
  readonly onrampSessionId: string | null;
  readonly onrampSourceAmountCents: number | null;
  readonly customerTotalCents: number | null;
  /** The fields of the session; null if the receipt has none. */
  readonly provider: ProviderName | null;
  readonly status: SessionStatus | null;
  readonly expiresAt: number | null;
}

const CHECKOUTS = statement(
  'onramp-checkouts',
  `select r.id, r.onramp_session_id as "onrampSessionId", r.onramp_source_amount_cents as "onrampSourceAmountCents",
          r.customer_total_cents as "customerTotalCents", s.provider, s.status, s.expires_at as "expiresAt"
     from receipts r
     left join onramp_sessions s
       on r.onramp_session_id is not null and s.merchant = r.merchant and s.receipt_id = r.id and s.provider_session_id = r.onramp_session_id
    where r.merchant = $1 and r.id = any($2)`,
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
  deps: Pick<Deps, 'sql'>,
  merchant: Wallet,
  receiptIds: readonly string[],
): Promise<ReceiptCheckout[]> {
  const rows = await deps.sql.rows<ReceiptCheckout & { id: string }>(CHECKOUTS, [merchant, receiptIds]);
  const found = new Map(rows.map((row) => [row.id, row]));
  return receiptIds.map((id) => found.get(id) ?? NONE);
}

/** The card checkout of one receipt. */
export async function readCheckout(
  deps: Pick<Deps, 'sql'>,
  merchant: Wallet,
  receiptId: string,
): Promise<ReceiptCheckout> {
  const [checkout] = await readCheckoutsOf(deps, merchant, [receiptId]);
  return checkout ?? NONE;
}
