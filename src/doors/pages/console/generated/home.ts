/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { Operation } from '../../client/graphql.ts';
/** A currency that prices can have. */
export type Currency =
  /** Euro. */
  | 'EUR'
  /** US dollar. */
  | 'USD';

/** What a wallet of the server pays for. */
export type GasWalletRole =
  /** Deploys splits and releases shares. */
  | 'settlement'
  /** Charges subscriptions. */
  | 'spender';

/** What a new merchant does to be paid. */
export type OnboardingStepName =
  /** Choose the colours of its pages. */
  | 'colours'
  /** Issue the first developer key. */
  | 'key'
  /** Give the shop a logo. */
  | 'logo'
  /** Name the shop. */
  | 'name'
  /** Place a test order. */
  | 'order'
  /** Add the first product. */
  | 'product'
  /** Decide who receives which share of each payment. */
  | 'split';

/** The state of a receipt’s money. */
export type ReceiptStatus =
  /** Every recipient’s share was released. */
  | 'completed'
  /** The attempt to pay failed, or the receipt expired or was voided. */
  | 'failed'
  /** Created from an order. No amount was quoted yet. */
  | 'generated'
  /** The payment has its confirmations. Recipient and amount are validated. */
  | 'paid'
  /** Waits for money. */
  | 'pending'
  /** The payment was refunded. */
  | 'refunded'
  /** What is due was seen on the chain and waits for its confirmations. */
  | 'tx_mined'
  /** Money arrived, but less than is due. */
  | 'tx_mismatch';

export type HomeQueryVariables = Exact<{
  from: string;
  to: string;
  setUp: boolean;
}>;


export type HomeQuery = { receiptStats: { building: boolean, total: { groups: Array<{ status: ReceiptStatus, figures: { count: number, currencies: Array<{ currency: Currency, created: number }> } }> }, periods: Array<{ from: string, figures: { paidCount: number, grossUsd: number, currencies: Array<{ currency: Currency, gross: number }> } }> }, attention: { id: string, unmatchedTransfers: number, receipts: number, failedDeliveries: number, pastDueSubscriptions: number, lowStock: number, takesNothing: boolean, suspendedAt: number | null }, onboarding?: { steps: Array<{ step: OnboardingStepName, done: boolean }> } };

export type HomeGasQueryVariables = Exact<{ [key: string]: never; }>;


export type HomeGasQuery = { platform: { id: string, wallets: Array<{ role: GasWalletRole, low: boolean }> } };

export const Home = ('query Home($from:String!$to:String!$setUp:Boolean!){receiptStats(from:$from to:$to interval:DAY){building total{groups{status figures{count currencies{currency created}}}}periods{from figures{paidCount grossUsd currencies{currency gross}}}}attention{id unmatchedTransfers receipts failedDeliveries pastDueSubscriptions lowStock takesNothing suspendedAt}onboarding@include(if:$setUp){steps{step done}}}') as Operation<HomeQuery, HomeQueryVariables>;
export const HomeGas = ('query HomeGas{platform{id wallets{role low}}}') as Operation<HomeGasQuery, HomeGasQueryVariables>;