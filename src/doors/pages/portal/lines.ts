import type { Language } from '../../../base/core/messages/languages.ts';
import { wordsOf } from '../../../base/core/messages/words.ts';
import type { ReceiptRow } from '../../../domain/sales/receipts/read.ts';
import { shownLabel } from '../shared/labels.ts';
import { taxNote } from '../shared/tax-note.ts';
import type { PortalLine } from './view.ts';

/** The lines of a receipt for display; `thumbOf` returns an item's picture. */
export function portalLines(
  receipt: ReceiptRow,
  language: Language,
  thumbOf: (itemId: string, label: string) => string | null,
): PortalLine[] {
  const { lineItems, pricing } = receipt;
  const note = taxNote(receipt, language);
  return lineItems.map((line, i) => ({
    kind: kindOf(line.label, line.itemId),
    label: line.itemId === undefined ? madeLabel(line.label, language) : shownLabel(line.label),
    note: kindOf(line.label, line.itemId) === 'tax' ? note : null,
    priceUsdCents: line.priceCents,
    nativeCents: pricing?.originalLineItems[i]?.amountCents ?? null,
    qty: line.qty ?? null,
    thumb: line.itemId ? thumbOf(line.itemId, line.label) : null,
  }));
}

/** The label of a line without an item, in the reader's language where it is one of those that the server writes. */
function madeLabel(label: string, language: Language): string {
  if (label !== 'Payment' && label !== 'Tip') return shownLabel(label);
  return wordsOf('receipt', language)(label === 'Tip' ? 'tip' : 'payment');
}

function kindOf(label: string, itemId: string | undefined): PortalLine['kind'] {
  if (itemId !== undefined) return 'item';
  return label === 'Tax' ? 'tax' : label === 'Processing Fee' ? 'fee' : 'item';
}
