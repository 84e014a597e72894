import { OPTIONS, type OptionColumn } from '../receipts/options.ts';

/** A record without the named fields where they are null. The contract omits these fields. */
function without<T extends object>(record: T, ...names: (keyof T)[]): Partial<T> {
  const rest: Partial<T> = { ...record };
  for (const name of names) if (rest[name] == null) delete rest[name];
  return rest;
}

/** A record without its null fields. */
export const withoutNulls = <T extends object>(record: T): Partial<T> =>
  without(record, ...(Object.keys(record) as (keyof T)[]));

/** The optional parameters of a receipt that its record shows. */
type RecordedOption = Exclude<
  OptionColumn,
  'billingAddress' | 'postPayment' | 'redirectUrl' | 'successUrl' | 'webhookUrl'
>;

/** The fields of a receipt's record that may be omitted. */
type OptionalFields = Readonly<Record<RecordedOption, unknown>>;

/** A receipt's record without the optional parameters that it does not have. */
export const withoutOptions = <T extends OptionalFields>(record: T): Partial<T> =>
  without(record, ...(OPTIONS.map(({ name }) => name) as RecordedOption[]));

interface NewRecord extends OptionalFields {
  readonly jurisdictionCode: string | null;
  readonly lineItems: readonly object[];
  readonly pricing: NativePricing | null;
}

interface NativePricing {
  readonly originalLineItems: readonly object[];
}

/** A new receipt as orders and the terminal return it. */
export const newRecord = <T extends NewRecord>({ pricing, lineItems, ...record }: T) => ({
  ...without(withoutOptions(record as Omit<NewRecord, 'pricing' | 'lineItems'>), 'jurisdictionCode'),
  lineItems: lineItems.map(withoutNulls),
  ...nativePricing(pricing),
});

/** A receipt's native valuation as a field of its record; no field if it has none. */
export const nativePricing = (pricing: NativePricing | null) =>
  pricing ? { pricing: { ...pricing, originalLineItems: pricing.originalLineItems.map(withoutNulls) } } : {};
