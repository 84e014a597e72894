import type { WalletChoice } from '../client/wallet.ts';
import { formatCents, roundedUp } from './amounts.ts';
import { failureWords } from './failure-words.ts';
import type { PortalReceipt, PortalView } from './view.ts';

/** What the part of the page that changes is drawn from; on the server, and again by the script with what it has learnt since. */
export interface StageModel {
  merchantName: string;
  merchantWallet: string;
  totalText: string;
  receipt: Omit<PortalReceipt, 'lineItems' | 'pricing'>;
  tokens: PortalView['tokens'];
  quote: PortalView['quote'];
  chain: PortalView['chain'];
  card: PortalView['card'];
  testWallet: boolean;
  scriptPath: string | null;
  receiptPath: string;
  readOnly: boolean;
  key: string | null;
  now: number;
}

/** What only the running page knows: nothing of it on the server. */
export interface StageUi {
  script: boolean;
  wallets: WalletChoice[];
  /** The list of wallets is open. */
  picking: boolean;
  /** What is going on, in the buyer's words; null when nothing is. */
  busy: string | null;
  problem: string | null;
  /** The card provider's page is being opened. */
  openingCard: boolean;
  /** The token that a new quote is being asked for; null when none is. */
  quoting: string | null;
  /** Seconds until the buyer is taken to the shop; null where nobody is. */
  leavingIn: number | null;
  /** A payment that was sent from this page and that the server has not seen on the chain yet. */
  sentHash: string | null;
}

export const idleUi: StageUi = {
  script: false,
  wallets: [],
  picking: false,
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
  | 'sent'
  | 'charged'
  | 'seen'
  | 'paid'
  | 'completed'
  | 'refunded';

/** The receipt's total in the currency that it is denominated in. */
export function totalText(receipt: PortalReceipt): string {
  const { pricing } = receipt;
  return pricing ? formatCents(pricing.totalCents, pricing.currency) : formatCents(receipt.totalUsdCents, 'USD');
}

/** The part of the view that the changing stage needs. */
export function stageModel(view: PortalView): StageModel {
  const { lineItems: _lines, pricing: _pricing, ...receipt } = view.receipt;
  const { tokens, quote, chain, card, testWallet, scriptPath, receiptPath, readOnly, key, now } = view;
  return {
    merchantName: view.merchant.name,
    merchantWallet: view.merchant.wallet,
    totalText: totalText(view.receipt),
    receipt,
    tokens,
    quote,
    chain,
    card,
    testWallet,
    scriptPath,
    receiptPath,
    readOnly,
    key,
    now,
  };
}

/** The query of the page itself, with another token or without one. */
export function pageQuery({ merchantWallet, key }: StageModel, token?: string): string {
  const query = new URLSearchParams({ recipient: merchantWallet });
  if (token !== undefined) query.set('token', token);
  if (key) query.set('k', key);
  return `?${query}`;
}

/** Whether the quoted price has run out. */
export function quoteExpired(model: StageModel): boolean {
  const expiresAt = model.quote?.expiresAt;
  return typeof expiresAt === 'number' && expiresAt <= model.now;
}

/** The card was charged, and the tokens are on their way. */
const CHARGED: readonly string[] = ['fulfillment_processing', 'fulfillment_complete'];

/** Which of the designed states the page is in. */
export function stageName(model: StageModel, ui: StageUi): StageName {
  const { status, cardSession } = model.receipt;
  if (status === 'tx_mined') return 'seen';
  if (status === 'paid' || status === 'completed' || status === 'refunded') return status;
  if (CHARGED.includes(cardSession?.status ?? '') && status !== 'tx_mismatch') return 'charged';
  if (ui.sentHash) return 'sent';
  // Who has just been told what went wrong, in the place where it did, need not be told again.
  if (status === 'failed' && ui.problem === null) return 'failed';
  if (quoteExpired(model)) return 'expired';
  return status === 'tx_mismatch' ? 'short' : 'waiting';
}

/** Whether the money is there: what follows a payment may happen. */
export const isPaid = ({ receipt: { status } }: Pick<StageModel, 'receipt'>): boolean =>
  status === 'paid' || status === 'completed';

/** What stands above the total: it asks for money only while there is something to pay. */
export function totalLabel(stage: StageName): string {
  return ['waiting', 'expired', 'short', 'failed'].includes(stage) ? 'Total to pay' : 'Total';
}

/** The sentence said to a screen reader when the stage is entered. */
export function announcement(model: StageModel, stage: StageName): string {
  const { missing, failure } = model.receipt;
  const sentences: Record<StageName, string> = {
    waiting: 'Waiting for your payment.',
    expired: 'The price has expired. Get a new one to go on.',
    short: missing
      ? `${roundedUp(missing.display)} ${missing.token} is still missing.`
      : 'Part of the payment is still missing.',
    failed: failure ? `The payment failed. ${failureWords(failure.code)}` : 'The payment failed.',
    sent: 'Payment sent. Waiting for the network.',
    charged: 'Card accepted. The payment is on its way.',
    seen: 'Payment seen on the network. Waiting for confirmations.',
    paid: 'Payment confirmed.',
    completed: 'Payment settled.',
    refunded: 'This payment was refunded.',
  };
  return sentences[stage];
}
