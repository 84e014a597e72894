import DataLoader from 'dataloader';
import type { Wallet } from '../../../base/core/wallet.ts';
import { type Context, loader } from '../../../base/graphql/context.ts';

/**
 * Creates a loader of one value per receipt: all receipts of a response are read in one call. `read` returns the values
 * in the order of `ids`.
 *
 * @example
 * const refundsOf = perReceipt('refunds', readRefundsOf);
 * resolve: (receipt, _args, context) => refundsOf(context, receipt)
 */
export function perReceipt<Value>(
  name: string,
  read: (context: Context, merchant: Wallet, ids: readonly string[]) => Promise<Value[]>,
): (context: Context, receipt: { readonly merchant: Wallet; readonly id: string }) => Promise<Value> {
  const kind = Symbol(name);
  return (context, { merchant, id }) =>
    loader(context, kind, () => new DataLoader<string, Value>((ids) => read(context, merchant, ids))).load(id);
}
