import { mayRedirectBuyer } from '../core/url.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import type { ReceiptRow } from './read.ts';

/** What the buyer's browser does once a receipt is paid. */
export interface AfterPayment {
  /** Where it goes, told to the buyer before; null where it stays. */
  readonly successUrl: string | null;
  /** What runs in a sandbox; null where nothing does. */
  readonly script: string | null;
}

const POST_PAYMENT = statement(
  'receipt-post-payment',
  'select post_payment as "postPayment" from receipts where merchant = $1 and id = $2',
);

/** Whether post-payment logic is an address to go to, and no script. */
export const isWebAddress = (postPayment: string): boolean => /^https?:\/\/\S+$/i.test(postPayment.trim());

/**
 * What a receipt's order asked for after payment, as far as it may be: an address must be one that buyers are led to (https; in development also http and
 * this machine), a script needs `scriptsOn`, which only the merchant's admin switches. A success redirect of its own goes before post-payment logic
 * that is an address.
 */
export async function readAfterPayment(
  { sql, settings }: Pick<Deps, 'sql' | 'settings'>,
  { merchant, id, successUrl }: Pick<ReceiptRow, 'merchant' | 'id' | 'successUrl'>,
  scriptsOn: boolean,
): Promise<AfterPayment> {
  const [row] = await sql.rows<{ postPayment: string | null }>(POST_PAYMENT, [merchant, id]);
  const logic = row?.postPayment ?? null;
  const address = logic !== null && isWebAddress(logic) ? logic.trim() : null;
  const policy = { allowInsecure: settings.environment !== 'production' };
  return {
    successUrl: [successUrl, address].find((url) => url !== null && mayRedirectBuyer(url, policy)) ?? null,
    script: scriptsOn && address === null ? logic : null,
  };
}
