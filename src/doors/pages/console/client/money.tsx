import { moneyText } from './money-text.ts';
import { ownAmount, type Priced } from './own-amount.ts';

/** An amount of money, with digits of equal width. */
export function Money({ amount, currency }: { readonly amount: number; readonly currency?: string }) {
  return <span class="number">{moneyText(amount, currency)}</span>;
}

/** A part of a receipt, its total by default, in the receipt’s own currency. */
export function OwnMoney({ receipt, usd }: { readonly receipt: Priced; readonly usd?: number }) {
  return <Money {...ownAmount(receipt, usd)} />;
}
