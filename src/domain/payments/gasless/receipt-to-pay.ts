import type { Authorization } from '../../../base/chain/authorizations.ts';
import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { isWaiting } from '../../sales/receipts/lifecycle.ts';
import { requireNothingOnItsWay } from '../../sales/receipts/on-its-way.ts';
import { readEnded } from '../../sales/receipts/read-ended.ts';
import { lockReceiptOrRefuse } from '../../sales/receipts/record-change.ts';
import { activeSplit } from '../quotes/offers.ts';
import { latestQuote, type QuoteRow, quoteOfAmount } from '../quotes/store.ts';
import { refuseAuthorization } from './check-authorization.ts';

/** A receipt and the token that it is to be paid in. */
export interface ReceiptToPay {
  readonly merchant: Wallet;
  readonly receiptId: string;
  /** Symbol. */
  readonly token: string;
}

type PayDeps = Pick<Deps, 'db' | 'chain' | 'clock' | 'moneyOnItsWay'>;

/** Refuses with `split_required` and `merchant_suspended` a merchant that takes no payments on this chain. */
export async function requireOpen(deps: PayDeps, merchant: Wallet): Promise<void> {
  const { suspended } = await activeSplit(deps, merchant);
  if (suspended) throw refuse('merchant_suspended');
}

/**
 * Locks a receipt that takes an authorization: it waits for money, and no payment is on its way to it. Refuses with
 * `not_found`, `receipt_ended`, `payment_underway`, and with `invalid_input` if nothing is owed.
 */
export async function lockReceiptToPay(
  deps: PayDeps,
  uow: UnitOfWork,
  { merchant, receiptId }: ReceiptToPay,
): Promise<void> {
  const receipt = await lockReceiptOrRefuse(uow, merchant, receiptId);
  if (await readEnded(uow, receipt, deps.clock())) throw refuse('receipt_ended');
  if (!isWaiting(receipt))
    throw refuse('invalid_input', `This receipt is ${receipt.status}: nothing is owed`, { reason: 'takes_no_payment' });
  await requireNothingOnItsWay(deps, uow, receipt);
}

const isCurrent = ({ expiresAt }: QuoteRow, now: number): boolean => expiresAt === null || expiresAt > now;

/** The receipt's quote that is valid now. Refuses with `invalid_input` if there is none. */
export async function currentQuote(deps: PayDeps, uow: UnitOfWork, receipt: ReceiptToPay): Promise<QuoteRow> {
  const quote = await latestQuote(uow, { ...receipt, chainId: deps.chain.chainId });
  if (quote && isCurrent(quote, deps.clock())) return quote;
  throw refuse('invalid_input', 'The receipt has no current quote in this token: call quotePayment first', {
    reason: 'no_quote',
  });
}

/** Refuses an authorization with `authorization_refused` unless it pays a current quote of the receipt. */
export async function requireQuoted(
  deps: PayDeps,
  uow: UnitOfWork,
  { merchant, receiptId, token }: ReceiptToPay,
  { to, value }: Authorization,
): Promise<void> {
  const quote = await quoteOfAmount(uow, { merchant, chainId: deps.chain.chainId, payTo: to, token }, String(value));
  const isOwn = quote?.merchant === merchant && quote.receiptId === receiptId;
  if (!quote || !isOwn || !isCurrent(quote, deps.clock())) throw refuseAuthorization('wrong_amount');
}
