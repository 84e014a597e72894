import * as operations from '../generated/session.ts';
import { ApiError, askInSession } from './graphql.ts';
import { connectWallet, type Provider, signTypedData, type WalletChain } from './wallet.ts';

/** A signed-in wallet, the merchant that it belongs to (null if there is none), and the CSRF token of its session. */
export type Session = operations.PageSessionFragment;

/** Whether this browser may have a session: the CSRF cookie is readable by scripts. */
export const mayBeSignedIn = (): boolean => /(?:^|; )cb_csrf=./.test(document.cookie);

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
  says: (words: string) => void,
): Promise<Session> {
  const { loginChallenge } = await askInSession(url, operations.PageChallenge, { wallet: account });
  says('Sign in your wallet…');
  const signature = await signTypedData(provider, account, loginChallenge.typedData);
  says('Signing in…');
  const { nonce } = loginChallenge;
  return (await askInSession(url, operations.PageLogin, { wallet: account, nonce, signature })).login;
}

/** Connects a wallet and signs in with it. */
export async function signIn(
  url: string,
  provider: Provider,
  chain: WalletChain,
  says: (words: string) => void,
): Promise<Session> {
  const account = await connectWallet(provider, chain, (step) => {
    if (step === 'switch') says('Choosing the network…');
  });
  return signInAs(url, { provider, account }, says);
}

/** Ends the session on the server. A session that has ended already is not an error. */
export async function signOut(url: string, { csrfToken }: Session): Promise<void> {
  await askInSession(url, operations.PageLogout, {}, csrfToken).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
  });
}
