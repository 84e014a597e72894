import { ApiError, problemText } from '../../client/graphql.ts';
import { mayBeSignedIn, readSession, signIn, signOut } from '../../client/session.ts';
import { connectProblem, discoverWallets, errorCode, type WalletChain } from '../../client/wallet.ts';
import { createDesk } from './desk.ts';
import { createPage } from './view.ts';

const RETRY_MS = 2_000;

/** The merchant's message for a sign-in error. */
function explain(error: unknown, chainName: string): string {
  if (error instanceof ApiError || error instanceof TypeError) return problemText(error);
  if (errorCode(error) === 4001) return 'You declined the request in your wallet. You are not signed in.';
  return connectProblem(error, chainName) ?? 'Your wallet reported an error. Please try again.';
}

function start(element: HTMLElement): void {
  const { chain, graphqlUrl: url } = JSON.parse(element.dataset.desk ?? '{}') as {
    chain: WalletChain;
    graphqlUrl: string;
  };
  const page = createPage(element);
  const desk = createDesk(page, url);

  async function enter(walletId: string): Promise<void> {
    const provider = wallets.provider(walletId);
    if (!provider || page.model.busy !== null) return;
    page.draw({ busy: 'Connecting to your wallet…', problem: null });
    try {
      desk.open(await signIn(url, provider, chain, (busy) => page.draw({ busy })));
    } catch (error) {
      page.draw({ busy: null, problem: explain(error, chain.name) });
    }
  }

  async function leave(): Promise<void> {
    const session = desk.close('door');
    if (session) await signOut(url, session).catch((error: unknown) => page.draw({ problem: problemText(error) }));
  }

  element.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest<HTMLElement>('[data-wallet], [data-action]');
    if (button?.dataset.wallet) void enter(button.dataset.wallet);
    if (button?.dataset.action === 'leave') void leave();
  });
  const wallets = discoverWallets((found) => page.draw({ wallets: found }));

  /** Continues an existing session. */
  async function open(): Promise<void> {
    if (!mayBeSignedIn()) return page.draw({ stage: 'door' });
    try {
      const found = await readSession(url);
      if (found) desk.open(found);
      else page.draw({ stage: 'door' });
    } catch {
      setTimeout(() => void open(), RETRY_MS);
    }
  }
  void open();
}

const page = document.getElementById('desk');
if (page) {
  document.documentElement.classList.add('js');
  start(page);
}
