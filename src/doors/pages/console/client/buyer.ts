import { shortHash } from '../../shared/amounts.ts';
import { words } from '../shared/words.ts';

interface Bought {
  readonly receiptId: string;
  readonly transactionId?: string | null;
  readonly buyerWallet: string | null;
  readonly billingAddress: {
    readonly firstName: string | null;
    readonly lastName: string | null;
    readonly email: string | null;
  } | null;
}

/** Who a receipt is of, as it can be searched for: name and e-mail address, else reference and wallet, else its id. */
export function buyerText({ receiptId, transactionId, buyerWallet, billingAddress }: Bought): string {
  const { firstName, lastName, email } = billingAddress ?? {};
  const name = [firstName, lastName].filter(Boolean).join(' ');
  const person = [name, email].filter(Boolean);
  const known = person.length > 0 ? person : [transactionId, buyerWallet && shortHash(buyerWallet)].filter(Boolean);
  return known.join(' · ') || receiptId;
}

interface Paid {
  readonly recipient: string;
  /** Whether it is the operator of the server. */
  readonly platform: boolean;
}

/** The name of who gets a share: the shop or the operator; null for others. */
export const payeeName = ({ recipient, platform }: Paid, merchant: string | null): string | null =>
  recipient === merchant ? words.receipt.you : platform ? words.start.platform : null;
