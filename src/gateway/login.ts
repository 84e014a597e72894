import { verifyTypedSignature } from '../chain/signatures.ts';
import type { Session } from '../core/caller.ts';
import { refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import { isRegistered } from '../merchants/find.ts';
import type { Deps } from '../platform/deps.ts';
import { query } from '../platform/query.ts';
import { inTransaction } from '../platform/unit-of-work.ts';
import { csrfToken } from './csrf.ts';
import type { LoginInput } from './login.input.ts';
import { loginTypedData } from './login-challenge.ts';
import { LOGIN_NONCE_COLUMNS } from './session.entity.ts';
import { clearedCookies, endSession, openSession, sessionCookies } from './session.ts';

/** The roles of a signed-in wallet. */
const ROLES = ['user', 'merchant', 'admin', 'platform_admin'] as const;
export type Role = (typeof ROLES)[number];

/** A signed-in wallet, as returned to its own page. */
export interface SignedIn {
  readonly wallet: Wallet;
  /**
   * Always `user`; `merchant` and `admin` if a merchant is registered under the wallet; `platform_admin` by
   * configuration.
   */
  readonly roles: readonly Role[];
  /** The merchant that the wallet administers. */
  readonly merchant: Wallet | null;
  /** The token to send as `x-csrf-token` with every write. */
  readonly csrfToken: string;
}

/** A result that also sets cookies. */
export interface WithCookies<T> {
  readonly answer: T;
  /** Set-Cookie headers. */
  readonly cookies: readonly string[];
}

const USE = query('login-nonce-use', (db, $: { nonce: string }) =>
  db.deleteFrom('LoginNonce').where('nonce', '=', $.nonce).returning(LOGIN_NONCE_COLUMNS),
);

type LoginDeps = Pick<Deps, 'orm' | 'sql' | 'clock' | 'settings' | 'chain'>;

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
  host: string,
): Promise<WithCookies<SignedIn>> {
  const [facts] = await deps.sql.run(USE, { nonce });
  if (!facts || facts.wallet !== wallet || facts.host !== host || facts.expiresAt <= deps.clock()) {
    throw refuse('unauthorized', 'The login challenge is unknown, used or expired: request a new one');
  }
  const typedData = loginTypedData(deps.settings.chainId, facts);
  if (!(await verifyTypedSignature(deps.chain, { wallet, typedData, signature }))) {
    throw refuse('unauthorized', 'The signature does not match this wallet and challenge');
  }
  return inTransaction(deps, async (uow) => {
    const session = await openSession(deps, uow, wallet);
    const merchant = (await isRegistered(uow, wallet)) ? wallet : null;
    const answer = signedIn(deps, { sessionId: session.id, wallet, merchant });
    return { answer, cookies: sessionCookies(deps.settings, session) };
  });
}

/** The data of a session for its own page. */
export function signedIn(
  { settings }: Pick<Deps, 'settings'>,
  { sessionId, wallet, merchant }: Pick<Session, 'sessionId' | 'wallet' | 'merchant'>,
): SignedIn {
  const roles: Role[] = ['user'];
  if (merchant === wallet) roles.push('merchant', 'admin');
  if (settings.platformAdmins.includes(wallet)) roles.push('platform_admin');
  return { wallet, roles, merchant, csrfToken: csrfToken(settings, sessionId) };
}

/** Ends the caller's session immediately, in every process. */
export async function logout(
  deps: Pick<Deps, 'orm' | 'sql' | 'clock' | 'settings'>,
  { sessionId }: Pick<Session, 'sessionId'>,
): Promise<WithCookies<true>> {
  await inTransaction(deps, (uow) => endSession(deps, uow, sessionId));
  return { answer: true, cookies: clearedCookies(deps.settings) };
}
