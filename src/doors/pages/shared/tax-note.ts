import { type Language, localeOf } from '../../../base/core/messages/languages.ts';
import type { ReceiptRow } from '../../../domain/sales/receipts/read.ts';

type Taxed = Pick<ReceiptRow, 'jurisdictionCode' | 'taxRate' | 'taxComponents'>;

/** Decimal text 0…1 as percent, without a trailing zero: `0.095` → `9.5 %`. */
const percent = (rate: string, language: Language): string =>
  `${new Intl.NumberFormat(localeOf(language), { maximumFractionDigits: 4 }).format(Number(rate) * 100)}\u00a0%`;

/** The rate and jurisdiction of a tax: `9.5 %, US-CA-LA`; null if there is no tax. */
export function taxNote({ jurisdictionCode, taxRate }: Taxed, language: Language): string | null {
  if (taxRate === null || Number(taxRate) === 0) return null;
  return [percent(taxRate, language), jurisdictionCode].filter(Boolean).join(', ');
}

/** The same with the components of the rate: `US-CA-LA: state, county · 9.5 %`. */
export function longTaxNote({ jurisdictionCode, taxRate, taxComponents }: Taxed, language: Language): string | null {
  if (taxRate === null || Number(taxRate) === 0) return null;
  // A value added tax has no other component, and is called tax in each language.
  const parts = taxComponents?.filter((code) => code !== 'vat');
  const components = parts?.map((code) => code.replaceAll(/[_-]/g, ' ')).join(', ');
  const where = [jurisdictionCode, components].filter(Boolean).join(': ');
  return [where, percent(taxRate, language)].filter(Boolean).join(' · ');
}
