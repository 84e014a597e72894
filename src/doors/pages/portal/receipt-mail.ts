import type { Deps } from '../../../base/platform/deps.ts';
import { hasEnded } from '../../../domain/sales/receipts/ended.ts';
import type { ReceiptRow } from '../../../domain/sales/receipts/read.ts';
import { receiptMailState, wouldSend } from '../../../domain/webhooks/mail/preferences.ts';
import type { MailPromise } from './view.ts';

/** What a page says of the message with a receipt; null wherever none will be sent. */
export async function promiseOf(
  { db, settings, clock }: Pick<Deps, 'db' | 'settings' | 'clock'>,
  receipt: Pick<ReceiptRow, 'merchant' | 'id' | 'status' | 'billingAddress' | 'closedAt' | 'expiresAt'>,
): Promise<MailPromise | null> {
  const { merchant, id, status, billingAddress } = receipt;
  const email = billingAddress?.email;
  const now = clock();
  if (settings.mail === null || !email || status === 'refunded' || hasEnded(receipt, now, Number.POSITIVE_INFINITY))
    return null;
  const address = masked(email);
  if (status === 'paid' || status === 'completed') {
    const state = await receiptMailState(db, merchant, id);
    if (state === 'sent') return { said: 'receipt_sent', address };
    if (state !== 'pending') return null;
  }
  return (await wouldSend(db, settings.mail, now, merchant, email)) ? { said: 'receipt_comes', address } : null;
}

/** `ann@example.com` as `a…@e…`, as others may open the page. */
const masked = (address: string): string =>
  address
    .split('@')
    .map((part) => `${[...part][0] ?? ''}…`)
    .join('@');
