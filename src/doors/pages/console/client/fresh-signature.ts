import { useCallback } from 'preact/hooks';
import { askInSession, problemText } from '../../client/graphql.ts';
import { connectWallet, errorCode, signTypedData } from '../../client/wallet.ts';
import { ConsoleChallenge, ConsoleConfirm } from '../generated/client.ts';
import { words } from '../shared/words.ts';
import { type Inside, useInside } from './inside.ts';
import { walletProblem } from './wallet-problem.ts';
import { usualWallet } from './wallets.ts';

/** Confirms the session with a signature of its wallet. */
async function confirmSession({ settings: { graphqlUrl: url, chain }, session, wallets }: Inside): Promise<void> {
  const provider = usualWallet(wallets);
  if (!provider) throw new Error(words.signature.noWallet);
  const account = await connectWallet(provider, chain, () => {});
  if (account.toLowerCase() !== session.wallet.toLowerCase())
    throw new Error(words.signature.otherWallet(session.wallet));
  const { confirmChallenge } = await askInSession(url, ConsoleChallenge, {}, session.csrfToken);
  if (!confirmChallenge) throw new Error(words.unreachable);
  const { nonce, typedData } = confirmChallenge;
  const signature = await signTypedData(provider, account, typedData);
  await askInSession(url, ConsoleConfirm, { nonce, signature }, session.csrfToken);
}

function explain(error: unknown, chainName: string): string {
  if (error instanceof TypeError) return problemText(error);
  return errorCode(error) === 4001 ? words.signature.declined : walletProblem(error, chainName);
}

/** Says above everything else, an open dialog too, that the wallet waits for a signature. Returns its removal. */
function showRequest(): () => void {
  const note = document.createElement('p');
  note.className = 'signature-note';
  note.setAttribute('role', 'alert');
  note.textContent = words.signature.asked;
  (document.querySelector('dialog[open]') ?? document.getElementById('content'))?.append(note);
  return () => note.remove();
}

/** Asks the wallet for the fresh signature that a write needs. Resolves with the problem, or null if it was given. */
export function useFreshSignature(): () => Promise<string | null> {
  const inside = useInside();
  return useCallback(async () => {
    const hide = showRequest();
    try {
      await confirmSession(inside);
      return null;
    } catch (error) {
      return explain(error, inside.settings.chain.name);
    } finally {
      hide();
    }
  }, [inside]);
}
