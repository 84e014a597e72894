/** How pages write the contract's labels of server-added lines. */
const SHOWN: Readonly<Record<string, string>> = { 'Processing Fee': 'Processing fee' };

/** A number and its unit, as in `250 g` or `2 kg`. */
const UNIT = /(\d) (?=\p{L}{1,3}(?!\p{L}))/gu;

/** A line's label for display: in sentence case, with a non-breaking space between number and unit. */
export const shownLabel = (label: string): string => (SHOWN[label] ?? label).replace(UNIT, '$1\u00a0');
