import { z } from 'zod';
import { email } from '../../../base/core/text.ts';
import { parseWallet } from '../../../base/core/wallet.ts';
import type { BuyerKey } from '../../sales/receipts/erase-personal.ts';

const address = email.transform((text) => text.toLowerCase());
const wallet = z.string().transform((text, context) => {
  const parsed = parseWallet(text);
  if (parsed) return parsed;
  context.addIssue({ code: 'custom', message: 'must be 0x followed by 40 hex characters' });
  return z.NEVER;
});

/** The buyer whose personal data is erased: an e-mail address or a wallet. */
export const buyerInput: z.ZodType<BuyerKey> = z
  .object({ email: address.nullish(), wallet: wallet.nullish() })
  .transform(({ email, wallet }, context) => {
    if (email != null && wallet == null) return { email };
    if (wallet != null && email == null) return { wallet };
    context.addIssue({ code: 'custom', message: 'provide one of email and wallet', path: ['email'] });
    return z.NEVER;
  });
