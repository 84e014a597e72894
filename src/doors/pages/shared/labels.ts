/** A number and its unit, as in `250 g` or `2 kg`. */
const UNIT = /(\d) (?=\p{L}{1,3}(?!\p{L}))/gu;

/** A line's label for display: as the contract and the merchant write it, with each number beside its unit. */
export const shownLabel = (label: string): string => label.replace(UNIT, '$1\u00a0');
