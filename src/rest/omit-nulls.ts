/** A record without the fields that have nothing to say: the contract leaves these out rather than null. */
export function without<T extends object>(record: T, ...names: (keyof T)[]): Partial<T> {
  const kept: Partial<T> = { ...record };
  for (const name of names) if (kept[name] == null) delete kept[name];
  return kept;
}

/** The same for every field that is null. */
export const withoutNulls = <T extends object>(record: T): Partial<T> =>
  without(record, ...(Object.keys(record) as (keyof T)[]));

/** The fields of a new receipt that it may have nothing to say in. */
interface NewRecord {
  readonly jurisdictionCode: string | null;
  readonly transactionId: string | null;
  readonly metadata: unknown;
  readonly lineItems: readonly object[];
  readonly pricing: NativePricing | null;
}

interface NativePricing {
  readonly originalLineItems: readonly object[];
}

/** A receipt as orders and the terminal answer it. */
export const newRecord = <T extends NewRecord>({ pricing, lineItems, ...record }: T) => ({
  ...without(record as Omit<NewRecord, 'pricing' | 'lineItems'>, 'jurisdictionCode', 'transactionId', 'metadata'),
  lineItems: lineItems.map(withoutNulls),
  ...nativePricing(pricing),
});

/** A receipt's native valuation as a field of its record; no field where it has none. */
export const nativePricing = (pricing: NativePricing | null) =>
  pricing ? { pricing: { ...pricing, originalLineItems: pricing.originalLineItems.map(withoutNulls) } } : {};
