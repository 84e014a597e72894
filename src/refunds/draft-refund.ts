import Big from 'big.js';
import { sql } from 'kysely';
import type { Token } from '../chain/token.ts';
import { type TransferCall, transferCall } from '../chain/transfer-call.ts';
import { refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { tokenOn } from '../platform/on-chain.ts';
import { query } from '../platform/query.ts';
import { readReceipt } from '../receipts/read.ts';
import { payments, provable, readAccount, requireRefundable, requireWithin } from './account.ts';
import { requireBuyer } from './refund-receipt.ts';

/** A transfer that a wallet sends to return money to a buyer. */
export interface RefundDraft extends TransferCall {
  readonly receiptId: string;
  readonly buyer: Wallet;
  readonly chainId: number;
  readonly token: Token;
  /** Base units. */
  readonly amount: bigint;
}

export interface RefundDraftRequest {
  readonly merchant: Wallet;
  readonly receiptId: string;
  readonly usdCents: number;
  /** Null: the wallet that paid. */
  readonly buyer: Wallet | null;
}

/** The tokens that paid a receipt, the one that paid most first. */
const PAID_TOKENS = query(
  'refund-paid-tokens',
  (db, $: { merchant: Wallet; receiptId: string }) =>
    payments(db, $.merchant)
      .where('t.receiptId', '=', $.receiptId)
      .groupBy(['t.chainId', 't.token'])
      .select(['t.chainId', 't.token', (eb) => sql<string>`sum(${eb.ref('t.usd')}::numeric)::text`.as('usd')])
      .select((eb) => sql<string>`sum(${eb.ref('t.amount')})::numeric(78,0)::text`.as('amount'))
      .orderBy(sql`sum(t.usd::numeric)`, 'desc')
      .orderBy('t.chainId')
      .orderBy('t.token'),
  { computed: { usd: 'text', amount: 'text' } },
);

/**
 * The transfer that proves a refund of `usdCents`, in the token that paid most of the receipt and at the rate of that
 * payment, rounded up to a base unit. Nothing is stored. Refuses what `refundReceipt` would refuse: `invalid_input`
 * without a payment, `invalid_usd` for more than is left, `invalid_buyer` without a wallet to return the money to.
 */
export async function draftRefund(
  deps: Pick<Deps, 'sql' | 'chain' | 'chains'>,
  { merchant, receiptId, usdCents, buyer }: RefundDraftRequest,
): Promise<RefundDraft> {
  const receipt = await readReceipt(deps, merchant, receiptId);
  const account = await readAccount(deps.sql, { merchant, id: receiptId });
  requireRefundable(receipt, account);
  requireWithin(usdCents, provable(account), account);
  const payee = buyer ?? receipt.buyerWallet;
  if (payee === null)
    throw refuse('invalid_buyer', 'buyer is required: the payment names no wallet', { field: 'buyer' });
  await requireBuyer(deps, merchant, payee);
  const [paid] = await deps.sql.run(PAID_TOKENS, { merchant, receiptId });
  const token = paid ? tokenOn(deps, paid.chainId, paid.token) : null;
  if (!paid || !token)
    throw refuse(
      'invalid_input',
      `Receipt ${receiptId} was paid in a token that this server does not accept any more`,
      {
        field: 'receiptId',
      },
    );
  const amount = BigInt(new Big(paid.amount).times(usdCents).div(100).div(paid.usd).round(0, Big.roundUp).toFixed(0));
  return {
    receiptId,
    buyer: payee,
    chainId: paid.chainId,
    token,
    amount,
    ...transferCall(token, payee, amount),
  };
}
