import { payFromTestWallet } from '../../../base/chain/local.ts';
import { isDeployed } from '../../../base/chain/splitter.ts';
import type { Token } from '../../../base/chain/token.ts';
import { isAtPar, toDecimal } from '../../../base/chain/tokens.ts';
import { refuse } from '../../../base/core/errors.ts';
import { isLocalChain } from '../../../base/core/local-chains.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { onChain } from '../../../base/platform/on-chain.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { HINT_CHANNEL } from '../../../base/platform/wake.ts';
import { addressesOf, shownAddress } from '../../sales/receipts/addresses.ts';
import { isWaiting } from '../../sales/receipts/lifecycle.ts';
import { readReceipt } from '../../sales/receipts/read.ts';
import { readEnded } from '../../sales/receipts/read-ended.ts';
import type { Receipt } from '../../sales/receipts/receipt.entity.ts';
import { holdOrRefuse } from '../../sales/receipts/receipt-stock.ts';
import { lockReceiptOrRefuse, recordChange } from '../../sales/receipts/record-change.ts';
import { type ReadRate, usdPerToken } from '../../shop/fx/usd-per-token.ts';
import { askedAmount, atRate, euroPar } from '../quotes/amounts.ts';
import { holdUntil, isRepeated } from '../quotes/hold.ts';
import { activeSplit, type PayableSplit, whyNot, whySentence } from '../quotes/offers.ts';
import { latestQuote, putQuote, type QuoteRow, renewQuote } from '../quotes/store.ts';
import { paymentUri } from '../quotes/uri.ts';
import { computeBalance } from '../transfers/core/weigh.ts';
import { readCredits } from '../transfers/transfers.ts';
import { watchCoins } from '../watching/coin-watches.ts';

/** The amount and address of a payment. */
export interface PaymentQuote {
  readonly token: string;
  readonly chainId: number;
  /** Base units, as decimal text. */
  readonly amount: string;
  readonly decimals: number;
  /** The amount in whole tokens, as decimal text without the symbol. */
  readonly display: string;
  readonly payTo: Wallet;
  /** EIP-681. */
  readonly uri: string;
  /** Epoch ms. */
  readonly expiresAt: number | null;
}

export interface QuoteRequest {
  readonly merchant: Wallet;
  readonly receiptId: string;
  /** Symbol, for example `USDC`. */
  readonly token: string;
  /** The first chain without it. */
  readonly chainId?: number | null;
}

export type QuoteDeps = Pick<
  Deps,
  'db' | 'settings' | 'bus' | 'chain' | 'chains' | 'clock' | 'log' | 'moneyOnItsWay'
> & {
  readonly readRate: ReadRate;
};

/**
 * Returns the amount that pays the receipt in a token, and its address. The amount stays the same while the price does,
 * and each request renews it; after an underpayment it is the remainder. Starts the payment: a `generated` or `failed`
 * receipt becomes `pending`. Refuses with `not_found`, `split_required`, `exchange_rate_unavailable`, `receipt_ended`,
 * `chain_unavailable`, and with `invalid_input` if nothing is owed, the token is not offered, the chain is unknown, or
 * the stock that a failed receipt needs again is gone.
 */
export function quotePayment(deps: QuoteDeps, request: QuoteRequest, actor = 'buyer'): Promise<PaymentQuote> {
  return quote(deps, request, async (uow, receipt, token) => {
    if (receipt.status !== 'generated' && receipt.status !== 'failed') return;
    if (receipt.status === 'failed') await holdOrRefuse(uow, receipt);
    const detail = { token, ...(request.chainId != null && { chainId: request.chainId }) };
    await recordChange(deps, uow, receipt, { kind: 'status', to: 'pending' }, { actor, detail });
  });
}

/**
 * Returns the same amount without a change of the receipt, for a page that shows it before the buyer chooses to pay, or
 * that renews it while it is open.
 */
export function showQuote(deps: QuoteDeps, request: QuoteRequest): Promise<PaymentQuote> {
  return quote(deps, request, async () => {});
}

async function quote(
  base: QuoteDeps,
  request: QuoteRequest,
  begin: (uow: UnitOfWork, receipt: Receipt, token: string) => Promise<void>,
): Promise<PaymentQuote> {
  const deps = onChain(base, request.chainId);
  const token = findToken(deps.chain.tokens, request.token);
  const split = await activeSplit(deps, request.merchant);
  if (split.suspended) throw refuse('merchant_suspended');
  const why = await whyNot(deps, token, split, await readReceipt(deps.db, request.merchant, request.receiptId));
  if (why)
    throw refuse('invalid_input', whySentence(why, token.symbol, deps.chain.chainId), {
      field: 'token',
      reason: 'not_offered',
    });
  const usdPerUnit = await usdPerToken(deps.readRate, token);
  const avoided = token.address === null ? await withCode(deps, request) : new Set<Wallet>();
  return deps.db.transaction(async (uow) => {
    const receipt = await lockReceiptOrRefuse(uow, request.merchant, request.receiptId);
    if (await readEnded(uow, receipt, deps.clock())) throw refuse('receipt_ended');
    if (!isWaiting(receipt)) throw refuse('invalid_input', whyNothing(receipt), { reason: 'takes_no_payment' });
    const { totalCents, pricing } = receipt;
    const euroCents = pricing?.currency === 'EUR' ? pricing.originalTotalCents : null;
    const par = euroPar({ totalCents, euroCents }, token);
    const terms = { token, split, avoided, usdPerUnit: par ?? usdPerUnit, atPar: par !== null || isAtPar(token) };
    const row = await currentQuote(deps, uow, receipt, terms);
    await begin(uow, receipt, token.symbol);
    return present(row, token);
  });
}

/** The chain's token with a symbol. Refuses with `invalid_input`. */
function findToken(tokens: readonly Token[], symbol: string): Token {
  const token = tokens.find((candidate) => candidate.symbol.toUpperCase() === symbol.toUpperCase());
  if (token) return token;
  const symbols = tokens.map((candidate) => candidate.symbol).join(', ');
  throw refuse('invalid_input', `token must be one of ${symbols}`, { field: 'token' });
}

function whyNothing({ status, totalCents }: Receipt): string {
  if (status === 'tx_mined') return 'A payment of this receipt was detected and waits for its confirmations';
  return totalCents === 0 ? 'The total of this receipt is zero' : `This receipt is ${status}: nothing is owed`;
}

interface Terms {
  readonly token: Token;
  readonly split: PayableSplit;
  readonly usdPerUnit: string;
  /** Whether the price does not change, so that the quote holds longer. */
  readonly atPar: boolean;
  /** Addresses of the receipt that are not shown any more. */
  readonly avoided: ReadonlySet<Wallet>;
}

/**
 * The receipt's addresses that have code: a plain transfer of coins to them fails with the 21,000 gas that many senders
 * give it. Refuses with `chain_unavailable`.
 */
async function withCode(deps: QuoteDeps, { merchant, receiptId: id }: QuoteRequest): Promise<Set<Wallet>> {
  const known = await addressesOf(deps.db, { merchant, id });
  const made = await Promise.all(known.map(({ address }) => isDeployed(deps.chain, address)));
  return new Set(known.filter((_, i) => made[i]).map(({ address }) => address));
}

/** For how long after its last quote an address is read for coins with the blocks. */
const COINS_WATCHED_MS = 7 * 86_400_000;

async function currentQuote(
  deps: QuoteDeps,
  uow: UnitOfWork,
  receipt: Receipt,
  { token, split, usdPerUnit, atPar, avoided }: Terms,
): Promise<QuoteRow> {
  const now = deps.clock();
  const { chainId } = deps.chain;
  const { missingUsd } = computeBalance(receipt, await readCredits(uow, receipt));
  const payTo = await shownAddress(uow, receipt, { split: split.address, onlyChainId: split.onlyChainId }, avoided);
  const expiresAt = holdUntil({ atPar, now, receiptEndsAt: receipt.expiresAt });
  if (token.address === null) await watchCoins(uow, { chainId, address: payTo, until: now + COINS_WATCHED_MS });
  const place = { merchant: receipt.merchant, receiptId: receipt.id, chainId, payTo, token: token.symbol };
  const last = await latestQuote(uow, place);
  if (last && last.usd === missingUsd) {
    const kept = await keep(uow, last, { now, usdPerUnit, expiresAt });
    if (kept) return kept;
  }
  const amount = String(askedAmount(missingUsd, atRate(token, usdPerUnit)));
  return putQuote(uow, { ...place, amount, usd: missingUsd, usdPerUnit, createdAt: now, expiresAt });
}

/**
 * Keeps a quote for a request at `now`. At the same price it is renewed; a quote at another price keeps its end. Null
 * if it has ended.
 */
function keep(
  uow: UnitOfWork,
  last: QuoteRow,
  { now, usdPerUnit, expiresAt }: { now: number; usdPerUnit: string; expiresAt: number },
): Promise<QuoteRow> | QuoteRow | null {
  const hasEnded = last.expiresAt !== null && last.expiresAt <= now;
  const isSamePrice = last.usdPerUnit === usdPerUnit;
  if (hasEnded && !isSamePrice) return null;
  if (!hasEnded && last.expiresAt !== null && isRepeated(last, now)) return last;
  return renewQuote(uow, last, { seenAt: now, expiresAt: isSamePrice ? expiresAt : last.expiresAt });
}

function present(row: QuoteRow, token: Token): PaymentQuote {
  const amount = BigInt(row.amount);
  return {
    token: row.token,
    chainId: row.chainId,
    amount: row.amount,
    decimals: token.decimals,
    display: toDecimal(amount, token.decimals),
    payTo: row.payTo,
    uri: paymentUri({ token, chainId: row.chainId, payTo: row.payTo, amount }),
    expiresAt: row.expiresAt,
  };
}

/**
 * Pays a receipt's quote from a test account of the local chain. Returns the transaction hash once it is sent. Refuses
 * with `not_found` on any other chain.
 */
export async function payWithTestWallet(
  base: QuoteDeps,
  request: QuoteRequest,
): Promise<{ readonly transactionHash: `0x${string}` }> {
  const deps = onChain(base, request.chainId);
  if (!isLocalChain(deps.chain.chainId)) throw refuse('not_found', 'Test wallets exist on the local chain only');
  const quote = await quotePayment(deps, request);
  const transactionHash = await payFromTestWallet(deps.chain, {
    token: quote.token,
    to: quote.payTo,
    amount: BigInt(quote.amount),
  });
  deps.bus.publish(HINT_CHANNEL, transactionHash);
  return { transactionHash };
}
