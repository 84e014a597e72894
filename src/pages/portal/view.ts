import type { PageTheme } from '../theme.ts';
/**
 * What the payment page shows, as plain data. The page asks nobody for anything else.
 * Fiat amounts are integer cents, token amounts decimal strings of base units, times epoch milliseconds, wallets `0x…` in any case.
 */
export type PortalStatus =
  | 'generated'
  | 'pending'
  | 'tx_mined'
  | 'paid'
  | 'completed'
  | 'failed'
  | 'refunded'
  | 'tx_mismatch';

export interface PortalLine {
  kind: 'item' | 'tax' | 'fee';
  /** As people read it. */
  label: string;
  /** The rate and the place of a tax. */
  note?: string | null;
  /** Extended amount (unit × qty) in USD cents; may be negative (a discount). */
  priceUsdCents: number;
  /** The same in the receipt's own currency, where it has one beside USD. */
  nativeCents?: number | null;
  qty?: number | null;
  /** `https:` or `data:image/…`. */
  thumb?: string | null;
}

/** Why a payment failed. Only the buyer's sentence for the code is shown: reason and action are for the shop. */
export interface PortalFailure {
  code: string;
}

/** What the buyer has paid, exactly. `display` is a decimal string without the symbol. */
export interface PortalPaid {
  token: string;
  display: string;
}

/** What is still to pay after too little arrived. `display` is a decimal string without the symbol. */
export interface PortalMissing {
  token: string;
  amount: string;
  display: string;
}

export interface PortalToken {
  symbol: string;
  /** The ERC-20 contract; null is the chain's own coin. */
  address: string | null;
  decimals: number;
  name: string;
  offered: boolean;
  /** One sentence for the buyer, where the token is not offered. */
  reason?: string | null;
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
  /** Offered to a wallet that does not know the chain. */
  rpcUrl?: string | null;
  /** Base address of a block explorer; `/tx/<hash>` is added. */
  explorerUrl?: string | null;
  /** A local test chain: the page says that no real money moves. */
  local: boolean;
}

/** The card provider, whose page the buyer is sent to. */
export interface PortalCard {
  label: string;
  opensInNewTab: boolean;
  /** No real card is charged. */
  test: boolean;
}

/** A step of the receipt's life that has happened, oldest first. */
export interface PortalStep {
  status: PortalStatus;
  at: number;
}

export interface PortalReceipt {
  receiptId: string;
  status: PortalStatus;
  /** `seq` of the last history row: the live stream resumes after it. */
  seq: number;
  currency: string;
  totalUsdCents: number;
  /** Where the receipt is denominated in another currency than USD. `usdPerUnit` is a decimal string. */
  pricing: { currency: string; totalCents: number; usdPerUnit: string } | null;
  lineItems: PortalLine[];
  createdAt: number;
  transactionHash: string | null;
  confirmations: number;
  confirmationsNeeded: number;
  failure: PortalFailure | null;
  missing: PortalMissing | null;
  /** Null before a payment was found. */
  paid: PortalPaid | null;
  history: PortalStep[];
  /** How far the card checkout is, where there is one. */
  cardSession: { status: string } | null;
  /** The shop's page: a link back before the payment, and where the buyer is taken after a payment on this page. */
  returnUrl: string | null;
  /** The merchant's own reference: goes along to `returnUrl`. */
  transactionId: string | null;
}

/** What one recipient got of the payment. Wallets with their checksum; `display` is a decimal string without the symbol, null while it is not known. */
export interface PageShare {
  name: string;
  wallet: string;
  token: string;
  display: string | null;
  released: boolean;
  /** The release; null where the recipient, or nobody yet, has sent it. */
  transactionHash: string | null;
}

export interface PortalView {
  /** When the view was read: decides whether the quote has expired and corrects the buyer's clock. */
  now: number;
  merchant: { name: string; wallet: string; theme: PageTheme };
  receipt: PortalReceipt;
  /** Who got what; empty before the payment is settled. */
  settlement: PageShare[];
  /** What the split contract kept when it rounded the shares down; null where nothing is left or it is not known. */
  remainder: PortalPaid | null;
  /** Where the script of the order is served, to run in a sandbox once paid; null where none may. */
  scriptPath: string | null;
  /** Where the receipt can be printed. */
  receiptPath: string;
  /** The address can be guessed: the page shows the receipt and offers nothing that its token may not do. */
  readOnly: boolean;
  /** The `k` of the address, which the links of the page keep; null where it needs or has none. */
  key: string | null;
  /** No e-mail address is known: the buyer may leave one. */
  asksEmail: boolean;
  tokens: PortalToken[];
  /** For the preselected token (`?token=` in the address chooses another); null where none can be quoted. */
  quote: PortalQuote | null;
  chain: PortalChain;
  /** Who takes cards; null where nobody does. */
  card: PortalCard | null;
  /** True on the local chain only: the page offers to pay with a test wallet. */
  testWallet: boolean;
  pageToken: string;
  graphqlUrl: string;
  websocketUrl: string;
}
