import type { ReceiptStatus } from '../../../../domain/sales/receipts/lifecycle.ts';
import { discoverWallets } from '../../client/discover-wallets.ts';
import { announce, localTimes } from '../../client/draw.ts';
import { ApiError, pageToken } from '../../client/graphql.ts';
import type { Provider } from '../../client/wallet.ts';
import { listen, shownToken } from './actions.ts';
import { createApi, problemText } from './api.ts';
import { createFeed } from './feed.ts';
import { createFollowUp } from './follow-up.ts';
import { followReceipt } from './live.ts';
import { createPayment, loadWalletWays, type Payment } from './payment.ts';
import { createPage, type PortalPage, settingsIn } from './view.ts';

/** The interval at which the quote is renewed, so that its price and its address are current. */
const RENEW_MS = 30 * 60_000;

const finalStatuses: readonly ReceiptStatus[] = ['completed', 'refunded'];

function start(portal: HTMLElement, root: HTMLElement): void {
  const settings = settingsIn(portal);
  const { receiptId, seq } = settings.model.receipt;
  const api = createApi(settings.graphqlUrl, receiptId, settings.model.readOnly);
  const page = createPage(root, settings.model);
  const followUp = createFollowUp(page, api);
  const feed = createFeed(page, api, {
    onChange: followUp.check,
    onMissing: () => void payment.requote(shownToken(page.model)),
  });
  const wallets = discoverWallets((found) => {
    page.draw({ wallets: found });
    // Found wallets may be announced before `wallets` is there.
    void loadWalletWays().then(
      ({ connectedChain }) =>
        showNetworkOf(
          page,
          found.map(({ id }) => wallets.provider(id)),
          connectedChain,
        ),
      () => undefined,
    );
  });
  const payment: Payment = createPayment(page, api, wallets, feed.refresh);
  listen(portal, root, { page, api, payment, followUp });

  // Restored from the browser's back/forward cache: read the current state.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    page.draw({ openingCard: false });
    void payment.renewQuote();
    feed.refresh().catch(() => undefined);
  });
  setInterval(() => void payment.renewQuote(), RENEW_MS);
  const form = document.querySelector<HTMLFormElement>('form#email');
  if (form) offerEmail(page, form, api.setBuyerEmail);

  localTimes(portal);
  page.draw();
  followUp.check();
  void api.reportTracking('link_opened');
  followReceipt({
    url: settings.websocketUrl,
    receiptId,
    token: pageToken,
    afterSeq: seq,
    onEvent: feed.onEvent,
    poll: async () => {
      if (!finalStatuses.includes(page.model.receipt.status)) await feed.refresh();
    },
    needsPolling: () => {
      const { status, cardSession } = page.model.receipt;
      return status === 'tx_mined' || page.ui.sentHash !== null || cardSession !== null;
    },
  });
}

/** Puts the network of a connected wallet first, if the buyer may choose between several. */
async function showNetworkOf(
  page: PortalPage,
  providers: readonly (Provider | null)[],
  connectedChain: (provider: Provider) => Promise<number | null>,
): Promise<void> {
  if (!page.model.tokens.some(({ chain }) => chain)) return;
  for (const provider of providers) {
    const chainId = provider && (await connectedChain(provider).catch(() => null));
    if (!chainId) continue;
    page.putFirst(chainId);
    return page.draw();
  }
}

const portal = document.getElementById('portal');
const stage = document.getElementById('stage');
if (portal && stage) {
  document.documentElement.classList.add('js');
  start(portal, stage);
}

/** Sends the buyer's e-mail address once; then the form shows a confirmation. */
function offerEmail(page: PortalPage, form: HTMLFormElement, save: (email: string) => Promise<unknown>): void {
  const { say } = page;
  const input = form.querySelector('input');
  const button = form.querySelector('button');
  const note = form.querySelector<HTMLElement>('.hint');
  if (!input || !button || !note) return;
  const show = (text: string, wrong: boolean) => {
    note.textContent = text;
    note.classList.toggle('wrong', wrong);
    if (wrong) input.setAttribute('aria-invalid', 'true');
    else input.removeAttribute('aria-invalid');
    announce(text);
  };
  const done = (text: string) => {
    show(text, false);
    form.classList.add('saved');
    form.replaceChildren(note);
  };

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const email = input.value.trim();
    if (button.disabled) return;
    if (!email || !input.checkValidity()) {
      show(say('email.invalid'), true);
      return input.focus();
    }
    button.disabled = true;
    try {
      await save(email);
      done(say('email.saved', { email }));
    } catch (error) {
      button.disabled = false;
      const { reason, field } = error instanceof ApiError ? error.facts : {};
      if (reason === 'email_known') done(say('email.already'));
      else show(field === 'email' ? say('email.invalid') : problemText(page, error), true);
    }
  });
}
