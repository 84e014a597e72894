import { sql } from 'kysely';
import type { Session as SessionCaller } from '../../../base/core/caller.ts';
import { refuse } from '../../../base/core/errors.ts';
import { sessionFailed } from '../../../base/core/forbidden.ts';
import type { MemberRole } from '../../../base/core/roles.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { RequestFacts } from '../../../base/graphql/context.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { keysetList, type Listing, listing } from '../../../base/platform/keyset.ts';
import { lockInTransaction } from '../../../base/platform/transaction-lock.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { findMembership } from '../../shop/merchants/members.ts';
import { begin, type SignedIn, type WithCookies } from './login.ts';
import { announceSession, clearedCookies, endSession, memberOfSession } from './session.ts';

const OF_WALLET = keysetList('sessions', {
  order: {
    name: 'sessions',
    direction: 'desc',
    keys: [
      { name: 'createdAt', type: 'int8', sql: sql.ref('s.createdAt') },
      { name: 'id', type: 'text', sql: sql.ref('s.id') },
    ],
  },
  from: (db, $: { wallet: Wallet; now: number }) =>
    db
      .selectFrom('Session as s')
      .leftJoin('Member as m', memberOfSession)
      .where('s.wallet', '=', $.wallet)
      .where('s.revokedAt', 'is', null)
      .where('s.expiresAt', '>', $.now),
  select: (rows) =>
    rows
      .select(['s.id', 's.createdAt', 's.expiresAt', 's.lastUsedAt', 's.confirmedAt', 's.address', 's.userAgent'])
      .select(['m.merchant', 'm.role']),
});

/** A place where a wallet is signed in. Times in epoch milliseconds. */
export interface OpenSession {
  readonly id: string;
  readonly merchant: Wallet | null;
  readonly role: MemberRole | null;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly lastUsedAt: number;
  readonly confirmedAt: number;
  /** The client's address at the login. */
  readonly address: string | null;
  /** Browser and system in words. */
  readonly device: string | null;
  /** Whether it is the session of this request. */
  readonly current: boolean;
}

/** The sessions of a wallet, the newest first. */
export const listSessions = (
  db: Db,
  now: number,
  { wallet, sessionId }: Pick<SessionCaller, 'wallet' | 'sessionId'>,
): Listing<OpenSession> =>
  listing(db, OF_WALLET, { wallet, now }, wallet, (rows) =>
    rows.map(({ userAgent, ...row }) => ({
      ...row,
      lastUsedAt: row.lastUsedAt ?? row.createdAt,
      device: deviceOf(userAgent),
      current: row.id === sessionId,
    })),
  );

type EndDeps = Pick<Deps, 'db' | 'clock' | 'settings'>;

/**
 * Makes the changes of a wallet's sessions follow each other: none of them becomes another one while all are ended.
 * Locks until the transaction ends.
 */
const lockSessions = (uow: UnitOfWork, wallet: Wallet): Promise<void> => lockInTransaction(uow, `sessions ${wallet}`);

/** Ends a session of the caller's wallet in every process. Refuses with `not_found`. */
export async function endOwnSession(
  deps: EndDeps,
  { wallet, sessionId }: Pick<SessionCaller, 'wallet' | 'sessionId'>,
  id: string,
): Promise<WithCookies<true>> {
  await deps.db.transaction(async (uow) => {
    const own = await uow.db
      .selectFrom('Session')
      .select('id')
      .where('id', '=', id)
      .where('wallet', '=', wallet)
      .where('revokedAt', 'is', null)
      .executeTakeFirst();
    if (!own) throw refuse('not_found', 'No such session');
    await endSession(deps.db, deps.clock(), uow, id);
  });
  return { answer: true, cookies: id === sessionId ? clearedCookies(deps.settings) : [] };
}

/**
 * Ends the sessions of the caller's wallet in every process; with `exceptThis`, the session of the request stays.
 * Returns their number.
 */
export async function endAllSessions(
  deps: EndDeps,
  { wallet, sessionId }: Pick<SessionCaller, 'wallet' | 'sessionId'>,
  exceptThis: boolean,
): Promise<WithCookies<number>> {
  const ended = await deps.db.transaction(async (uow) => {
    await lockSessions(uow, wallet);
    const now = deps.clock();
    const rows = await uow.db
      .updateTable('Session')
      .set({ revokedAt: now })
      .where('wallet', '=', wallet)
      .where('revokedAt', 'is', null)
      .where('expiresAt', '>', now)
      .where('id', '<>', exceptThis ? sessionId : '')
      .returning('id')
      .execute();
    for (const { id } of rows) await announceSession(deps.db, uow, id);
    return rows.length;
  });
  return { answer: ended, cookies: exceptThis ? [] : clearedCookies(deps.settings) };
}

/**
 * Ends the caller's session and starts one for another merchant that the wallet is a member of. The wallet's signature
 * counts on. Refuses with `not_found` if it is not a member, and with `unauthorized` if the session has ended since the
 * request began: one session never becomes two.
 */
export async function switchMerchant(
  deps: EndDeps,
  { wallet, sessionId, confirmedAt }: SessionCaller,
  merchant: Wallet,
  { client }: Pick<RequestFacts, 'client'>,
): Promise<WithCookies<SignedIn>> {
  return deps.db.transaction(async (uow) => {
    const membership = await findMembership(uow, merchant, wallet);
    if (!membership) throw refuse('not_found', 'The wallet is not a member of this merchant');
    await lockSessions(uow, wallet);
    if (!(await endSession(deps.db, deps.clock(), uow, sessionId))) throw sessionFailed('session_ended');
    return begin(deps, uow, { wallet, membership, confirmedAt, client: client() });
  });
}

/**
 * Has every process read the role of a member's sessions again, within the unit of work that changes it. Streams that
 * were opened with the former role end.
 */
export async function announceRole(
  db: Db,
  now: number,
  uow: UnitOfWork,
  { merchant, wallet }: { readonly merchant: Wallet; readonly wallet: Wallet },
): Promise<void> {
  const sessions = await uow.db
    .selectFrom('Session')
    .select('id')
    .where('wallet', '=', wallet)
    .where(({ eb, fn, ref }) => eb(fn.coalesce(ref('merchant'), ref('wallet')), '=', merchant))
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now)
    .execute();
  for (const { id } of sessions) await announceSession(db, uow, id);
}

/** The name of a browser in its user agent, the most specific first: Chrome names Safari too. */
const BROWSERS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\bHeadlessChrome\//, 'Chrome without a window'],
  [/\b(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
  [/^(?:node|undici)\b/, 'Node.js'],
  [/^python/i, 'Python'],
];

const SYSTEMS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const nameIn = (names: typeof BROWSERS, userAgent: string): string | undefined =>
  names.find(([mark]) => mark.test(userAgent))?.[1];

/** A user agent in words, as in “Firefox on Windows”; null if it names nothing known. */
function deviceOf(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  const browser = nameIn(BROWSERS, userAgent);
  const system = nameIn(SYSTEMS, userAgent);
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? null;
}
