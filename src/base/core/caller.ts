import { type Refusal, refuse } from './errors.ts';
import { forbid } from './forbidden.ts';
import { type MemberRole, type Permission, permissionsOf, ROLES_WITH } from './roles.ts';
import type { Scope } from './scopes.ts';
import type { Wallet } from './wallet.ts';

/**
 * The authenticated caller. The gateway determines it once per request from one credential; all other code reads only
 * this.
 */
export type Caller = Anonymous | Developer | Session | Buyer | Subscriber | Visitor | Scheduler;

export interface Anonymous {
  readonly kind: 'anonymous';
  /** Why the session of the request was rejected, if it carried one and the operation is open to anonymous callers. */
  readonly declined?: Refusal;
}

/** A subscription key. It reaches its merchant's resources, limited by its scopes. */
export interface Developer {
  readonly kind: 'developer';
  readonly merchant: Wallet;
  readonly keyId: string;
  /** The first of the keys that were rotated into this one; absent: this one is the first. */
  readonly firstKeyId?: string;
  readonly scopes: ReadonlySet<Scope>;
  /** Exempt from rate limits. */
  readonly unlimited: boolean;
  /** Rate limits of this key: requests per minute by category. Null: the default limits apply. */
  readonly limits: Readonly<Record<string, number>> | null;
  /** Its merchant registered itself, and the operator has not admitted it. */
  readonly newcomer?: true;
  /** Over GraphQL the key runs only documents of `TRUSTED_DOCUMENTS`. */
  readonly trustedOnly?: true;
}

/** A signed-in wallet, with its role in the merchant that the session acts for. */
export interface Session {
  readonly kind: 'session';
  readonly sessionId: string;
  readonly wallet: Wallet;
  /**
   * The merchant that the session acts for: one that the wallet is a member of, or the one that a platform admin
   * selected. Null: none.
   */
  readonly merchant: Wallet | null;
  /** The role in that merchant, as of this request. Null without a merchant. */
  readonly role: MemberRole | null;
  /** That merchant registered itself, and the operator has not admitted it. */
  readonly newcomer?: true;
  readonly platformAdmin: boolean;
  /** When the wallet last signed, as its login or to confirm the session. Epoch milliseconds. */
  readonly confirmedAt: number;
  /** Whether this request carried the session's CSRF token from an allowed origin. Unsafe operations require it. */
  readonly csrfProven: boolean;
}

/** The holder of a page token that is valid for one receipt. */
export interface Buyer {
  readonly kind: 'buyer';
  readonly merchant: Wallet;
  readonly receiptId: string;
  /**
   * The page was opened by an address that can be guessed. It may only read, create a quote and submit a signed hint.
   */
  readonly readOnly?: true;
}

/** The holder of a plan page's token. It is valid for that plan and the subscriptions to it. */
export interface Subscriber {
  readonly kind: 'subscriber';
  readonly merchant: Wallet;
  readonly planId: string;
}

/** The holder of the page token of the live users page. */
interface Visitor {
  readonly kind: 'visitor';
}

/** The operator's scheduler (`CRON_SECRET`). */
export interface Scheduler {
  readonly kind: 'scheduler';
}

/** The pages that give a token to their script. Each type of the schema lists the fields that a page may read. */
export type Page = 'receipt' | 'receipt_read_only' | 'plan' | 'live';

/** The page whose token the caller holds; null for other callers. */
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

/** Whether the caller is a session whose role has a permission. */
export const may = (caller: Caller, permission: Permission): boolean =>
  caller.kind === 'session' &&
  caller.merchant !== null &&
  caller.role !== null &&
  permissionsOf(caller.role).has(permission);

/**
 * The wallet to whose own receipts the caller is limited; null if the caller reads all of the merchant. The guard
 * `receipts:own` admits such callers: what it opens must be narrowed to this wallet.
 */
export const limitedTo = (caller: Caller): Wallet | null =>
  caller.kind === 'session' && !caller.platformAdmin && !may(caller, 'receipts:read') ? caller.wallet : null;

/** How long a wallet's signature opens what moves money or rights. */
const SIGNATURE_MS = 5 * 60_000;

/** Whether the session's wallet has signed recently. */
export const hasSigned = (caller: Caller, now: number): boolean =>
  caller.kind === 'session' && now - caller.confirmedAt <= SIGNATURE_MS;

/** Requires a permission of the session's role. Refuses with `forbidden` (`role_missing`). */
export function requirePermission(caller: Caller, permission: Permission): void {
  if (!may(caller, permission)) throw accessRefusal(caller, { may: permission });
}

/** Requires a further scope of a key, and a permission of a session. Refuses with `forbidden`. */
export function requireAlso(caller: Caller, scope: Scope, permission: Permission): void {
  if (caller.kind === 'developer' && !caller.scopes.has(scope)) throw accessRefusal(caller, { scope });
  if (caller.kind === 'session') requirePermission(caller, permission);
}

/** Requires a recent signature of the session's wallet. Refuses with `forbidden` (`signature_required`). */
export function requireSignature(caller: Caller, now: number): void {
  if (!hasSigned(caller, now)) throw forbid('signature_required');
}

/** Whether the caller may read who bought from a merchant: its own people and keys that may read receipts. */
export const seesBuyers = (caller: Caller, merchant: Wallet): boolean =>
  (caller.kind === 'developer' && caller.merchant === merchant && caller.scopes.has('receipts:read')) ||
  (caller.kind === 'session' && caller.merchant === merchant && may(caller, 'receipts:read'));

/**
 * The guards of operations, each with its parameter. `…Write` and `…Sign` also need the session's CSRF token; `…Sign`
 * needs a recent signature as well.
 */
export interface GuardParameters {
  /** A developer key with this scope. */
  readonly scope: Scope;
  /** Any valid developer key. */
  readonly key: boolean;
  /** A session whose role in its merchant has this permission (`roles.ts`); for reads. */
  readonly may: Permission;
  /** The same with a valid CSRF token; for writes. */
  readonly mayWrite: Permission;
  /**
   * The same with a CSRF token and a signature of the wallet of the last five minutes, for writes that move money or
   * rights, and for what outlives the session.
   */
  readonly maySign: Permission;
  /** A session that acts for a merchant, whatever its role; for reads. */
  readonly member: boolean;
  /** The same with a valid CSRF token; for writes. */
  readonly memberWrite: boolean;
  /** Any signed-in wallet; for reads. */
  readonly session: boolean;
  /** Any signed-in wallet, with a valid CSRF token; for writes. */
  readonly sessionWrite: boolean;
  /** A platform admin's session; for reads. The domain function reads the merchant that it names. */
  readonly platform: boolean;
  /** A platform admin's session with a valid CSRF token and a signature of the last five minutes. */
  readonly platformSign: boolean;
  /** The page token of a receipt, also a read-only one. The domain function compares the receipt. */
  readonly buyer: boolean;
  /** The page token of a receipt whose page was opened by an address that cannot be guessed. */
  readonly buyerWrite: boolean;
  /** The page token of a plan. The domain function compares the plan. */
  readonly subscriber: boolean;
  /** The page token of the page that shows which users are live. */
  readonly visitor: boolean;
  /** The operator's scheduler, by the cron secret. */
  readonly scheduler: boolean;
}

/**
 * The guards that open an operation; one of them is enough: `{ scope: 'receipts:read', may: 'receipts:read', buyer:
 * true }`.
 */
export type Guards = Partial<GuardParameters>;

/**
 * Refuses a caller that none of the guards lets pass: `unauthorized` without a proof, else `forbidden` with the reason.
 * A session that has ended keeps its own refusal.
 */
export function accessRefusal(caller: Caller, guards: Guards): Refusal {
  switch (caller.kind) {
    case 'anonymous':
      return caller.declined ?? refuse('unauthorized');
    case 'developer':
      if (guards.scope !== undefined) return forbid('scope_missing', undefined, { scope: guards.scope });
      return forbid(takesSession(guards) ? 'session_required' : otherProof(guards));
    case 'session':
      return sessionRefusal(caller, guards);
    case 'scheduler':
      return forbid('timer_limited');
    default:
      return forbid('page_token_limited');
  }
}

const takesSession = ({
  may,
  mayWrite,
  maySign,
  member,
  memberWrite,
  session,
  sessionWrite,
  platformSign,
}: Guards): boolean =>
  Boolean(may || mayWrite || maySign || member || memberWrite || session || sessionWrite || platformSign);

function sessionRefusal(caller: Session, guards: Guards): Refusal {
  const { sessionWrite, member, memberWrite, mayWrite, platformSign } = guards;
  const { merchant, platformAdmin } = caller;
  const written = mayWrite ?? guards.maySign;
  const permission = written ?? guards.may;
  const passes =
    sessionWrite ||
    (memberWrite && merchant !== null) ||
    (written && may(caller, written)) ||
    (platformSign && platformAdmin);
  if (passes) return forbid(caller.csrfProven ? 'signature_required' : 'csrf_token_missing');
  if (merchant !== null && permission !== undefined) return roleMissing(permission);
  if (permission !== undefined || member || memberWrite) return forbid('role_missing', undefined, { role: 'admin' });
  if (platformSign) return forbid('role_missing', undefined, { role: 'platform_admin' });
  return forbid(guards.scope !== undefined || guards.key ? 'key_required' : otherProof(guards));
}

/** Names the permission, and the most limited role that has it. */
export function roleMissing(permission: Permission): Refusal {
  const role = ROLES_WITH[permission].at(-1);
  return forbid('role_missing', `Your role does not include ${permission}: ask for the role ${role}`, {
    role,
    permission,
  });
}

const otherProof = ({ scheduler }: Guards) => (scheduler ? 'timer_required' : 'page_token_required');

/** Whether anyone can become this caller: a wallet without a merchant, or a newcomer's key or session. */
export const isStranger = (caller: Caller): boolean =>
  caller.kind === 'session'
    ? !caller.platformAdmin && (caller.merchant === null || caller.newcomer === true)
    : caller.kind === 'developer' && caller.newcomer === true;

/** The merchant whose resources the caller may see. Throws a refusal if there is none. */
export function merchantOf(caller: Caller): Wallet {
  if (caller.kind === 'developer' || caller.kind === 'buyer' || caller.kind === 'subscriber') return caller.merchant;
  if (caller.kind === 'session' && caller.merchant) return caller.merchant;
  throw accessRefusal(caller, { member: true });
}

/** The session of a signed-in wallet. Throws a refusal for any other caller. */
export function sessionOf(caller: Caller): Session {
  if (caller.kind === 'session') return caller;
  throw accessRefusal(caller, { session: true });
}

/** The developer key in use, or null. Webhooks about records that it creates are signed with it. */
export const keyOf = (caller: Caller): Developer | null => (caller.kind === 'developer' ? caller : null);

/** The key that owns what a key makes: the first of those that were rotated into it. */
export const ownerOf = ({ firstKeyId, keyId }: Pick<Developer, 'firstKeyId' | 'keyId'>): string => firstKeyId ?? keyId;

/** The caller's name in the history. Histories have named the scheduler `internal` from the beginning. */
export function actorOf(caller: Caller): string {
  if (caller.kind === 'developer') return `key:${caller.keyId}`;
  if (caller.kind === 'session') return `wallet:${caller.wallet}`;
  return caller.kind === 'scheduler' ? 'internal' : caller.kind;
}

/** The wallet that `actorOf` names; null for other actors. */
export const walletOfActor = (actor: string): Wallet | null =>
  actor.startsWith('wallet:') ? (actor.slice('wallet:'.length) as Wallet) : null;
