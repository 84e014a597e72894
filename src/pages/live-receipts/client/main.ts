import { announce, createDrawer, focusOn, localTimes } from '../../client/draw.ts';
import { ApiError, problemText } from '../../client/graphql.ts';
import { createMovingList } from '../../client/moving-list.ts';
import { mayBeSignedIn, readSession, type Session, signIn, signOut } from '../../client/session.ts';
import { connectProblem, discoverWallets, errorCode, type WalletChain } from '../../client/wallet.ts';
import { toMarkup } from '../../html.ts';
import { type LiveReceipt, renderReceipt, statusWords, summary } from '../receipt.ts';
import { renderSignIn, renderWho, SIGNED_OUT, type SignInModel, stageWords } from '../stage.ts';
import { followReceipts } from './receipt-feed.ts';

/** An interruption shorter than this is not shown. */
const DOWN_MS = 1_000;
const RETRY_MS = 2_000;

const part = (id: string): HTMLElement => document.getElementById(id) as HTMLElement;

/** The merchant's message for a sign-in error. */
function explain(error: unknown, chainName: string): string {
  if (error instanceof ApiError || error instanceof TypeError) return problemText(error);
  if (errorCode(error) === 4001) return 'You declined the request in your wallet. You are not signed in.';
  return connectProblem(error, chainName) ?? 'Your wallet reported an error. Please try again.';
}

function start(page: HTMLElement): void {
  const { chain, graphqlUrl: url } = JSON.parse(page.dataset.desk ?? '{}') as {
    chain: WalletChain;
    graphqlUrl: string;
  };
  const drawDoor = createDrawer(part('stage'));
  const drawList = createMovingList(part('receipts'), localTimes);
  let model: SignInModel = SIGNED_OUT;
  let session: Session | null = null;
  let leave: (() => void) | null = null;

  function draw(change: Partial<SignInModel>): void {
    model = { ...model, ...change };
    const inside = model.stage === 'inside';
    const hadFocus = page.contains(document.activeElement);
    drawDoor({ stage: model.stage, markup: renderSignIn(model), announcement: stageWords(model) });
    part('who').innerHTML = toMarkup(renderWho(model));
    part('door').hidden = inside;
    part('roll').hidden = !inside;
    if (hadFocus && !page.contains(document.activeElement)) focusOn(part(inside ? 'title' : 'stage-title'));
  }
  function show(receipts: readonly LiveReceipt[]): void {
    drawList(
      receipts.map((receipt) => ({
        key: receipt.receiptId,
        markup: renderReceipt(receipt),
        said: `${receipt.status} ${receipt.tracking}`,
      })),
    );
    part('none').hidden = receipts.length > 0;
  }

  /** Removes all data of the merchant from the page. */
  function goOut(stage: 'door' | 'ended', problem: string | null = null): void {
    leave?.();
    leave = session = null;
    clearTimeout(missed);
    missed = undefined;
    part('line').hidden = true;
    show([]);
    draw({ stage, wallet: null, shopName: null, busy: null, problem });
  }

  let missed: number | undefined;
  function goIn(found: Session): void {
    session = found;
    if (found.merchant === null) {
      draw({ stage: 'no-shop', wallet: found.wallet, busy: null, problem: null });
      return;
    }
    leave = followReceipts({
      url,
      session: found,
      onShopName: (shopName) => draw({ stage: 'inside', wallet: found.wallet, shopName, busy: null, problem: null }),
      onReceipts: show,
      onNews(before, now) {
        if (!before) announce(`New: ${summary(now)}.`);
        else if (before.status !== now.status) announce(`${summary(now)}: ${statusWords(now.status)}.`);
      },
      onUp() {
        clearTimeout(missed);
        missed = undefined;
        part('line').hidden = true;
      },
      onDown() {
        missed ??= window.setTimeout(() => {
          part('line').hidden = false;
        }, DOWN_MS);
      },
      // The token is bound to the session: another sign-in in this browser ends this page's session.
      hasEnded: async () => (await readSession(url))?.csrfToken !== found.csrfToken,
      onEnd: () => goOut('ended'),
    });
  }

  async function enter(walletId: string): Promise<void> {
    const provider = wallets.provider(walletId);
    if (!provider || model.busy !== null) return;
    draw({ busy: 'Connecting to your wallet…', problem: null });
    try {
      goIn(await signIn(url, provider, chain, (busy) => draw({ busy })));
    } catch (error) {
      draw({ busy: null, problem: explain(error, chain.name) });
    }
  }

  async function goOutForGood(): Promise<void> {
    const old = session;
    goOut('door');
    if (old) await signOut(url, old).catch((error: unknown) => draw({ problem: problemText(error) }));
  }

  page.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest<HTMLElement>('[data-wallet], [data-action]');
    if (button?.dataset.wallet) void enter(button.dataset.wallet);
    if (button?.dataset.action === 'leave') void goOutForGood();
  });
  const wallets = discoverWallets((found) => draw({ wallets: found }));

  /** Continues an existing session. */
  async function open(): Promise<void> {
    if (!mayBeSignedIn()) return draw({ stage: 'door' });
    try {
      const found = await readSession(url);
      if (found) goIn(found);
      else draw({ stage: 'door' });
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
