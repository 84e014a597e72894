/** Computes one value per object, on first use. The value lives as long as the object. */
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
