import { refuse } from '../core/errors.ts';
import type { Failure } from '../core/events.ts';
import { newId } from '../core/ids.ts';
import type { Wallet } from '../core/wallet.ts';
import { type PaymentQuote, type QuoteDeps, quotePayment } from '../payments/quote-payment.ts';
import type { Deps } from '../platform/deps.ts';
import { inTransaction } from '../platform/unit-of-work.ts';
import { failPayment, NO_CHECKOUT } from '../receipts/fail.ts';
import { failureOf } from '../receipts/failures.ts';
import { isWaiting } from '../receipts/lifecycle.ts';
import { paymentUrl } from '../receipts/payment-url.ts';
import { buyersOwn } from '../receipts/read.ts';
import type { Receipt } from '../receipts/receipt.entity.ts';
import { lockReceiptOrRefuse, recordChange } from '../receipts/record-change.ts';
import type { OnrampProvider, SessionAnswer } from './provider.ts';
import { cardProvider } from './providers.ts';
import { OnrampSession } from './session.entity.ts';
import { ABANDONED_AFTER_MS, findOpenSession, tellOf } from './sessions.ts';

/** The token that card providers deliver. */
const CARD_TOKEN = 'USDC';

/** Nobody tries more cards than this on one receipt. */
const SESSIONS_MAX = 20;

/** Where the buyer pays by card, or why that cannot be. */
export interface CardCheckout {
  readonly provider: string;
  /** The provider's page; null where it opened none. */
  readonly url: string | null;
  /** Epoch ms: until when that page waits for the buyer's first step. */
  readonly expiresAt: number | null;
  readonly opensInNewTab: boolean;
  /** Why there is no page; the receipt has failed by it and can be tried again. */
  readonly failure: Failure | null;
}

/** What is to be paid, by whom. */
export interface CheckoutRequest {
  readonly merchant: Wallet;
  readonly receiptId: string;
  /** The buyer's public address; null where it is not known, or another asks. */
  readonly buyerAddress: string | null;
  /** The request comes from a page that was opened with the receipt's key, or from its merchant. */
  readonly knowsBuyer: boolean;
}

export type CheckoutDeps = QuoteDeps & Pick<Deps, 'settings' | 'log'>;

/**
 * Begins to pay a receipt by card: reserves its amount in USDC and opens a session at the provider that delivers it to the merchant's split. The session
 * that already waits for the same amount is answered again. What the provider refuses fails the receipt, and is an answer. Refuses with `not_found`,
 * `split_required`, and with `invalid_input` where no card is taken here, nothing is owed, or it was tried too often.
 */
export async function startCardCheckout(
  deps: CheckoutDeps,
  { merchant, receiptId, buyerAddress, knowsBuyer }: CheckoutRequest,
  actor: string,
): Promise<CardCheckout> {
  const provider = await cardProvider(deps);
  if (!provider || !takesCards(deps)) throw refuse('invalid_input', 'Cards are not taken here');
  const quote = await quotePayment(deps, { merchant, receiptId, token: CARD_TOKEN }, actor);
  const begun = await inTransaction(deps, async (uow) => {
    const receipt = await lockReceiptOrRefuse(uow, merchant, receiptId);
    const open = await findOpenSession(uow, receipt, deps.clock());
    if (open && answersQuote(open, provider, quote)) return { receipt, open: await resume(deps, uow, receipt, open) };
    const [{ count } = { count: 0 }] = await uow.sql<{ count: number }>(
      'select count(*)::int as count from onramp_sessions where merchant = $1 and receipt_id = $2',
      [merchant, receiptId],
    );
    if (count >= SESSIONS_MAX) throw refuse('invalid_input', `At most ${SESSIONS_MAX} card checkouts a receipt`);
    return { receipt, open: null };
  });
  if (begun.open) return describe(provider, begun.open);

  const redirectUrl = provider.opensInNewTab ? null : returnAddress(deps, begun.receipt);
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
  return inTransaction(deps, async (uow) => {
    const receipt = await lockReceiptOrRefuse(uow, merchant, receiptId);
    if (answer.kind === 'refused') {
      const circumstances = { actor: `onramp:${provider.name}`, detail: { reason: answer.reason } };
      await failPayment(deps, uow, receipt, answer.code, { ...circumstances, checkout: NO_CHECKOUT });
      return { ...describe(provider, null), failure: failureOf(answer.code) };
    }
    if (!isWaiting(receipt)) throw refuse('invalid_input', `This receipt is ${receipt.status}: nothing is owed`);
    const now = deps.clock();
    // Somebody else may have opened one meanwhile: there is one page to go to.
    const other = await findOpenSession(uow, receipt, now);
    if (other && answersQuote(other, provider, quote)) return describe(provider, other);
    const session = keep(provider, answer, { merchant, receiptId, quote, redirectUrl, now });
    uow.em.persist(session);
    Object.assign(receipt, tellOf(session), { onrampCharged: false });
    const detail = { provider: provider.name, onrampSessionId: session.providerSessionId };
    await recordChange(deps, uow, receipt, { kind: 'note', name: 'card_checkout_opened' }, { actor, detail });
    return describe(provider, session);
  });
}

/** Whether cards can be taken on this chain at all: what providers deliver must be a token of it. */
export const takesCards = ({ settings, chain }: Pick<Deps, 'settings' | 'chain'>): boolean =>
  settings.onramp !== null && chain.tokens.some(({ symbol }) => symbol === CARD_TOKEN);

/** Where the provider returns the buyer to: where the merchant wants, else the page that the buyer came from. */
const returnAddress = ({ settings }: Pick<Deps, 'settings'>, { id, merchant, origin, redirectUrl }: Receipt): string =>
  redirectUrl ?? paymentUrl(settings, { id, merchant, origin });

const answersQuote = (session: OnrampSession, provider: OnrampProvider, quote: PaymentQuote): boolean =>
  session.provider === provider.name && session.amount === quote.amount && session.payTo === quote.payTo;

/** The session is the receipt's again, after it was tried in another way meanwhile. */
async function resume(
  deps: CheckoutDeps,
  uow: Parameters<typeof recordChange>[1],
  receipt: Receipt,
  session: OnrampSession,
): Promise<OnrampSession> {
  if (isWaiting(receipt)) Object.assign(receipt, tellOf(session), { updatedAt: deps.clock() });
  await uow.em.flush();
  return session;
}

function keep(
  provider: OnrampProvider,
  answer: Extract<SessionAnswer, { kind: 'opened' }>,
  about: { merchant: Wallet; receiptId: string; quote: PaymentQuote; redirectUrl: string | null; now: number },
): OnrampSession {
  const { merchant, receiptId, quote, redirectUrl, now } = about;
  return Object.assign(new OnrampSession(), {
    merchant,
    id: newId('onr', now),
    receiptId,
    provider: provider.name,
    providerSessionId: answer.sessionId,
    status: 'initialized' as const,
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
  });
}

const describe = (provider: OnrampProvider, session: OnrampSession | null): CardCheckout => ({
  provider: provider.name,
  url: session?.url ?? null,
  expiresAt: session?.expiresAt ?? null,
  opensInNewTab: provider.opensInNewTab,
  failure: null,
});
