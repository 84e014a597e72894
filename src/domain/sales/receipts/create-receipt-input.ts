import { builder } from '../../../base/graphql/builder.ts';
import { CurrencyEnum } from '../../../base/graphql/vocabulary.ts';
import { optionInputs } from './options.ts';

const LABEL = 'The text of the line.';
const QTY = 'Descriptive; amounts are not multiplied by it.';
const LINES = 'At least one.';

const LegacyLineInput = builder.inputType('LegacyLineInput', {
  description: 'A line in US dollars.',
  fields: (t) => ({
    label: t.string({ required: true, description: LABEL }),
    priceUsd: t.field({ type: 'Usd', required: true, description: 'Extended amount in US dollars (legacy lines).' }),
    qty: t.int({ description: QTY }),
  }),
});

const NativeLineInput = builder.inputType('NativeLineInput', {
  description: 'A line in the receipt’s currency.',
  fields: (t) => ({
    label: t.string({ required: true, description: LABEL }),
    amount: t.float({
      required: true,
      description: 'Extended amount (unit price × quantity) in the receipt’s currency, in major units.',
    }),
    qty: t.int({ description: QTY }),
  }),
});

const LegacyLinesInput = builder.inputType('LegacyLinesInput', {
  description: 'Lines in US dollars, and their total.',
  fields: (t) => ({
    lineItems: t.field({ type: [LegacyLineInput], required: true, description: LINES }),
    totalUsd: t.field({ type: 'Usd', description: 'Legacy total; must equal the sum of the lines.' }),
  }),
});

const NativeLinesInput = builder.inputType('NativeLinesInput', {
  description: 'Lines in one currency, and their total.',
  fields: (t) => ({
    lineItems: t.field({ type: [NativeLineInput], required: true, description: LINES }),
    currency: t.field({ type: CurrencyEnum, description: 'USD (default) or EUR, for native lines.' }),
    total: t.float({ description: 'Native total; must equal the sum of the lines.' }),
  }),
});

const ReceiptLinesInput = builder.inputType('ReceiptLinesInput', {
  description: 'The lines of a receipt, in one of two formats.',
  isOneOf: true,
  fields: (t) => ({
    legacy: t.field({ type: LegacyLinesInput, description: 'In US dollars.' }),
    native: t.field({ type: NativeLinesInput, description: 'In a currency of the caller’s choice.' }),
  }),
});

/** The input of `createReceipt`. */
export const CreateReceiptInput = builder.inputType('CreateReceiptInput', {
  description: 'The id and lines of a receipt, and its optional fields.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The caller’s own id, unique per merchant.' }),
    lines: t.field({ type: ReceiptLinesInput, required: true, description: 'The lines and their total.' }),
    replaces: t.id({
      description:
        'The unpaid receipt whose place it takes: voided with it, both or neither. A key needs `receipts:void` too.',
    }),
    ...optionInputs(t),
  }),
});
