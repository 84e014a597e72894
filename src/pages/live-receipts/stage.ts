import type { WalletChoice } from '../client/wallet.ts';
import { type Html, html } from '../html.ts';
import { icon, seal } from '../icons.ts';
import { shortHash } from '../portal/amounts.ts';

/** The state of the page: loading, sign-in, signed in, no shop, or session ended. */
type Stage = 'opening' | 'door' | 'inside' | 'no-shop' | 'ended';

/** The data of the page's header and sign-in form. */
export interface SignInModel {
  readonly stage: Stage;
  readonly wallets: readonly WalletChoice[];
  /** The signed-in wallet. */
  readonly wallet: string | null;
  readonly shopName: string | null;
  /** The current activity, as text. */
  readonly busy: string | null;
  readonly problem: string | null;
}

export const SIGNED_OUT: SignInModel = {
  stage: 'opening',
  wallets: [],
  wallet: null,
  shopName: null,
  busy: null,
  problem: null,
};

function walletButtons({ wallets, busy }: SignInModel): Html {
  if (busy !== null)
    return html`<button class="button primary" type="button" aria-disabled="true"><span class="spinner" aria-hidden="true"></span>${busy}</button>`;
  const [only] = wallets;
  if (wallets.length === 0)
    return html`<p class="note notice">No wallet was found in this browser. Install one, or open this page in the browser of your wallet app.</p>`;
  if (wallets.length === 1 && only)
    return html`<button class="button primary" type="button" data-wallet="${only.id}">${icon('wallet')}Sign in with ${only.name}</button>`;
  return html`<p class="lead">Sign in with</p><div class="wallets">${wallets.map(
    ({ id, name, icon: picture }) =>
      html`<button class="wallet" type="button" data-wallet="${id}">${picture !== '' && html`<img src="${picture}" alt="" width="24" height="24">`}${name}</button>`,
  )}</div>`;
}

const WORDS: Readonly<Record<'door' | 'ended' | 'no-shop', readonly [title: string, text: string]>> = {
  door: [
    'Sign in to see your receipts',
    'Use the wallet of your shop. Signing in is a signature: it costs nothing and sends nothing.',
  ],
  ended: [
    'Your session has ended',
    'You signed out in another window, or twelve hours have passed. Sign in again to continue.',
  ],
  'no-shop': ['No shop here', 'No shop is registered under this wallet. Sign in with the wallet of your shop.'],
};

/** The sign-in form with its texts. Empty when signed in, where the list is shown. */
export function renderSignIn(model: SignInModel): Html {
  const { stage, problem, wallet } = model;
  if (stage === 'inside') return html``;
  if (stage === 'opening')
    return html`<div class="panel" data-stage="opening"><p class="no-script lead">This page needs JavaScript and a browser with the wallet of your shop.</p><div class="orbit script-only" aria-hidden="true"></div></div>`;
  const [title, text] = WORDS[stage];
  return html`<div class="panel" data-stage="${stage}"><div class="outcome">${stage !== 'door' && seal(stage === 'ended' ? 'clock' : 'question', 'muted')}<h2 id="stage-title" tabindex="-1">${title}</h2><p class="lead">${text}</p>${stage === 'no-shop' && wallet !== null && html`<p class="code mono">${shortHash(wallet)}</p>`}</div>
${problem !== null && html`<p class="note notice" role="alert">${problem}</p>`}
<div class="actions">${walletButtons(model)}${stage === 'no-shop' && html`<button class="button quiet" type="button" data-action="leave">Sign out</button>`}</div></div>`;
}

/** Announced to screen readers when the page enters a stage. */
export function stageWords({ stage, shopName }: SignInModel): string {
  if (stage === 'inside') return `Signed in. The receipts of ${shopName ?? 'your shop'} follow.`;
  return stage === 'opening' ? '' : WORDS[stage].join('. ');
}

/** The signed-in wallet, and the sign-out button. */
export function renderWho({ stage, wallet, shopName }: SignInModel): Html {
  if (stage !== 'inside' || wallet === null) return html``;
  return html`<p class="who"><b><bdi>${shopName}</bdi></b> <span class="mono">${shortHash(wallet)}</span></p><button class="plain" type="button" data-action="leave">Sign out</button>`;
}
