import { shownLabel } from '../../labels.ts';

interface Line {
  readonly label: string;
  readonly qty: number | null;
  readonly itemId: string | null;
}

/** A one-line summary of the items: the first labels, and how many more there are. Without tax and fee. */
export function summary({ lineItems }: { readonly lineItems: readonly Line[] }): string {
  const goods = lineItems.filter(({ label, itemId }) => itemId !== null || !/^(tax|processing fee)$/i.test(label));
  const [first, second] = goods.map(({ label, qty }) =>
    qty !== null && qty > 1 ? `${shownLabel(label)}\u00a0×\u00a0${qty}` : shownLabel(label),
  );
  const more = goods.length - 2;
  return (
    [first ?? 'Receipt', second].filter((text) => text !== undefined).join(', ') + (more > 0 ? ` and ${more} more` : '')
  );
}
