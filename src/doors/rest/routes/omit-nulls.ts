import { OPTIONS, type OptionColumn } from '../../../domain/sales/receipts/options.ts';

/** A record without the fields that are null and may be omitted. Deleting them from a copy takes twice as long. */
function without<T extends object>(record: T, mayOmit: (name: keyof T) => boolean): Partial<T> {
  const rest: Partial<T> = {};
  for (const name in record) if (record[name] != null || !mayOmit(name)) rest[name] = record[name];
  return rest;
}

/** A record without its null fields. */
export const withoutNulls = <T extends object>(record: T): Partial<T> => without(record, () => true);

/** The optional parameters of a receipt that its record shows. */
type RecordedOption = Exclude<
  OptionColumn,
  'billingAddress' | 'postPayment' | 'redirectUrl' | 'successUrl' | 'webhookUrl'
>;

/** The fields of a receipt's record that may be omitted. */
type OptionalFields = Readonly<Record<RecordedOption, unknown>>;

/** A receipt's record without the optional parameters that it does not have. */
export const withoutOptions = <T extends OptionalFields>(record: T): Partial<T> =>
  without(record, (name) => RECORDED.has(name));

const RECORDED: ReadonlySet<PropertyKey> = new Set(OPTIONS.map(({ name }) => name));

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
  ...without(record, (name) => name === 'jurisdictionCode' || RECORDED.has(name)),
  lineItems: lineItems.map(withoutNulls),
  ...nativePricing(pricing),
});

/** A receipt's native valuation as a field of its record; no field if it has none. */
export const nativePricing = (pricing: NativePricing | null) =>
  pricing ? { pricing: { ...pricing, originalLineItems: pricing.originalLineItems.map(withoutNulls) } } : {};
