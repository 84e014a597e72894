/** A record without the fields that have nothing to say: the contract leaves these out rather than null. */
export function without<T extends object>(record: T, ...names: (keyof T)[]): Partial<T> {
  const kept: Partial<T> = { ...record };
  for (const name of names) if (kept[name] == null) delete kept[name];
  return kept;
}

/** The same for every field that is null. */
export const withoutNulls = <T extends object>(record: T): Partial<T> =>
  without(record, ...(Object.keys(record) as (keyof T)[]));
