import { type Refusal, refuse } from './errors.ts';
import type { Scope } from './scopes.ts';
import type { Wallet } from './wallet.ts';

/** Who asks. Settled once at the door, from one proof; everything behind the door reads only this. */
export type Caller = Anonymous | Developer | Session | Buyer | Subscriber | Visitor | Internal;

export interface Anonymous {
  readonly kind: 'anonymous';
  /** Why the login that came with the request does not count, where anyone may ask and one came. */
  readonly declined?: Refusal;
}

/** A subscription key: its merchant's own resources, as far as its scopes say. */
export interface Developer {
  readonly kind: 'developer';
  readonly merchant: Wallet;
  readonly keyId: string;
  readonly scopes: ReadonlySet<Scope>;
  /** Exempt from rate limits. */
  readonly unlimited: boolean;
  /** Limits of this key alone, per category, per minute. */
  readonly limits: Readonly<Record<string, number>> | null;
}

/** A signed-in wallet. It is the admin of the merchant registered under the same wallet, if there is one. */
export interface Session {
  readonly kind: 'session';
  readonly sessionId: string;
  readonly wallet: Wallet;
  /** The merchant that it acts for: its own, or the one a platform admin named; null where neither is. */
  readonly merchant: Wallet | null;
  readonly platformAdmin: boolean;
  /** Whether this very request carried the session's CSRF token from a good origin; unsafe operations ask for it. */
  readonly csrfProven: boolean;
}

/** The holder of a page token, for one receipt and nothing else. */
export interface Buyer {
  readonly kind: 'buyer';
  readonly merchant: Wallet;
  readonly receiptId: string;
  /** The page was opened by an address that can be guessed: it may look, ask for a quote and submit a signed hint. */
  readonly readOnly?: true;
}

/** The holder of a plan page's token, for that plan and the subscriptions to it. */
export interface Subscriber {
  readonly kind: 'subscriber';
  readonly merchant: Wallet;
  readonly planId: string;
}

/** The holder of the token of the page that shows who is live, for just that. */
export interface Visitor {
  readonly kind: 'visitor';
}

/** The operator's own timer. */
export interface Internal {
  readonly kind: 'internal';
}

/** The pages that hand a token to their script. Each type of the schema lists the fields that they may read. */
export type Page = 'receipt' | 'receipt_read_only' | 'plan' | 'live';

/** The page whose token the caller holds; null where it proves itself in another way. */
export function pageOf(caller: Caller): Page | null {
  switch (caller.kind) {
    case 'buyer':
      return caller.readOnly ? 'receipt_read_only' : 'receipt';
    case 'subscriber':
      return 'plan';
    case 'visitor':
      return 'live';
    default:
      return null;
  }
}

export const ANONYMOUS: Anonymous = { kind: 'anonymous' };

/** Why a caller gets no further: the proof is missing, its login does not count, or it is not for what is asked. */
export function accessRefusal(caller: Caller): Refusal {
  return caller.kind === 'anonymous' ? (caller.declined ?? refuse('unauthorized')) : refuse('forbidden');
}

/** The merchant whose resources the caller may see; refuses a caller that has none. */
export function merchantOf(caller: Caller): Wallet {
  if (caller.kind === 'developer' || caller.kind === 'buyer' || caller.kind === 'subscriber') return caller.merchant;
  if (caller.kind === 'session' && caller.merchant) return caller.merchant;
  throw accessRefusal(caller);
}

/** The signed-in wallet; refuses any other caller. */
export function sessionOf(caller: Caller): Session {
  if (caller.kind === 'session') return caller;
  throw accessRefusal(caller);
}

/** The developer key in use, where there is one: what it makes is signed with it later. */
export const keyOf = (caller: Caller): Developer | null => (caller.kind === 'developer' ? caller : null);

/** How the history names a caller. */
export function actorOf(caller: Caller): string {
  if (caller.kind === 'developer') return `key:${caller.keyId}`;
  if (caller.kind === 'session') return `wallet:${caller.wallet}`;
  return caller.kind;
}
