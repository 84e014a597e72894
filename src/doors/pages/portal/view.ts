import type { ReceiptStatus } from '../../../domain/sales/receipts/lifecycle.ts';
import type { Reading } from '../shared/reading.ts';
import type { PageTheme } from '../shared/theme.ts';

/** What a page says of the message with the receipt: that it comes after the payment, or that it was sent. */
export interface MailPromise {
  said: 'receipt_comes' | 'receipt_sent';
  /** The buyer's address, shortened, as others may open the page. */
  address: string;
}

export interface PortalLine {
  kind: 'item' | 'tax' | 'fee';
  /** For display. */
  label: string;
  /** The rate and jurisdiction of a tax. */
  note?: string | null;
  /** Extended amount (unit × qty) in USD cents; may be negative (a discount). */
  priceUsdCents: number;
  /** The same in the receipt's own currency, if that is not USD. */
  nativeCents?: number | null;
  qty?: number | null;
  /** `https:` or `data:image/…`. */
  thumb?: string | null;
}

/** Why a payment failed. Only the buyer's sentence for the code is shown: reason and action are for the shop. */
export interface PortalFailure {
  code: string;
  /** In the language of the page. */
  sentence: string;
  /** The path of the receipt that takes the place of this one; null if there is none. */
  nextPath?: string | null;
}

/** The sum of what the buyer paid. `display` is a decimal string without the symbol. */
export interface PortalPaid {
  token: string;
  display: string;
}

/** The remaining amount after an underpayment. `display` is a decimal string without the symbol. */
interface PortalMissing {
  token: string;
  amount: string;
  display: string;
}

export interface PortalToken {
  /** Names token and chain: the symbol on the first chain, with `@` and the chain's id on others. */
  id: string;
  symbol: string;
  /** The ERC-20 contract; null is the chain's own coin. */
  address: string | null;
  decimals: number;
  name: string;
  offered: boolean;
  /** One sentence for the buyer, if the token is not available. */
  reason?: string | null;
  /** Whether a wallet may only sign the transfer, and the server sends it. */
  gasless?: boolean;
  /** Its chain, if the buyer may choose between several. */
  chain?: PortalChain;
}

/** The same fields as GraphQL's `PaymentQuote`. `display` is a decimal string without the symbol. */
export interface PortalQuote {
  token: string;
  chainId: number;
  amount: string;
  decimals: number;
  display: string;
  payTo: string;
  /** EIP-681. */
  uri: string;
  expiresAt: number | null;
}

export interface PortalChain {
  id: number;
  name: string;
  /** For wallets that must add the chain first. */
  rpcUrl?: string | null;
  /** Base address of a block explorer; `/tx/<hash>` is added. */
  explorerUrl?: string | null;
  /** True for a local test chain; the page then states that no real money moves. */
  local: boolean;
  /** How long a payment usually takes and what it costs, if the buyer may choose between several chains. */
  expectedTime?: string;
  /** The same in short, for the list of tokens. */
  choice?: string;
}

/** The card provider; the buyer pays on its page. */
export interface PortalCard {
  label: string;
  opensInNewTab: boolean;
  /** No real card is charged. */
  test: boolean;
}

/** A status change of the receipt, oldest first. */
interface PortalStep {
  status: ReceiptStatus;
  at: number;
}

export interface PortalReceipt {
  receiptId: string;
  status: ReceiptStatus;
  /** `seq` of the last history row: the live stream resumes after it. */
  seq: number;
  currency: string;
  totalUsdCents: number;
  /** If the receipt is denominated in another currency than USD. `usdPerUnit` is a decimal string. */
  pricing: { currency: string; totalCents: number; usdPerUnit: string } | null;
  lineItems: PortalLine[];
  createdAt: number;
  /** When the receipt ends if it is unpaid; null if never. */
  expiresAt: number | null;
  /** When the receipt was paid or ended; null while it waits for money. */
  closedAt: number | null;
  transactionHash: string | null;
  /** When the payment's block was made; null before. */
  transactionTimestamp: number | null;
  confirmations: number;
  confirmationsNeeded: number;
  /** A sentence on how long the confirmation usually takes, in the language of the page. */
  confirmationNote: string;
  /** The same before the payment: `Usually confirmed within 30 seconds.` */
  expectedTime: string;
  failure: PortalFailure | null;
  missing: PortalMissing | null;
  /** Whether money arrived that may be meant for this receipt, and that the shop must decide about. */
  unmatched: boolean;
  /** What was received and not sent back. */
  receivedUsdCents: number;
  /** Null before a payment was found. */
  paid: PortalPaid | null;
  history: PortalStep[];
  /** The status of the card checkout, if there is one. */
  cardSession: { status: string } | null;
  /** The shop's page: a link back before the payment, and the redirect target after a payment on this page. */
  returnUrl: string | null;
  /** The merchant's own reference, which is appended to `returnUrl`. */
  transactionId: string | null;
}

/** How a buyer reaches the shop; null for what it has not said. */
export interface ShopContact {
  contactEmail: string | null;
  contactPhone: string | null;
  contactUrl: string | null;
}

/**
 * One recipient's share of the payment. Wallets with their checksum; `display` is a decimal string without the symbol,
 * null while unknown.
 */
export interface PageShare {
  name: string;
  wallet: string;
  token: string;
  display: string | null;
  released: boolean;
  /** This server's release transaction; null if there is none, or if the recipient released the share. */
  transactionHash: string | null;
}

/**
 * The data that the payment page shows. The page needs no other data. Fiat amounts are integer cents, token amounts
 * decimal strings of base units, times epoch milliseconds, wallets `0x…` in any case.
 */
export interface PortalView {
  reading: Reading;
  /** When the view was read: determines whether the quote has expired, and corrects the buyer's clock. */
  now: number;
  merchant: { name: string; wallet: string; theme: PageTheme; contact?: ShopContact };
  receipt: PortalReceipt;
  /** The shares; empty before settlement. */
  settlement: PageShare[];
  /** The remainder in the split contract from rounding; null if there is none or it is unknown. */
  remainder: PortalPaid | null;
  /** The URL of the order's script, which runs in a sandbox after payment; null if there is none. */
  scriptPath: string | null;
  /** The URL of the printable receipt. */
  receiptPath: string;
  /** True if the URL has no valid key and can therefore be guessed: the page then offers no writes. */
  readOnly: boolean;
  /** True if the buyer may renew the receipt after its end. */
  renewable: boolean;
  /** Where the buyer asks for an expired receipt again; null if the shop does not want that. */
  againPath?: string | null;
  /** The `k` of the URL, which the page's links keep; null if there is none or none is needed. */
  key: string | null;
  /** True if no e-mail address is known; the page then asks for one. */
  asksEmail: boolean;
  /** Whether the server sends the receipt to an address that the buyer gives. */
  sendsReceipt?: boolean;
  /** What the page says of the message with the receipt; null if none will be sent. */
  receiptMail?: MailPromise | null;
  tokens: PortalToken[];
  /** For the preselected token (`?token=` in the URL selects another); null if no token can be quoted. */
  quote: PortalQuote | null;
  /** The id of the token of `quote`. */
  tokenId: string | null;
  /** True if the receipt had another address before. What arrives there still counts. */
  addressChanged: boolean;
  chain: PortalChain;
  /** The card provider; null if card payment is not available. */
  card: PortalCard | null;
  /** True on the local chain only: the page offers to pay with a test wallet. */
  testWallet: boolean;
  pageToken: string;
  graphqlUrl: string;
  websocketUrl: string;
}
