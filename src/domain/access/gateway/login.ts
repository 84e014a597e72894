import { verifyTypedSignature } from '../../../base/chain/signatures.ts';
import type { Session } from '../../../base/core/caller.ts';
import { refuse } from '../../../base/core/errors.ts';
import type { MemberRole } from '../../../base/core/roles.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { RequestFacts } from '../../../base/graphql/context.ts';
import type { ClockAndSettings, Deps, Settings } from '../../../base/platform/deps.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { firstMembership, type Membership } from '../../shop/merchants/members.ts';
import { csrfToken } from './csrf.ts';
import type { LoginInput } from './login.input.ts';
import { confirmTypedData, loginTypedData, takeChallenge } from './login-challenge.ts';
import {
  announceSession,
  clearedCookies,
  endSession,
  type NewSession,
  openSession,
  sessionCookies,
} from './session.ts';

/** The roles of a signed-in wallet. */
const ROLES = ['user', 'merchant', 'admin', 'platform_admin'] as const;
export type Role = (typeof ROLES)[number];

/** A signed-in wallet, as returned to its own page. */
export interface SignedIn {
  readonly wallet: Wallet;
  /**
   * Always `user`; `merchant` and `admin` if the session acts for the merchant registered under the wallet;
   * `platform_admin` by configuration.
   */
  readonly roles: readonly Role[];
  /** The merchant that the session acts for. */
  readonly merchant: Wallet | null;
  /** The wallet's role in that merchant; null without one. */
  readonly role: MemberRole | null;
  /** When the wallet last signed. */
  readonly confirmedAt: number;
  /** The token to send as `x-csrf-token` with every write. */
  readonly csrfToken: string;
}

/** A result that also sets cookies. */
export interface WithCookies<T> {
  readonly answer: T;
  /** Set-Cookie headers. */
  readonly cookies: readonly string[];
}

type LoginDeps = Pick<Deps, 'db' | 'clock' | 'settings' | 'chain'>;

/**
 * Signs a wallet in with a signed challenge. Every attempt uses up the nonce, so a signature can be tried once and
 * causes at most one call to the chain.
 *
 * Errors: `unauthorized` (no such challenge for this wallet at this host, or an invalid signature), `chain_unavailable`
 * (a smart account's signature that cannot be verified now).
 */
export async function login(
  deps: LoginDeps,
  { wallet, nonce, signature }: LoginInput,
  { host, client }: Pick<RequestFacts, 'host'> & Partial<Pick<RequestFacts, 'client'>>,
): Promise<WithCookies<SignedIn>> {
  const facts = await takeChallenge(deps.db, deps.clock(), nonce, { wallet, host, sessionId: null });
  if (!facts) throw refuse('unauthorized', 'The login challenge is unknown, used or expired: request a new one');
  const typedData = loginTypedData(deps.settings.chainId, facts);
  if (!(await verifyTypedSignature(deps.chain, { wallet, typedData, signature }))) {
    throw refuse('unauthorized', 'The signature does not match this wallet and challenge');
  }
  return deps.db.transaction(async (uow) => {
    const membership = await firstMembership(uow, wallet);
    return begin(deps, uow, { wallet, membership, confirmedAt: deps.clock(), client: client?.() });
  });
}

/** Starts a session and returns what its own page needs. */
export async function begin(
  deps: ClockAndSettings,
  uow: UnitOfWork,
  {
    membership,
    ...start
  }: Omit<NewSession, 'merchant'> & { readonly membership: Membership | null; readonly confirmedAt: number },
): Promise<WithCookies<SignedIn>> {
  const { merchant, role } = membership ?? { merchant: null, role: null };
  const session = await openSession(deps, uow, { ...start, merchant });
  const { wallet, confirmedAt } = start;
  const answer = signedIn(deps.settings, { sessionId: session.id, wallet, merchant, role, confirmedAt });
  return { answer, cookies: sessionCookies(deps.settings, session) };
}

/** The data of a session for its own page. */
export function signedIn(
  settings: Settings,
  { sessionId, wallet, merchant, role, confirmedAt }: Omit<Session, 'kind' | 'platformAdmin' | 'csrfProven'>,
): SignedIn {
  const roles: Role[] = ['user'];
  if (merchant === wallet) roles.push('merchant', 'admin');
  if (settings.platformAdmins.includes(wallet)) roles.push('platform_admin');
  return { wallet, roles, merchant, role, confirmedAt, csrfToken: csrfToken(settings, sessionId) };
}

/** Ends the caller's session immediately, in every process. */
export async function logout(
  deps: Pick<Deps, 'db' | 'clock' | 'settings'>,
  { sessionId }: Pick<Session, 'sessionId'>,
): Promise<WithCookies<true>> {
  await deps.db.transaction((uow) => endSession(deps.db, deps.clock(), uow, sessionId));
  return { answer: true, cookies: clearedCookies(deps.settings) };
}

/**
 * Confirms a session with a signature of its wallet, so that for five minutes it may change money and rights. Every
 * attempt uses up the nonce.
 *
 * Errors: `invalid_input` (no such challenge for this session at this host), `invalid_signature`, `chain_unavailable`
 * (a smart account's signature that cannot be verified now).
 */
export async function confirmSession(
  deps: LoginDeps,
  caller: Session,
  { nonce, signature }: Pick<LoginInput, 'nonce' | 'signature'>,
  host: string,
): Promise<SignedIn> {
  const { wallet, sessionId } = caller;
  const facts = await takeChallenge(deps.db, deps.clock(), nonce, { wallet, host, sessionId });
  if (!facts) {
    const message = 'The challenge is unknown, used or expired: request a new one with confirmChallenge';
    throw refuse('invalid_input', message, { field: 'nonce' });
  }
  const typedData = confirmTypedData(deps.settings.chainId, facts);
  if (!(await verifyTypedSignature(deps.chain, { wallet, typedData, signature })))
    throw refuse('invalid_signature', 'The signature does not match this wallet and challenge');
  const confirmedAt = deps.clock();
  await deps.db.transaction(async (uow) => {
    await uow.db
      .updateTable('Session')
      .set({ confirmedAt })
      .where('id', '=', sessionId)
      .where('revokedAt', 'is', null)
      .execute();
    await announceSession(deps.db, uow, sessionId);
  });
  return signedIn(deps.settings, { ...caller, confirmedAt });
}
