import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { readPaymentTerms } from '../../shop/merchants/payment-terms.ts';
import { type Endable, hasEnded, isPartPaid } from './ended.ts';

/** Whether an unpaid receipt has ended; see `hasEnded`. Reads the merchant's terms only if they decide. */
export async function readEnded(
  reader: Pick<Db, 'run'>,
  receipt: Endable & { readonly merchant: Wallet },
  now: number,
): Promise<boolean> {
  if (!hasEnded(receipt, now, 0)) return false;
  if (!isPartPaid(receipt)) return true;
  const { lateHours } = await readPaymentTerms(reader, receipt.merchant);
  return hasEnded(receipt, now, lateHours);
}
