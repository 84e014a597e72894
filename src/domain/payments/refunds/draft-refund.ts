import Big from 'big.js';
import { sql } from 'kysely';
import type { Token } from '../../../base/chain/token.ts';
import { type TransferCall, transferCall } from '../../../base/chain/transfer-call.ts';
import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { tokenOn } from '../../../base/platform/on-chain.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { readReceipt } from '../../sales/receipts/read.ts';
import { paidUsd, payments, provable, readAccount, requireRefundable, requireWithin } from './account.ts';

/** A transfer that a wallet sends to return money to a buyer. */
export interface RefundDraft extends TransferCall {
  readonly receiptId: string;
  readonly buyer: Wallet;
  readonly chainId: number;
  readonly token: Token;
  /** Base units. */
  readonly amount: bigint;
  /** What it proves, in US cents. */
  readonly usdCents: number;
  /** Whether only a wallet that sends it itself proves it: native coins that a contract sends on leave no trace. */
  readonly direct: boolean;
}

export interface RefundDraftRequest {
  readonly merchant: Wallet;
  readonly receiptId: string;
  readonly usdCents: number;
  /** Null: the wallet that paid. */
  readonly buyer: Wallet | null;
}

/** What is left of a receipt's payments in one token on one chain. */
interface Left {
  readonly chainId: number;
  readonly token: string;
  /** Base units that paid, and what they counted for in US dollars. */
  readonly paid: string;
  readonly usd: string;
  /** Base units that have been sent back. */
  readonly refunded: string;
}

/** The tokens and chains that paid a receipt finally, with what was sent back in each. */
const LEFT = query(
  'refund-left',
  (db, $: { merchant: Wallet; receiptId: string }) =>
    payments(db, $.merchant)
      .where('t.receiptId', '=', $.receiptId)
      .where('t.confirmedAt', 'is not', null)
      .groupBy(['t.chainId', 't.token'])
      .select(['t.chainId', 't.token'])
      .select(({ ref, selectFrom }) => [
        paidUsd.$notNull().as('usd'),
        sql<string>`sum(${ref('t.amount')})::numeric(78,0)::text`.as('paid'),
        selectFrom('RefundTransfer as f')
          .select(sql<string>`coalesce(sum(f.amount), 0)::numeric(78,0)::text`.as('amount'))
          .where('f.merchant', '=', $.merchant)
          .where('f.receiptId', '=', $.receiptId)
          .whereRef('f.chainId', '=', 't.chainId')
          .whereRef('f.token', '=', 't.token')
          .$asScalar()
          .$notNull()
          .as('refunded'),
      ]),
  { computed: { paid: 'text', usd: 'text', refunded: 'text' } },
);

/** What can still be sent back in a token on a chain, in cents and their fractions, at the rate of its payments. */
function leftCents({ paid, usd, refunded }: Left): Big {
  const left = new Big(usd).minus(new Big(refunded).times(usd).div(paid)).times(100);
  return left.lt(0) ? new Big(0) : left;
}

/** The base units that return cents, rounded up. */
const unitsOf = ({ paid, usd }: Left, usdCents: number): bigint =>
  BigInt(new Big(paid).times(usdCents).div(100).div(usd).round(0, Big.roundUp).toFixed(0));

/**
 * The transfers that prove a refund of `usdCents` together: one for each token and chain that paid, the one with most
 * left first, each at the rate of its payments, rounded up to a base unit. Each is of at most the whole cents of its
 * token that were not sent back; the first also returns the fractions of a cent of all of them, so that a receipt that
 * was paid in several tokens is refunded in full. They are less than `usdCents` together only if more was sent back
 * than was proven. Nothing is stored. Refuses what `refundReceipt` would refuse: `invalid_input` without a payment,
 * `invalid_usd` for more than is left, `invalid_buyer` without a wallet to return the money to.
 */
export async function draftRefunds(
  deps: Pick<Deps, 'db' | 'chain' | 'chains'>,
  { merchant, receiptId, usdCents, buyer }: RefundDraftRequest,
): Promise<RefundDraft[]> {
  const receipt = await readReceipt(deps.db, merchant, receiptId);
  const account = await readAccount(deps.db, { merchant, id: receiptId });
  requireRefundable(receipt, account);
  requireWithin(usdCents, provable(account), account);
  const payee = buyer ?? receipt.buyerWallet;
  if (payee === null)
    throw refuse('invalid_buyer', 'buyer is required: the payment names no wallet', { field: 'buyer' });
  await requireBuyer(deps.db, merchant, payee);
  const paid = await deps.db.run(LEFT, { merchant, receiptId });
  const known = paid.flatMap((one) => {
    const token = tokenOn(deps, one.chainId, one.token);
    return token ? [{ ...one, token, left: leftCents(one), of: one }] : [];
  });
  if (known.length === 0)
    throw refuse(
      'invalid_input',
      `Receipt ${receiptId} was paid in a token that this server does not accept any more`,
      { field: 'receiptId', reason: 'nothing_to_refund' },
    );
  const drafts: RefundDraft[] = [];
  let rest = usdCents;
  const whole = (cents: Big) => cents.round(0, Big.roundDown).toNumber();
  const sum = known
    .reduce((cents, { left }) => cents.plus(left), new Big(0))
    .round(0, Big.roundUp)
    .toNumber();
  let fractions = sum - known.reduce((cents, { left }) => cents + whole(left), 0);
  for (const { chainId, token, left, of } of known.sort((a, b) => b.left.cmp(a.left) || a.chainId - b.chainId)) {
    const part = Math.min(rest, whole(left) + fractions);
    fractions = 0;
    if (part === 0) continue;
    const amount = unitsOf(of, part);
    const call = transferCall(token, payee, amount);
    const direct = token.address === null;
    drafts.push({ receiptId, buyer: payee, chainId, token, amount, usdCents: part, direct, ...call });
    rest -= part;
  }
  if (drafts.length === 0)
    throw refuse('invalid_usd', 'Everything that was paid in the tokens of this server has been sent back', {
      field: 'usd',
      refundableUsd: 0,
    });
  return drafts;
}

const OWN_ADDRESS = query(
  'refunds-own-address',
  (db, $: { merchant: Wallet; address: Wallet }) =>
    db
      .selectFrom('Split')
      .select('address')
      .where('merchant', '=', $.merchant)
      .where('address', '=', $.address)
      .unionAll(({ parens, selectFrom }) =>
        parens(
          selectFrom('ReceiptAddress')
            .select('address')
            .where('address', '=', $.address)
            .where('merchant', '=', $.merchant),
        ),
      )
      .limit(1),
  { computed: { address: 'text' } },
);

/**
 * Refuses a buyer that is the merchant, its split or an address of its receipts, because that money does not leave the
 * merchant.
 */
export async function requireBuyer(reader: Pick<Db, 'run'>, merchant: Wallet, buyer: Wallet): Promise<void> {
  const own = buyer === merchant || (await reader.run(OWN_ADDRESS, { merchant, address: buyer })).length > 0;
  if (own)
    throw refuse('invalid_buyer', 'buyer must not be the merchant, its split or an address of its receipts', {
      field: 'buyer',
    });
}
