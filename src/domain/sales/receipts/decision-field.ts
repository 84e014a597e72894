import { actorOf } from '../../../base/core/caller.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { MutationFields } from '../../../base/graphql/builder.ts';
import type { Context } from '../../../base/graphql/context.ts';
import { merchantActedFor } from '../../shop/merchants/own-wallet.ts';
import { readReceipt } from './read.ts';
import { ReceiptRef } from './receipt-type.ts';

/**
 * The options of a mutation by which a merchant, or a platform admin who names the merchant, decides about one receipt.
 * `decide` carries the decision out; the mutation returns the receipt as it is afterwards.
 */
export const decidesOnReceipt = (
  t: MutationFields,
  decide: (context: Context, merchant: Wallet, receiptId: string, actor: string) => Promise<unknown>,
) => ({
  type: ReceiptRef,
  authScopes: { mayWrite: 'money', platformSign: true } as const,
  grantScopes: ['receipt'],
  args: {
    receiptId: t.arg.id({ required: true, description: 'The id of the receipt.' }),
    wallet: t.arg({ type: 'Wallet', description: 'The merchant. Required for platform admins.' }),
  },
  async resolve(
    _root: unknown,
    { receiptId, wallet }: { receiptId: string; wallet?: Wallet | null },
    context: Context,
  ) {
    const merchant = merchantActedFor(context.caller, wallet ?? null);
    await decide(context, merchant, receiptId, actorOf(context.caller));
    return readReceipt(context.db, merchant, receiptId);
  },
});
