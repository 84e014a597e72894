/** The contract's labels of the lines that the server adds, as pages write them. */
const SHOWN: Readonly<Record<string, string>> = { 'Processing Fee': 'Processing fee' };

/** A number and the short word after it, as in `250 g` or `2 kg`. */
const UNIT = /(\d) (?=\p{L}{1,3}(?!\p{L}))/gu;

/** A line's label as people read it: in sentence case, and with units that stay with their numbers. */
export const shownLabel = (label: string): string => (SHOWN[label] ?? label).replace(UNIT, '$1\u00a0');
