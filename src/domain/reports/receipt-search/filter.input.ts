import { z } from 'zod';
import { fault, shownAs } from '../../../base/core/input.ts';
import { MAX_AMOUNT_CENTS, MAX_LABEL } from '../../../base/core/limits.ts';
import { centsFromText } from '../../../base/core/money.ts';
import { email, filledText, fold, identifier, sku } from '../../../base/core/text.ts';
import { parseWallet, WALLET_PATTERN } from '../../../base/core/wallet.ts';
import { RECEIPT, type ReceiptStatus } from '../../sales/receipts/lifecycle.ts';
import { CURRENCIES, facetsOf, ORIGINS } from './facets.ts';
import { searchWords } from './terms.ts';

/** The most words of a search. */
const MAX_WORDS = 16;

/** A value that may be absent: null and, in a URL, the empty string count as absent. */
const parameter = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === '' || value === null ? undefined : value), schema.optional());

const MILLIS_WANTED = 'must be a time in epoch milliseconds';
const millis = (example: number) =>
  shownAs(
    parameter(
      z.union([z.number(), z.string()], { error: MILLIS_WANTED }).transform((value, ctx) => {
        const ms = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
        const isTime = typeof ms === 'number' && Number.isSafeInteger(ms) && ms >= 0;
        return isTime ? ms : fault(ctx, MILLIS_WANTED);
      }),
    ),
    { type: 'integer', minimum: 0, examples: [example] },
  );

const AMOUNT_WANTED = 'must be an amount from 0 to 10000000.00 with at most two decimals';
const cents = (example: number) =>
  shownAs(
    parameter(
      z.union([z.number(), z.string()], { error: AMOUNT_WANTED }).transform((value, ctx) => {
        const read = centsFromText(String(value));
        return read === null || read < 0 || read > MAX_AMOUNT_CENTS ? fault(ctx, AMOUNT_WANTED) : read;
      }),
    ),
    { type: 'number', minimum: 0, maximum: MAX_AMOUNT_CENTS / 100, examples: [example] },
  );

const oneOf = <const T extends readonly string[]>(words: T) =>
  parameter(z.enum(words, { error: `must be one of ${words.join(', ')}` }));

/** A text, shown as its own schema with an example. */
const value = <S extends z.ZodString>(schema: S, example: string) => parameter(schema.meta({ examples: [example] }));

/** A list of words; in a URL, separated by commas. */
const listOf = <const T extends readonly [string, ...string[]]>(words: T, example: readonly T[number][]) => {
  const wanted = `must be one of ${words.join(', ')}`;
  return parameter(
    z.preprocess(
      (value) => (typeof value === 'string' ? value.split(',').map((word) => word.trim()) : value),
      z
        .array(z.enum(words, { error: wanted }), { error: 'must be a list' })
        .min(1, { error: 'must not be empty' })
        .max(words.length * 2, { error: `must have at most ${words.length * 2} entries` })
        .meta({ examples: [example] }),
    ),
  );
};

/** The most receipts that a filter names. */
const MAX_IDS = 100;

/** Ids of receipts; in a URL, separated by spaces, which no id has. */
const ids = parameter(
  z.preprocess(
    (value) => (typeof value === 'string' ? value.trim().split(/\s+/) : value),
    z
      .array(identifier, { error: 'must be a list' })
      .min(1, { error: 'must not be empty' })
      .max(MAX_IDS, { error: `must have at most ${MAX_IDS} entries` })
      .meta({ examples: [['inv-1', 'inv-2']] }),
  ),
);

const WALLET_WANTED = 'must be 0x followed by 40 hex characters';
const wallet = shownAs(
  parameter(z.unknown().transform((value, ctx) => parseWallet(value) ?? fault(ctx, WALLET_WANTED))),
  { type: 'string', pattern: WALLET_PATTERN, examples: [`0x90f79bf6${'e'.repeat(32)}`] },
);

const HASH_WANTED = 'must be 0x followed by 64 hex characters';
const hash = parameter(
  z
    .string({ error: HASH_WANTED })
    .regex(/^0x[0-9a-fA-F]{64}$/, { error: HASH_WANTED })
    .meta({ examples: [`0x${'5c'.repeat(32)}`] })
    .transform(fold),
);

const FLAG_WANTED = 'must be true or false';
const flag = shownAs(
  parameter(
    z
      .union([z.boolean(), z.enum(['true', 'false'])], { error: FLAG_WANTED })
      .transform((value) => value === true || value === 'true'),
  ),
  { type: 'boolean', examples: [true] },
);

const words = shownAs(
  parameter(
    filledText(MAX_LABEL)
      .transform(searchWords)
      .refine((all) => all.length <= MAX_WORDS, { error: `must have at most ${MAX_WORDS} words` }),
  ),
  { type: 'string', minLength: 1, maxLength: MAX_LABEL, examples: ['ada@shop mug'] },
);

/** The fields of a filter, for inputs of GraphQL and parameters of a URL. */
const filterFields = {
  statuses: listOf(RECEIPT.statuses as [ReceiptStatus, ...ReceiptStatus[]], ['paid', 'completed']),
  origin: oneOf(ORIGINS),
  currency: oneOf(CURRENCIES),
  createdFrom: millis(1_790_000_000_000),
  createdTo: millis(1_792_592_000_000),
  paidFrom: millis(1_790_000_000_000),
  paidTo: millis(1_792_592_000_000),
  totalMin: cents(25),
  totalMax: cents(99.5),
  transactionId: value(identifier, 'cart-1042'),
  buyerEmail: value(email, 'ada@shop.test').transform((address) => address && fold(address)),
  buyerWallet: wallet,
  transactionHash: hash,
  sku: value(sku, 'MUG-STONE'),
  planId: value(identifier, 'plan_01kamxyzw2qj8n4v6t0r5s3d1c'),
  subscriptionId: value(identifier, 'sub_01kamxyzw2qj8n4v6t0r5s3d1c'),
  needsAttention: flag,
  receiptIds: ids,
  q: words,
};

/** The pairs of fields that are a range; both ends are included. */
const RANGES = [
  ['createdFrom', 'createdTo'],
  ['paidFrom', 'paidTo'],
  ['totalMin', 'totalMax'],
] as const;

/** A filter of receipts, by the names and in the units of GraphQL and REST. All conditions must hold. */
export const filterShape = z.object(filterFields).superRefine((given, ctx) => {
  for (const [from, to] of RANGES) {
    const [low, high] = [given[from], given[to]];
    if (low !== undefined && high !== undefined && low > high) fault(ctx, `must not be less than ${from}`, [to]);
  }
});

/** The same, for the search. */
export const receiptFilter = filterShape.transform((given) => {
  const { statuses, origin, currency, totalMin, totalMax, q = [], ...rest } = given;
  const isFaceted = statuses !== undefined || origin !== undefined || currency !== undefined;
  return {
    ...rest,
    /** Undefined: any. */
    facets: isFaceted
      ? facetsOf({
          ...(statuses && { statuses: [...new Set(statuses)] }),
          ...(origin && { origins: [origin] }),
          ...(currency && { currencies: [currency] }),
        })
      : undefined,
    totalMinCents: totalMin,
    totalMaxCents: totalMax,
    /** All of them must match. */
    words: q,
  };
});

/** A checked filter. Money in cents, times in epoch ms, both ends of ranges included. */
export type ReceiptFilter = z.output<typeof receiptFilter>;

/** Whether a filter has no condition. */
export const isOpen = ({ words: searched, ...conditions }: ReceiptFilter): boolean =>
  searched.length === 0 && Object.values(conditions).every((condition) => condition === undefined);

/** The filter without conditions. */
export const ANY: ReceiptFilter = receiptFilter.parse({});
