import { shownLabel } from '../../shared/labels.ts';
import { words } from '../shared/words.ts';

interface Line {
  readonly label: string;
  readonly qty: number | null;
  readonly itemId: string | null;
}

/** Letters that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

/** A label that leaves the order of the words around it alone, whatever its own direction. */
function isolated(label: string): string {
  return RIGHT_TO_LEFT.test(label) ? `\u2068${label}\u2069` : label;
}

/** The lines that the server adds to an order. The contract names them in English. */
const ADDED = /^(tax|processing fee)$/i;

/** The label of a line, in the reader's language if the server made it. */
export function lineText(label: string): string {
  const name = label.toLowerCase();
  if (name === 'tax') return words.selling.tax;
  if (name === 'processing fee') return words.selling.fee;
  if (name === 'payment') return words.receipt.payment;
  return name === 'tip' ? words.till.tip : label;
}

/** A one-line summary of the items: the first labels, and how many more there are. Without tax and fee. */
export function summary({ lineItems }: { readonly lineItems: readonly Line[] }): string {
  const goods = lineItems.filter(({ label, itemId }) => itemId !== null || !ADDED.test(label));
  const [first, second] = goods.map(({ label, qty, itemId }) => {
    const shown = isolated(shownLabel(itemId === null ? lineText(label) : label));
    return qty !== null && qty > 1 ? `${shown}\u00a0×\u00a0${qty}` : shown;
  });
  const more = goods.length - 2;
  const names = [first ?? words.goods, second].filter((text) => text !== undefined).join(', ');
  return more > 0 ? words.andMore({ names, more }) : names;
}
