import { refuse } from '../../../base/core/errors.ts';
import { newId } from '../../../base/core/ids.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { deliversTo } from '../../../base/platform/config/onramp.ts';
import type { Deps, Settings } from '../../../base/platform/deps.ts';
import { jsonb } from '../../../base/platform/postgres/query.ts';
import { failPayment, NO_CHECKOUT } from '../../sales/receipts/fail.ts';
import { failureOf, type PaymentFailure } from '../../sales/receipts/failures.ts';
import { isWaiting } from '../../sales/receipts/lifecycle.ts';
import { requireNothingOnItsWay } from '../../sales/receipts/on-its-way.ts';
import { paymentUrl } from '../../sales/receipts/payment-url.ts';
import { buyersOwn, readReceipt } from '../../sales/receipts/read.ts';
import type { Receipt } from '../../sales/receipts/receipt.entity.ts';
import { lockReceiptOrRefuse, recordChange, storeReceipt } from '../../sales/receipts/record-change.ts';
import { type PaymentQuote, type QuoteDeps, quotePayment } from '../paying/quote-payment.ts';
import { type ChainOffer, listChainOffers } from '../quotes/offers.ts';
import type { OnrampProvider, ProviderName, SessionAnswer } from './provider.ts';
import { cardProvider } from './providers.ts';
import type { OnrampSession } from './session.entity.ts';
import { ABANDONED_AFTER_MS, findOpenSession, recordedCheckoutOf } from './sessions.ts';

/** The token that card providers deliver. */
const CARD_TOKEN = 'USDC';

/** The maximum number of card checkouts of one receipt. */
const SESSIONS_MAX = 20;

/** The page where the buyer pays by card, or the reason why there is none. */
export interface CardCheckout {
  readonly provider: ProviderName;
  /** The provider's page; null if none was opened. */
  readonly url: string | null;
  /** Epoch ms until which that page waits for the buyer's first step. */
  readonly expiresAt: number | null;
  readonly opensInNewTab: boolean;
  /** Why there is no page. The receipt has failed with this reason and can be retried. */
  readonly failure: PaymentFailure | null;
}

/** The receipt to pay, and the buyer who pays it. */
export interface CheckoutRequest {
  readonly merchant: Wallet;
  readonly receiptId: string;
  /** The buyer's public IP address; null if it is unknown or the caller is not the buyer. */
  readonly buyerAddress: string | null;
  /** True if the request comes from a page opened with the receipt's key, or from the merchant. */
  readonly knowsBuyer: boolean;
}

export type CheckoutDeps = QuoteDeps & Pick<Deps, 'settings' | 'log'>;

/**
 * Starts a card payment of a receipt: reserves its amount in USDC and opens a session at the provider, which delivers
 * to the receipt's address. Returns the open session if there is one for the same amount. A refusal of the provider
 * fails the receipt and is returned as `failure`. Refuses with `not_found`, `split_required`, `payment_underway` while
 * a payment is on its way, and with `invalid_input` if cards are not accepted, nothing is owed, or there were too many
 * attempts.
 */
export async function startCardCheckout(
  deps: CheckoutDeps,
  { merchant, receiptId, buyerAddress, knowsBuyer }: CheckoutRequest,
  actor: string,
): Promise<CardCheckout> {
  const provider = await cardProvider(deps);
  const offer = cardOffer(deps.settings, await listChainOffers(deps, await readReceipt(deps.db, merchant, receiptId)));
  if (!provider || !offer) throw refuse('invalid_input', 'Card payments are not available', { reason: 'not_offered' });
  const { symbol: token, chainId } = offer;
  // A quote would have a failed receipt wait again.
  await deps.db.transaction(async (uow) =>
    requireNothingOnItsWay(deps, uow, await lockReceiptOrRefuse(uow, merchant, receiptId)),
  );
  const quote = await quotePayment(deps, { merchant, receiptId, token, chainId }, actor);
  const begun = await deps.db.transaction(async (uow) => {
    const receipt = await lockReceiptOrRefuse(uow, merchant, receiptId);
    await requireNothingOnItsWay(deps, uow, receipt);
    const open = await findOpenSession(uow, receipt, deps.clock());
    if (open && answersQuote(open, provider, quote)) return { receipt, open: await resume(deps, uow, receipt, open) };
    const { count } = await uow.db
      .selectFrom('OnrampSession')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where((eb) => eb.and({ merchant, receiptId }))
      .executeTakeFirstOrThrow();
    if (count >= SESSIONS_MAX)
      throw refuse('invalid_input', `A receipt can have at most ${SESSIONS_MAX} card checkouts`, {
        reason: 'too_many',
        most: SESSIONS_MAX,
      });
    return { receipt, open: null };
  });
  if (begun.open) return describe(provider, begun.open);

  const redirectUrl = provider.opensInNewTab ? null : returnAddress(deps.settings, begun.receipt);
  const answer = await provider.openSession({
    merchant,
    receiptId,
    chainId: quote.chainId,
    payTo: quote.payTo,
    amount: BigInt(quote.amount),
    decimals: quote.decimals,
    attempt: `${merchant} ${receiptId} ${begun.receipt.seq}`,
    buyer: buyersOwn(begun.receipt, knowsBuyer),
    buyerAddress,
    redirectUrl,
  });
  if (answer.kind === 'refused') {
    deps.log.warn({ provider: provider.name, merchant, receiptId, reason: answer.reason }, 'card checkout refused');
  }
  return deps.db.transaction(async (uow) => {
    const receipt = await lockReceiptOrRefuse(uow, merchant, receiptId);
    // An earlier session may have charged the card while this one was opened, whose page is then never shown.
    await requireNothingOnItsWay(deps, uow, receipt);
    if (answer.kind === 'refused') {
      const circumstances = { actor: `onramp:${provider.name}`, detail: { reason: answer.reason } };
      await failPayment(deps, uow, receipt, answer.code, { ...circumstances, checkout: NO_CHECKOUT });
      return { ...describe(provider, null), failure: failureOf(answer.code) };
    }
    if (!isWaiting(receipt))
      throw refuse('invalid_input', `This receipt is ${receipt.status}: nothing is owed`, {
        reason: 'takes_no_payment',
      });
    const now = deps.clock();
    // A concurrent request may have opened a session meanwhile: only one page is used.
    const other = await findOpenSession(uow, receipt, now);
    if (other && answersQuote(other, provider, quote)) return describe(provider, other);
    const session = keep(provider, answer, { merchant, receiptId, quote, redirectUrl, now });
    await uow.db
      .insertInto('OnrampSession')
      .values({ ...session, eventIds: jsonb(session.eventIds) })
      .execute();
    Object.assign(receipt, recordedCheckoutOf(session));
    const detail = { provider: provider.name, onrampSessionId: session.providerSessionId };
    await recordChange(deps, uow, receipt, { kind: 'note', name: 'card_checkout_opened' }, { actor, detail });
    return describe(provider, session);
  });
}

/**
 * The token that a card payment arrives in: USDC on the first chain of the merchant's list that the provider delivers
 * to. Null if there is none, or no provider.
 */
export function cardOffer(settings: Settings, offers: readonly ChainOffer[]): ChainOffer | null {
  const delivered = offers.filter(
    ({ symbol, chainId }) => symbol === CARD_TOKEN && deliversTo(settings.onramp, chainId),
  );
  return delivered.find(({ offered }) => offered) ?? delivered[0] ?? null;
}

/** The address that the provider returns the buyer to: the merchant's redirect URL, else the payment page. */
const returnAddress = (settings: Settings, { id, merchant, origin, redirectUrl }: Receipt): string =>
  redirectUrl ?? paymentUrl(settings, { id, merchant, origin });

const answersQuote = (session: OnrampSession, provider: OnrampProvider, quote: PaymentQuote): boolean =>
  session.provider === provider.name &&
  session.chainId === quote.chainId &&
  session.amount === quote.amount &&
  session.payTo === quote.payTo;

/** Records the session on the receipt again, after an attempt to pay another way. */
async function resume(
  deps: CheckoutDeps,
  uow: Parameters<typeof recordChange>[1],
  receipt: Receipt,
  session: OnrampSession,
): Promise<OnrampSession> {
  if (isWaiting(receipt)) {
    Object.assign(receipt, recordedCheckoutOf(session), { updatedAt: deps.clock() });
    await storeReceipt(uow, receipt);
  }
  return session;
}

function keep(
  provider: OnrampProvider,
  answer: Extract<SessionAnswer, { kind: 'opened' }>,
  about: { merchant: Wallet; receiptId: string; quote: PaymentQuote; redirectUrl: string | null; now: number },
): OnrampSession {
  const { merchant, receiptId, quote, redirectUrl, now } = about;
  return {
    merchant,
    id: newId('onr', now),
    receiptId,
    provider: provider.name,
    providerSessionId: answer.sessionId,
    status: 'initialized',
    failureCode: null,
    chainId: quote.chainId,
    token: quote.token,
    payTo: quote.payTo,
    amount: quote.amount,
    sourceAmountCents: answer.sourceAmountCents,
    customerTotalCents: answer.customerTotalCents,
    url: answer.url,
    redirectUrl,
    transactionHash: null,
    eventIds: [],
    eventAt: null,
    createdAt: now,
    updatedAt: now,
    expiresAt: now + ABANDONED_AFTER_MS,
    deliveryDueAt: null,
  };
}

const describe = (provider: OnrampProvider, session: OnrampSession | null): CardCheckout => ({
  provider: provider.name,
  url: session?.url ?? null,
  expiresAt: session?.expiresAt ?? null,
  opensInNewTab: provider.opensInNewTab,
  failure: null,
});
