/**
 * Makes one value for each object, on first use; it lives as long as the object does.
 *
 * @example
 * const memoryOf = keptWith((sql: Sql) => createMemory((id) => load(sql, id)));
 * memoryOf(deps.sql).get(id);
 */
export function weakMemo<K extends object, V>(make: (owner: K) => V): (owner: K) => V {
  const values = new WeakMap<K, { readonly value: V }>();
  return (owner) => {
    const known = values.get(owner);
    if (known) return known.value;
    const value = make(owner);
    values.set(owner, { value });
    return value;
  };
}
