import * as operations from '../generated/session.ts';
import { ApiError, askInSession } from './graphql.ts';
import { type Provider, signTypedData } from './wallet.ts';

/**
 * A signed-in wallet, the merchant that its session acts for (null if there is none) with its role there, and the CSRF
 * token.
 */
export type Session = operations.PageSessionFragment;

/** The CSRF token of this browser's session, which scripts read from its cookie; the empty text without one. */
export const csrfToken = (): string => decodeURIComponent(/(?:^|; )cb_csrf=([^;]+)/.exec(document.cookie)?.[1] ?? '');

/** Whether this browser may have a session. */
export const mayBeSignedIn = (): boolean => csrfToken() !== '';

/** The current session; null if there is none or it has ended. Throws if the server cannot answer. */
export async function readSession(url: string): Promise<Session | null> {
  try {
    return (await askInSession(url, operations.PageSession, {})).me;
  } catch (error) {
    if (error instanceof ApiError && (error.code === 'unauthorized' || error.code === 'forbidden')) return null;
    throw error;
  }
}

/** Signs in with an account of a connected wallet, which signs a challenge as EIP-712 typed data. */
export async function signInAs(
  url: string,
  { provider, account }: { readonly provider: Provider; readonly account: string },
  onStep: (step: 'sign' | 'enter') => void,
): Promise<Session> {
  const { loginChallenge } = await askInSession(url, operations.PageChallenge, { wallet: account });
  onStep('sign');
  const signature = await signTypedData(provider, account, loginChallenge.typedData);
  onStep('enter');
  const { nonce } = loginChallenge;
  return (await askInSession(url, operations.PageLogin, { wallet: account, nonce, signature })).login;
}

/** Ends the session on the server. A session that has ended already is not an error. */
export async function signOut(url: string, { csrfToken }: Session): Promise<void> {
  await askInSession(url, operations.PageLogout, {}, csrfToken).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
  });
}

const REMEMBERED = 'console.session';

/** Remembers who is signed in, and as what. The credential is a cookie that no script reads. */
export const rememberSession = (session: Session): void => localStorage.setItem(REMEMBERED, JSON.stringify(session));

export const forgetSession = (): void => localStorage.removeItem(REMEMBERED);

/** The session that this browser remembers, if its cookie is still of it. */
export function knownSession(): Session | null {
  const known = JSON.parse(localStorage.getItem(REMEMBERED) ?? 'null') as Session | null;
  return known?.csrfToken === csrfToken() ? known : null;
}
