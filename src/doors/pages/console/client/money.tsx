import { moneyText } from './money-text.ts';

/** An amount of money, with digits of equal width. */
export function Money({ amount, currency }: { readonly amount: number; readonly currency?: string }) {
  return <span class="number">{moneyText(amount, currency)}</span>;
}
