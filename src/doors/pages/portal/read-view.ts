import type { Chain } from '../../../base/chain/client.ts';
import { Refusal } from '../../../base/core/errors.ts';
import { depthFor } from '../../../base/core/finality.ts';
import { isLocalChain } from '../../../base/core/local-chains.ts';
import type { Words } from '../../../base/core/messages/fill.ts';
import type { Language } from '../../../base/core/messages/languages.ts';
import { wordsOf } from '../../../base/core/messages/words.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { chainOf, onChain } from '../../../base/platform/on-chain.ts';
import { issuePageToken } from '../../../domain/access/gateway/page-token.ts';
import type { OnrampProvider } from '../../../domain/payments/cards/provider.ts';
import { cardProvider } from '../../../domain/payments/cards/providers.ts';
import { readCheckout } from '../../../domain/payments/cards/read-checkout.ts';
import { cardOffer } from '../../../domain/payments/cards/start-checkout.ts';
import { isGasless } from '../../../domain/payments/gasless/terms.ts';
import { readMissing } from '../../../domain/payments/paying/missing.ts';
import { paidAmount } from '../../../domain/payments/paying/paid-amount.ts';
import { showQuote } from '../../../domain/payments/paying/quote-payment.ts';
import { networkFeeUsd } from '../../../domain/payments/quotes/collection-cost.ts';
import { type ChainOffer, listChainOffers } from '../../../domain/payments/quotes/offers.ts';
import { readAccount } from '../../../domain/payments/refunds/account.ts';
import { neededFor, readProgress } from '../../../domain/payments/watching/confirmations.ts';
import { mayAskAgain } from '../../../domain/sales/orders/request-again.ts';
import { addressesOf } from '../../../domain/sales/receipts/addresses.ts';
import { readAfterPayment } from '../../../domain/sales/receipts/after-payment.ts';
import { isExpired, isVoided } from '../../../domain/sales/receipts/ended.ts';
import { failureOf } from '../../../domain/sales/receipts/failures.ts';
import { readHistory } from '../../../domain/sales/receipts/history.ts';
import { isWaiting } from '../../../domain/sales/receipts/lifecycle.ts';
import { keyIn, opensForWriting } from '../../../domain/sales/receipts/payment-url.ts';
import { findPortalReceipt, type ReceiptRow } from '../../../domain/sales/receipts/read.ts';
import { readEnded } from '../../../domain/sales/receipts/read-ended.ts';
import { readLinks } from '../../../domain/sales/receipts/successor.ts';
import { findItems } from '../../../domain/shop/catalog/list-items.ts';
import { letterTile } from '../../../domain/shop/catalog/pictures.ts';
import { configuredRates, type ReadRate } from '../../../domain/shop/fx/usd-per-token.ts';
import { readShop } from '../../../domain/shop/merchants/read-shop.ts';
import { wouldSend } from '../../../domain/webhooks/mail/preferences.ts';
import { shownChain } from '../shared/chain.ts';
import { afterPaymentPath, againPath, linkPath, portalPath, receiptPath } from '../shared/paths.ts';
import type { Reading } from '../shared/reading.ts';
import { choiceNote, confirmationNote, expectedTime, feeNote } from './confirmation-note.ts';
import { failureWords } from './failure-words.ts';
import { portalLines } from './lines.ts';
import { readSettlement } from './read-settlement.ts';
import { promiseOf } from './receipt-mail.ts';
import { tellsOfUnmatched, tokenOfSymbol } from './stage.ts';
import type { PortalCard, PortalToken, PortalView } from './view.ts';

/** The parameters of a page's URL besides the receipt id. */
export interface PageRequest {
  readonly id: string;
  readonly recipient: Wallet | null;
  /** The token to preselect, by its id. */
  readonly token: string | null;
  /** Its symbol, if the page has no script and the buyer has chosen another one than the token's. */
  readonly symbol: string | null;
  /** The `k` of the URL, unchecked. */
  readonly key: unknown;
  /** The page is not shown to a person yet, so no price is quoted, unless the URL names a token. */
  readonly preview: boolean;
  /** How the page is read, by the languages of the receipt and of the shop. */
  readingOf(known: { readonly receipt: string | null; readonly shop: Language | null }): Reading;
}

/**
 * The data of a receipt's payment page; null if the URL names no receipt. Reading it quotes the preselected token,
 * so that the page works without its script; a preview quotes nothing. The receipt's status does not change.
 */
export async function readView(deps: Deps, request: PageRequest): Promise<PortalView | null> {
  const receipt = await findPortalReceipt(deps.db, request.id, request.recipient);
  if (!receipt) return null;
  const { merchant, id } = receipt;
  const readOnly = !opensForWriting(deps.settings, receipt, request.key);
  const key = keyIn(deps.settings, receipt, request.key);
  const payments = { ...deps, readRate: configuredRates(deps) };
  const now = deps.clock();
  const hasEnded = isExpired(receipt) || isVoided(receipt);
  const owes = isWaiting(receipt) && receipt.totalCents > 0 && !(await readEnded(deps.db, receipt, now));
  const asksEmail = !readOnly && !receipt.billingAddress?.email && receipt.status !== 'refunded' && !hasEnded;
  const shop = readShop(deps.db, merchant);
  const reading = shop.then(({ language }) => request.readingOf({ receipt: receipt.language, shop: language }));
  const [
    { theme, allowRenewal, newRequests, contactEmail, contactPhone, contactUrl },
    after,
    settlement,
    history,
    offers,
    progress,
    missing,
    items,
    pageToken,
    checkout,
    provider,
    sendsReceipt,
    receiptMail,
    nextId,
  ] = await Promise.all([
    shop,
    shop.then(({ postPaymentScripts }) => readAfterPayment(deps.db, deps.settings, receipt, postPaymentScripts)),
    reading.then(({ language }) => readSettlement(deps, receipt, language)),
    readHistory(deps.db, receipt),
    listChainOffers(payments, receipt),
    readProgress(deps, merchant, id),
    receipt.status === 'tx_mismatch' ? readMissing(payments, merchant, id) : null,
    findItems(
      deps.db,
      merchant,
      receipt.lineItems.flatMap(({ itemId }) => itemId ?? []),
    ),
    issuePageToken(deps.settings, { merchant, receiptId: id, readOnly }, now),
    readCheckout(deps.db, merchant, id),
    readOnly ? null : cardProvider(deps),
    asksEmail && wouldSend(deps.db, deps.settings.mail, now, merchant, null),
    readOnly ? null : promiseOf(deps, receipt),
    hasEnded && !readOnly ? readLinks(deps.db, merchant, [id]).then(([links]) => links!.replacedBy) : null,
  ]);
  const shown: Preselected =
    owes && !(request.preview && request.token === null)
      ? await preselected(payments, receipt, offers, request)
      : NO_QUOTE;
  const { language, chosen } = await reading;
  const say = wordsOf('order', language);
  const tokens = await Promise.all(offers.map((offer) => portalToken(payments, say, receipt, offer)));
  return {
    now,
    reading: await reading,
    merchant: { name: receipt.brandName, wallet: merchant, theme, contact: { contactEmail, contactPhone, contactUrl } },
    receipt: {
      ...storedFields(receipt, language, nextId && portalPath({ merchant, id: nextId }, null, chosen)),
      lineItems: portalLines(receipt, language, (itemId, label) => items.get(itemId)?.thumb ?? letterTile(label)),
      confirmations: progress.confirmations,
      confirmationsNeeded: progress.confirmationsNeeded,
      confirmationNote: confirmationNote(say, progress),
      expectedTime: expectedTime(say, progress),
      cardSession: checkout.status === null ? null : { status: checkout.status },
      missing,
      unmatched: history.some(tellsOfUnmatched),
      receivedUsdCents: await readReceived(deps, receipt),
      paid: paidAmount(deps, receipt),
      history: history.flatMap(({ kind, status, at }) => (kind === 'status' ? [{ status, at }] : [])),
      returnUrl: readOnly ? null : after.successUrl,
    },
    settlement: settlement.shares,
    remainder: settlement.remainder,
    scriptPath: after.script === null || readOnly ? null : afterPaymentPath(receipt, key, chosen),
    receiptPath: receiptPath(receipt, key, chosen),
    readOnly,
    renewable: allowRenewal && !readOnly && receipt.linkId === null,
    againPath: readOnly
      ? null
      : (linkAgain(receipt, chosen) ??
        (!allowRenewal && mayAskAgain({ newRequests }, receipt) ? againPath(receipt, key, chosen) : null)),
    key,
    asksEmail,
    sendsReceipt,
    receiptMail,
    tokens,
    ...shown,
    chain: tokens.find(({ id }) => id === shown.tokenId)?.chain ?? shownChain(deps, language, receipt.paymentChainId),
    card: provider && cardOffer(deps.settings, offers) ? portalCard(provider) : null,
    testWallet: !readOnly && isLocalChain(deps.chain.chainId),
    pageToken,
    graphqlUrl: '/api/graphql',
    websocketUrl: '/api/graphql',
  };
}

/** Where a receipt of a payment link is asked for again once it has expired: at the link, which makes a new one. */
const linkAgain = (receipt: ReceiptRow, chosen: Language | null): string | null =>
  receipt.linkId !== null && isExpired(receipt) ? linkPath(receipt.linkId, receipt.id, chosen) : null;

/** What was received for a receipt and not sent back, in cents. */
async function readReceived({ db }: Deps, receipt: ReceiptRow): Promise<number> {
  if (receipt.transactionTimestamp === null) return 0;
  const { paidCents, refundedCents } = await readAccount(db, receipt);
  return paidCents - refundedCents;
}

type Order = Words<'order'>;

/** The fields that the page shows as they are stored. */
function storedFields(receipt: ReceiptRow, language: Language, nextPath: string | null) {
  const { id, status, seq, currency, pricing, createdAt, expiresAt, closedAt, transactionHash, transactionId } =
    receipt;
  const { transactionTimestamp } = receipt;
  const failure = status === 'failed' ? failureOf(receipt.failureCode) : null;
  return {
    receiptId: id,
    status,
    seq,
    currency,
    totalUsdCents: receipt.totalCents,
    pricing: pricing && {
      currency: pricing.currency,
      totalCents: pricing.originalTotalCents,
      usdPerUnit: pricing.usdPerUnit,
    },
    createdAt,
    expiresAt,
    closedAt,
    transactionHash,
    transactionTimestamp,
    transactionId,
    failure: failure && {
      code: failure.failureCode,
      sentence: failureWords(failure.failureCode, language),
      nextPath,
    },
  };
}

/** The card provider as the page shows it. */
const portalCard = ({ name, label, opensInNewTab }: OnrampProvider): PortalCard => ({
  label,
  opensInNewTab,
  test: name === 'sandbox',
});

/** The id of a token on a chain; see `PortalToken`. */
const idOf = (chain: Chain, { symbol, chainId }: ChainOffer): string =>
  chainId === chain.chainId ? symbol : `${symbol}@${chainId}`;

/** A token that the page lists, with its chain, and how long and at what cost a payment of this receipt takes there. */
async function portalToken(
  deps: Deps & { readonly readRate: ReadRate },
  say: Order,
  { merchant, totalCents }: ReceiptRow,
  offer: ChainOffer,
): Promise<PortalToken> {
  const { chainId, why, ...token } = offer;
  const shown = shownChain(deps, say.language, chainId);
  // Each takes of these values what it names.
  const reason = why && say(`why.${why as 'not_taken'}`, { token: token.symbol, chain: shown.name });
  const gasless = token.offered && (await isGasless(onChain(deps, chainId), merchant, token.symbol));
  const named = { ...token, reason, id: idOf(deps.chain, offer), gasless };
  const chain = deps.chains.length > 1 ? chainOf(deps, chainId) : null;
  if (!chain) return named;
  const progress = neededFor(chain, depthFor(chain.finality, totalCents));
  const fee = await networkFeeUsd({ ...deps, chain }, token);
  const time = expectedTime(say, progress);
  const note = fee ? `${time} ${feeNote(say, fee)}` : time;
  return { ...named, chain: { ...shown, choice: choiceNote(say, progress, fee), expectedTime: note } };
}

type Preselected = Pick<PortalView, 'quote' | 'tokenId' | 'addressChanged'>;

const NO_QUOTE: Preselected = { quote: null, tokenId: null, addressChanged: false };

/** The quote for the token of the URL, else for the first offered token; null if no token can be quoted now. */
async function preselected(
  deps: Parameters<typeof showQuote>[0],
  receipt: ReceiptRow,
  offers: readonly ChainOffer[],
  wanted: Pick<PageRequest, 'token' | 'symbol'>,
): Promise<Preselected> {
  const offered = offers.flatMap((offer) => (offer.offered ? { ...offer, id: idOf(deps.chain, offer) } : []));
  const named = wanted.token?.toUpperCase() ?? null;
  const token =
    (wanted.symbol && tokenOfSymbol(offered, wanted.symbol, named)) ||
    (offered.find(({ id }) => id === named) ?? offered[0]);
  if (!token) return NO_QUOTE;
  try {
    const request = { merchant: receipt.merchant, receiptId: receipt.id, token: token.symbol, chainId: token.chainId };
    const quote = await showQuote(deps, request);
    const { length } = await addressesOf(deps.db, receipt);
    return { quote, tokenId: token.id, addressChanged: length > 1 };
  } catch (error) {
    // The receipt was paid, or the price became unavailable, since it was read: show the page without a quote.
    if (error instanceof Refusal) return NO_QUOTE;
    throw error;
  }
}
