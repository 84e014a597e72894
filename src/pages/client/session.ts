import { ApiError, askInSession } from './graphql.ts';
import { connectWallet, type Provider, type WalletChain } from './wallet.ts';

/** A signed-in wallet and its session data. */
export interface Session {
  readonly wallet: string;
  /** The merchant that the wallet belongs to; null if there is none. */
  readonly merchant: string | null;
  readonly csrfToken: string;
}

const SESSION = 'wallet merchant csrfToken';

/** Whether this browser may have a session: the CSRF cookie is readable by scripts. */
export const mayBeSignedIn = (): boolean => /(?:^|; )cb_csrf=./.test(document.cookie);

/** The current session; null if there is none or it has ended. Throws if the server cannot answer. */
export async function readSession(url: string): Promise<Session | null> {
  try {
    return (await askInSession<{ me: Session }>(url, `query PageSession { me { ${SESSION} } }`, {})).me;
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
  const { loginChallenge } = await askInSession<{ loginChallenge: { nonce: string; typedData: object } }>(
    url,
    'mutation PageChallenge($wallet: Wallet!) { loginChallenge(wallet: $wallet) { nonce typedData } }',
    { wallet: account },
  );
  says('Sign in your wallet…');
  const signature = await provider.request({
    method: 'eth_signTypedData_v4',
    params: [account, JSON.stringify(loginChallenge.typedData)],
  });
  says('Signing in…');
  const { login } = await askInSession<{ login: Session }>(
    url,
    `mutation PageLogin($wallet: Wallet!, $nonce: String!, $signature: Hex!) { login(wallet: $wallet, nonce: $nonce, signature: $signature) { ${SESSION} } }`,
    { wallet: account, nonce: loginChallenge.nonce, signature },
  );
  return login;
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
  await askInSession(url, 'mutation PageLogout { logout }', {}, csrfToken).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
  });
}
