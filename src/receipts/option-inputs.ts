import type { builder } from '../graphql/builder.ts';
import { BillingAddressInput } from './billing-address-type.ts';

type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

/** The optional fields of a receipt, as inputs of orders and receipts have them. */
export const optionInputs = (t: InputFields) => ({
  redirectUrl: t.string({ description: 'Where the card provider returns the buyer to (https).' }),
  successUrl: t.string({ description: 'Where the buyer’s browser goes after payment (https).' }),
  onSuccess: t.string({ description: 'Custom post-payment logic: a URL or a script.' }),
  webhookUrl: t.string({ description: 'Receives every change, signed with the key of this request.' }),
  transactionId: t.string({ description: 'The merchant’s own reference; returned with the receipt.' }),
  metadata: t.field({
    type: 'JSON',
    description: 'An object of at most 8 KiB and 50 keys; returned with the receipt.',
  }),
  buyerEmail: t.string({ description: 'The buyer’s e-mail address; the portal does not ask for it again.' }),
  billingAddress: t.field({ type: BillingAddressInput, description: 'The billing details of the buyer.' }),
});
