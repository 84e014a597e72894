import { mayRedirectBuyer } from '../../../base/core/url.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Settings } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { ReceiptRow } from './read.ts';

/** What the buyer's browser does once a receipt is paid. */
export interface AfterPayment {
  /** The address that the browser goes to, shown to the buyer beforehand; null if it stays on the page. */
  readonly successUrl: string | null;
  /** The script to run in a sandbox; null if there is none. */
  readonly script: string | null;
}

const POST_PAYMENT = query('receipt-post-payment', (db, $: { merchant: Wallet; id: string }) =>
  db.selectFrom('Receipt').select('postPayment').where('merchant', '=', $.merchant).where('id', '=', $.id),
);

/** Whether post-payment logic is a web address rather than a script. */
export const isWebAddress = (postPayment: string): boolean => /^https?:\/\/\S+$/i.test(postPayment.trim());

/**
 * Reads what happens after payment, as far as it is allowed. An address must be one that buyers may be sent to (https;
 * in development also http and local addresses). A script requires `scriptsOn`, which only the merchant's admin can
 * enable. The order's success URL takes precedence over post-payment logic that is an address.
 */
export async function readAfterPayment(
  db: Db,
  settings: Settings,
  { merchant, id, successUrl }: Pick<ReceiptRow, 'merchant' | 'id' | 'successUrl'>,
  scriptsOn: boolean,
): Promise<AfterPayment> {
  const [row] = await db.run(POST_PAYMENT, { merchant, id });
  const logic = row?.postPayment ?? null;
  const address = logic !== null && isWebAddress(logic) ? logic.trim() : null;
  const policy = { allowInsecure: settings.environment !== 'production' };
  return {
    successUrl: [successUrl, address].find((url) => url !== null && mayRedirectBuyer(url, policy)) ?? null,
    script: scriptsOn && address === null ? logic : null,
  };
}
