/** The number of results that a function keeps. */
const MAX = 10_000;

/** Keeps what `make` returns for a number. The results of many numbers are dropped together, to bound the memory. */
export function numberMemo<Made>(make: (of: number) => Made): (of: number) => Made {
  const known = new Map<number, Made>();
  return (of) => {
    const found = known.get(of);
    if (found !== undefined) return found;
    const made = make(of);
    if (known.size >= MAX) known.clear();
    known.set(of, made);
    return made;
  };
}
