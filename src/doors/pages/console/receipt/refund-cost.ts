import { tokenText } from '../client/money-text.ts';
import type { ReceiptStoryFragment } from '../generated/receipt.ts';
import type { RefundDraftsQuery } from '../generated/refunds.ts';
import { words } from '../shared/words.ts';

const DIGITS = 18;

/** Decimal text as a whole number of its smallest part. */
function unitsOf(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.slice(0, DIGITS).padEnd(DIGITS, '0'));
}

/** The reverse, with at most six decimals, rounded up: a cost is not understated. */
function shownUnits(units: bigint): string {
  const step = 10n ** BigInt(DIGITS - 6);
  const digits = ((units + step - 1n) / step).toString().padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '');
}

type Shares = Pick<ReceiptStoryFragment, 'merchant' | 'settlement' | 'refunds'>;
type Draft = Pick<RefundDraftsQuery['refundDrafts'][number], 'chainId' | 'token' | 'display'>;

/** What one transaction of a refund costs the shop, in words: what had come to its wallet, and what goes out. */
export function costText({ merchant, settlement }: Shares, { chainId, token, display }: Draft): string {
  const own = settlement.filter(
    (share) => share.recipient === merchant && share.token === token && share.chainId === chainId,
  );
  const came = own.reduce((sum, share) => sum + unitsOf(share.display ?? '0'), 0n);
  const goes = unitsOf(display);
  const text = (units: bigint) => tokenText({ display: shownUnits(units), token });
  return goes > came && own.length > 0
    ? words.refund.costs({ came: text(came), goes: text(goes), more: text(goes - came) })
    : words.refund.costsNothing({ goes: text(goes) });
}
