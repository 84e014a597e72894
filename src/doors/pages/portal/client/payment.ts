import type { Language } from '../../../../base/core/messages/languages.ts';
import type { Wallets } from '../../client/discover-wallets.ts';
import { announce } from '../../client/draw.ts';
import { goTo } from '../../client/go-to.ts';
import { ApiError } from '../../client/graphql.ts';
import { isRenewable, type WalletWay } from '../stage.ts';
import { type PortalApi, problemText } from './api.ts';
import type { PortalPage } from './view.ts';

/** Loads what only wallets need. */
export const loadWalletWays = () => import('./wallet.ts');

/** The ways to pay from this page. Each shows its activity and its problem. */
export type Payment = ReturnType<typeof createPayment>;

const STEPS = { connect: 'connecting', switch: 'choosing', confirm: 'confirm' } as const;

/** Creates the ways to pay. `refresh` reads the receipt after a payment was sent. */
export function createPayment(page: PortalPage, api: PortalApi, wallets: Wallets, refresh: () => Promise<void>) {
  const { draw, say, sayWallet } = page;

  const send = async (sending: () => Promise<string>, explain: (error: unknown) => string): Promise<void> => {
    try {
      const sentHash = await sending();
      draw({ busy: null, picking: null, sentHash });
      // Only a hint: the payment is found without it, too.
      if (!page.model.readOnly) await api.submitTransaction(sentHash).catch(() => undefined);
      await refresh().catch(() => undefined);
    } catch (error) {
      draw({ busy: null, problem: explain(error) });
    }
  };

  const onStep = (step: keyof typeof STEPS) => {
    const busy = sayWallet(STEPS[step]);
    draw({ busy, problem: null });
    announce(busy);
    if (step === 'switch') void api.reportTracking('buyer_logged_in');
    if (step === 'confirm') void api.reportTracking('checkout_initialized');
  };

  return {
    renewQuote: () => renewQuote(page, api),

    /** Asks for a quote in a token, by its id, and shows it. */
    async requote(tokenId: string): Promise<void> {
      draw({ quoting: tokenId, problem: null });
      try {
        showQuote(page, tokenId, await api.quotePayment(tokenId));
      } catch (error) {
        draw({ quoting: null, problem: problemText(page, error) });
      }
    },

    payByCard: () => payByCard(page, api, refresh),

    renew: () => renew(page, api),

    /** Pays the quote from a browser wallet: it sends the transfer, or only signs it. */
    async payFrom(walletId: string, how: WalletWay): Promise<void> {
      const provider = wallets.provider(walletId);
      const { quote, chain, tokens, tokenId } = page.model;
      const token = tokens.find(({ id }) => id === tokenId);
      if (!provider || !quote || !tokenId || !token || page.ui.busy) return;
      draw({ busy: sayWallet('connecting'), problem: null });
      const ways = await loadWalletWays().catch((error: unknown) =>
        draw({ busy: null, problem: problemText(page, error) }),
      );
      if (!ways) return;
      await send(
        () =>
          how === 'sign'
            ? ways.payBySignature({ api, provider, chain, tokenId, onStep })
            : ways.payWithWallet({ provider, quote, token, chain, onStep }),
        (error) => {
          if (error instanceof ApiError) return problemText(page, error);
          const code = ways.reportableFailure(error);
          if (code) void api.reportFailure(code);
          return ways.walletProblem(page, error, chain.name);
        },
      );
    },

    payFromTestWallet(): void {
      const { tokenId } = page.model;
      if (!tokenId || page.ui.busy) return;
      draw({ busy: say('wallet.testing'), problem: null });
      void api.reportTracking('checkout_initialized');
      void send(
        () => api.payWithTestWallet(tokenId),
        (error) => problemText(page, error),
      );
    },
  };
}

/** Shows a quote that the API answered. */
function showQuote(
  page: PortalPage,
  tokenId: string,
  { qr, ...quote }: Awaited<ReturnType<PortalApi['quotePayment']>>,
): void {
  const before = page.model.quote;
  // Keep the address from the page: it has a checksum, the one from the API does not.
  const known = before?.payTo;
  const payTo = known && known.toLowerCase() === quote.payTo.toLowerCase() ? known : quote.payTo;
  page.setQuote({ ...quote, payTo }, qr, tokenId);
  page.draw({ quoting: null });
  if (quote.uri !== before?.uri) announce(page.say('now.pay', { amount: `${quote.display} ${quote.token}` }));
}

/** Renews the receipt after its end. Its prices may have changed, so the whole page is loaded again. */
async function renew(page: PortalPage, api: PortalApi): Promise<void> {
  const { ui, draw, say } = page;
  if (ui.busy) return;
  draw({ busy: say('pricing'), problem: null });
  try {
    await api.renewReceipt();
    location.reload();
  } catch (error) {
    draw({ busy: null, problem: problemText(page, error) });
  }
}

/** Asks for the shown quote again while the page is open, so that its price and its address are current. */
async function renewQuote(page: PortalPage, api: PortalApi): Promise<void> {
  const { model, ui } = page;
  const { tokenId } = model;
  if (!tokenId || !isRenewable(model, ui)) return;
  const fresh = await api.renewQuote(tokenId).catch(() => null);
  if (fresh && page.model.tokenId === tokenId) showQuote(page, tokenId, fresh);
}

/** An address of this server in the language that the page's own address names; another address as it is. */
function inLanguage(address: string, chosen: Language | null): string {
  const url = new URL(address, location.href);
  if (chosen && url.origin === location.origin) url.searchParams.set('lang', chosen);
  return url.href;
}

/** Opens the card provider's page. */
async function payByCard(page: PortalPage, api: PortalApi, refresh: () => Promise<void>): Promise<void> {
  const { model, draw } = page;
  draw({ openingCard: true, problem: null });
  void api.reportTracking('checkout_initialized');
  // Open the tab before the request: browsers block a tab that is opened after the response as a popup.
  const tab = model.card?.opensInNewTab ? window.open('about:blank', '_blank') : null;
  try {
    const { url } = await api.startCardCheckout();
    const to = url && inLanguage(url, model.chosen);
    if (to && tab) tab.location.href = to;
    else if (to) return goTo(to);
    else tab?.close();
    await refresh().catch(() => undefined);
    draw({ openingCard: false });
  } catch (error) {
    tab?.close();
    draw({ openingCard: false, problem: problemText(page, error) });
  }
}
