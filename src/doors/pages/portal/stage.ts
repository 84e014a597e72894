import type { Words } from '../../../base/core/messages/fill.ts';
import type { Language } from '../../../base/core/messages/languages.ts';
import { UNMATCHED_NOTE } from '../../../domain/payments/matching/unmatched-note.ts';
import { hasEnded, isPartPaid } from '../../../domain/sales/receipts/ended.ts';
import type { WalletChoice } from '../client/discover-wallets.ts';
import { formatCents, withCents } from '../shared/amounts.ts';
import type { PortalReceipt, PortalToken, PortalView, ShopContact } from './view.ts';

/** What the changing part of the page says. */
export type Say = Words<'payment'>;

/** What only the whole page shows, or its script reads elsewhere. */
type OfPage =
  | 'reading'
  | 'merchant'
  | 'settlement'
  | 'remainder'
  | 'asksEmail'
  | 'sendsReceipt'
  | 'receiptMail'
  | 'pageToken'
  | 'graphqlUrl'
  | 'websocketUrl';

/** The data of the changing part of the page: drawn by the server, then redrawn by the script with newer data. */
export interface StageModel extends Omit<PortalView, OfPage | 'receipt'> {
  merchantName: string;
  merchantWallet: string;
  /** The language that the address of the page names, which its links keep. */
  chosen: Language | null;
  totalText: string;
  receipt: Omit<PortalReceipt, 'lineItems' | 'pricing'>;
  contact: ShopContact | null;
}

/** How a wallet pays: it sends the transfer, or it signs it and the server sends it. */
export type WalletWay = 'send' | 'sign';

/** State of the running page only; empty on the server. */
export interface StageUi {
  script: boolean;
  wallets: WalletChoice[];
  /** The list of wallets is open, for this way to pay. */
  picking: WalletWay | null;
  /** The current activity, as text for the buyer; null if there is none. */
  busy: string | null;
  problem: string | null;
  /** The card provider's page is being opened. */
  openingCard: boolean;
  /** The token of the quote request in flight; null if there is none. */
  quoting: string | null;
  /** Seconds until the redirect to the shop; null if there is none. */
  leavingIn: number | null;
  /** A payment sent from this page that the server has not found on the chain yet. */
  sentHash: string | null;
}

export const idleUi: StageUi = {
  script: false,
  wallets: [],
  picking: null,
  busy: null,
  problem: null,
  openingCard: false,
  quoting: null,
  leavingIn: null,
  sentHash: null,
};

export type StageName =
  | 'waiting'
  | 'expired'
  | 'short'
  | 'failed'
  | 'ended'
  | 'sent'
  | 'charged'
  | 'seen'
  | 'paid'
  | 'completed'
  | 'refunded';

/** The receipt's total in the currency that it is denominated in. */
function totalText({ pricing, totalUsdCents }: PortalReceipt, language: Language): string {
  return pricing
    ? formatCents(pricing.totalCents, pricing.currency, language)
    : formatCents(totalUsdCents, 'USD', language);
}

/** The part of the view that the changing stage needs. */
export function stageModel(view: PortalView): StageModel {
  const {
    reading,
    merchant,
    receipt: whole,
    settlement,
    remainder,
    asksEmail,
    sendsReceipt,
    receiptMail,
    ...rest
  } = view;
  const { pageToken, graphqlUrl, websocketUrl, ...shown } = rest;
  const { lineItems, pricing, ...receipt } = whole;
  return {
    ...shown,
    merchantName: merchant.name,
    merchantWallet: merchant.wallet,
    chosen: reading.chosen,
    totalText: totalText(whole, reading.language),
    receipt,
    contact: merchant.contact ?? null,
  };
}

/** The query of the page itself, with another token or without one. */
export function pageQuery({ merchantWallet, key, chosen }: StageModel, token?: string | null): string {
  const query = new URLSearchParams({ recipient: merchantWallet });
  if (token) query.set('token', token);
  if (key) query.set('k', key);
  if (chosen) query.set('lang', chosen);
  return `?${query}`;
}

/** The token of a symbol: on the network of another token if it is offered there, else where it is offered. */
export function tokenOfSymbol<Token extends Pick<PortalToken, 'id' | 'symbol' | 'offered'>>(
  tokens: readonly Token[],
  symbol: string,
  near: string | null,
): Token | undefined {
  const listed = tokens.filter((token) => token.symbol === symbol);
  const offered = listed.filter((token) => token.offered);
  return offered.find(({ id }) => id === near?.replace(/^[^@]*/, symbol)) ?? offered[0] ?? listed[0];
}

/** Whether the quoted price has run out. */
export function quoteExpired(model: StageModel): boolean {
  const expiresAt = model.quote?.expiresAt;
  return typeof expiresAt === 'number' && expiresAt <= model.now;
}

/** From this time before the end on, the page counts down. */
const COUNTDOWN_MS = 3_600_000;

/** Whether the page shows how long the receipt can still be paid. */
export const countsDown = ({ receipt: { expiresAt }, now }: StageModel): boolean =>
  expiresAt !== null && expiresAt - now <= COUNTDOWN_MS;

/** Whether the page shows how long the quote holds. A quote that holds longer is renewed while the page is open. */
export const quoteCountsDown = ({ quote, now }: StageModel): boolean =>
  typeof quote?.expiresAt === 'number' && quote.expiresAt - now <= COUNTDOWN_MS;

/** Whether time has ended the receipt. The server says when it ends one that waits for the rest of its payment. */
const isOver = ({ receipt, now }: StageModel): boolean => hasEnded(receipt, now, Number.POSITIVE_INFINITY);

/** What time alone changes on the page. The page is drawn again when it differs. */
export const phaseOf = (model: StageModel): string =>
  [quoteExpired(model), quoteCountsDown(model), isOver(model), countsDown(model)].join();

/** The card was charged and the provider is sending the tokens. */
const CHARGED: readonly string[] = ['fulfillment_processing', 'fulfillment_complete'];

interface NamedRow {
  readonly kind: string;
  readonly name: string | null;
}

/** Whether a row of the history says that money arrived which may be meant for the receipt. */
export const tellsOfUnmatched = ({ kind, name }: NamedRow): boolean => kind === 'note' && name === UNMATCHED_NOTE;

/** The current state of the page. */
export function stageName(model: StageModel, ui: StageUi): StageName {
  const { status, cardSession } = model.receipt;
  const isShort = isPartPaid(model.receipt);
  if (status === 'tx_mined') return 'seen';
  if (status === 'paid' || status === 'completed' || status === 'refunded') return status;
  if (CHARGED.includes(cardSession?.status ?? '') && !isShort) return 'charged';
  if (ui.sentHash) return 'sent';
  if (isOver(model)) return 'ended';
  // A failure that is already shown where it happened is not shown again.
  if (status === 'failed' && ui.problem === null) return 'failed';
  if (quoteExpired(model)) return 'expired';
  return isShort ? 'short' : 'waiting';
}

/** Whether the quote is shown and holds so long that the page renews it before its end. */
export const isRenewable = (model: StageModel, ui: StageUi): boolean =>
  ['waiting', 'short', 'failed'].includes(stageName(model, ui)) && ui.quoting === null && !quoteCountsDown(model);

/** Whether only a part of a payment was returned: the receipt was never paid. */
export function isReturnedPart({ receipt: { status, history } }: Pick<StageModel, 'receipt'>): boolean {
  const before = history.findLast((step) => step.status !== 'refunded')?.status;
  return status === 'refunded' && (before === 'tx_mismatch' || before === 'failed');
}

/** Whether the receipt is paid, so that the steps after payment may start. */
export const isPaid = ({ receipt: { status } }: Pick<StageModel, 'receipt'>): boolean =>
  status === 'paid' || status === 'completed';

/** The label above the total. It asks for money only while nothing is paid. */
export function totalLabel(say: Say, stage: StageName): string {
  return say(['waiting', 'expired', 'failed'].includes(stage) ? 'toPay' : 'total');
}

/** An amount of a token, as a wallet takes it: with Latin digits in every language. */
export const tokenAmount = ({ display, token }: { readonly display: string; readonly token: string }): string =>
  `${withCents(display)} ${token}`;

/** The announcement for screen readers when the stage is entered. */
export function announcement(say: Say, { receipt: { missing, failure } }: StageModel, stage: StageName): string {
  if (stage === 'short') return `${missing ? say('missing', { amount: tokenAmount(missing) }) : say('missing.some')}.`;
  const said = say(`now.${stage}`);
  return stage === 'failed' && failure ? `${said} ${failure.sentence}` : said;
}
