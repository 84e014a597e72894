import { Money } from './money.tsx';
import { ownAmount, type Priced } from './own-amount.ts';

/** A part of a receipt, its total by default, in the receipt’s own currency. */
export function OwnMoney({ receipt, usd }: { readonly receipt: Priced; readonly usd?: number }) {
  return <Money {...ownAmount(receipt, usd)} />;
}
