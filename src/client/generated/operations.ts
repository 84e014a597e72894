/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { Operation } from '../operation.ts';
/** The kind of a presence event. */
export type PresenceKind =
  /** The user is still live and its data changed. */
  | 'changed'
  /** The user became publicly live, or was already when the stream began. */
  | 'joined'
  /** The user ended its presence, sent no heartbeat for two minutes, or became private. */
  | 'left';

/** The kind of an entry of a receipt’s history. */
export type ReceiptEventKind =
  /** A remark that moves no money. */
  | 'note'
  /** The money moved. */
  | 'status'
  /** The buyer’s side sent a report. */
  | 'tracking';

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

export type ReceiptsCursorQueryVariables = Exact<{ [key: string]: never; }>;


export type ReceiptsCursorQuery = { receiptsCursor: string };

export type StatusEventFragment = { receiptId: string, seq: number, cursor: string, kind: ReceiptEventKind, status: ReceiptStatus, previousStatus: ReceiptStatus | null, tracking: string | null, transactionHash: string | null, actor: string, at: number };

export type ReceiptStatusesSubscriptionVariables = Exact<{
  after?: string | null | undefined;
}>;


export type ReceiptStatusesSubscription = { receiptStatuses: { receiptId: string, seq: number, cursor: string, kind: ReceiptEventKind, status: ReceiptStatus, previousStatus: ReceiptStatus | null, tracking: string | null, transactionHash: string | null, actor: string, at: number } };

export type ReceiptStatusSubscriptionVariables = Exact<{
  receiptId: string | number;
  afterSeq?: number | null | undefined;
}>;


export type ReceiptStatusSubscription = { receiptStatus: { receiptId: string, seq: number, cursor: string, kind: ReceiptEventKind, status: ReceiptStatus, previousStatus: ReceiptStatus | null, tracking: string | null, transactionHash: string | null, actor: string, at: number } };

export type LiveUserFragment = { kind: PresenceKind, at: number, wallet: string, user: { wallet: string, displayName: string, pfpUrl: string, bio: string, xp: number, domains: Array<string>, platforms: Array<string>, languages: Array<string>, platform: string, spaceUrl: string, liveSince: number | null } };

export type LivePresenceSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type LivePresenceSubscription = { livePresence: { kind: PresenceKind, at: number, wallet: string, user: { wallet: string, displayName: string, pfpUrl: string, bio: string, xp: number, domains: Array<string>, platforms: Array<string>, languages: Array<string>, platform: string, spaceUrl: string, liveSince: number | null } } };

export type PresenceOfSubscriptionVariables = Exact<{
  wallets: Array<string> | string;
}>;


export type PresenceOfSubscription = { presenceOf: { kind: PresenceKind, at: number, wallet: string, user: { wallet: string, displayName: string, pfpUrl: string, bio: string, xp: number, domains: Array<string>, platforms: Array<string>, languages: Array<string>, platform: string, spaceUrl: string, liveSince: number | null } } };

const StatusEventText = 'fragment StatusEvent on ReceiptStatusEvent{receiptId seq cursor kind status previousStatus tracking transactionHash actor at}';
const LiveUserText = 'fragment LiveUser on PresenceEvent{kind at wallet user{wallet displayName pfpUrl bio xp domains platforms languages platform spaceUrl liveSince}}';
export const ReceiptsCursor = ('query ReceiptsCursor{receiptsCursor}') as Operation<ReceiptsCursorQuery, ReceiptsCursorQueryVariables>;
export const ReceiptStatuses = ('subscription ReceiptStatuses($after:String){receiptStatuses(after:$after){...StatusEvent}}' + StatusEventText) as Operation<ReceiptStatusesSubscription, ReceiptStatusesSubscriptionVariables>;
export const ReceiptStatus = ('subscription ReceiptStatus($receiptId:ID!$afterSeq:Int){receiptStatus(receiptId:$receiptId afterSeq:$afterSeq){...StatusEvent}}' + StatusEventText) as Operation<ReceiptStatusSubscription, ReceiptStatusSubscriptionVariables>;
export const LivePresence = ('subscription LivePresence{livePresence{...LiveUser}}' + LiveUserText) as Operation<LivePresenceSubscription, LivePresenceSubscriptionVariables>;
export const PresenceOf = ('subscription PresenceOf($wallets:[Wallet!]!){presenceOf(wallets:$wallets){...LiveUser}}' + LiveUserText) as Operation<PresenceOfSubscription, PresenceOfSubscriptionVariables>;