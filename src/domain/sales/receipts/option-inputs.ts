import type { builder } from '../../../base/graphql/builder.ts';
import { BillingAddressInput } from './billing-address-type.ts';
import { OPTIONS } from './options.ts';

type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

/** The name of a parameter in inputs, if it differs from its column. */
const INPUT_NAMES: Readonly<Record<string, string>> = { postPayment: 'onSuccess' };

const typeOf = (name: string, kind: (typeof OPTIONS)[number]['kind']) => {
  if (kind === 'object') return 'JSON';
  return name.endsWith('Id') ? 'ID' : 'String';
};

/** How long a receipt waits, as inputs have it. */
export const expiryInput = (t: InputFields) =>
  t.int({ description: 'Minutes until the receipt ends if it is unpaid: 5 to 129600 (90 days), or 0 for never.' });

/** The optional fields of a receipt, as inputs of orders and receipts have them. */
export const optionInputs = (t: InputFields) => ({
  expiresInMinutes: expiryInput(t),
  ...Object.fromEntries(
    OPTIONS.filter(({ name }) => !name.includes('.')).map(({ name, about, kind }) => [
      INPUT_NAMES[name] ?? name,
      t.field({ type: typeOf(name, kind), description: `${about}.` }),
    ]),
  ),
  billingAddress: t.field({ type: BillingAddressInput, description: 'The billing details of the buyer.' }),
});
