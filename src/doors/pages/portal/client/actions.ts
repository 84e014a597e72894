import { writeClipboard } from '../../client/clipboard.ts';
import { announce, focusOn } from '../../client/draw.ts';
import { quoteExpired, type Say, type StageModel, tokenOfSymbol, type WalletWay } from '../stage.ts';
import type { Copied } from '../ways.ts';
import type { PortalApi } from './api.ts';
import type { FollowUp } from './follow-up.ts';
import type { Payment } from './payment.ts';
import type { PortalPage } from './view.ts';

/** The parts of the page that its buttons use. */
interface Parts {
  readonly page: PortalPage;
  readonly api: PortalApi;
  readonly payment: Payment;
  readonly followUp: FollowUp;
}

/** The actions by the name in `data-action`. One that returns false leaves the browser its own action. */
function actionsOf({ page, api, payment, followUp }: Parts): Record<string, () => unknown> {
  const pick = (how: WalletWay) => {
    const [first, ...others] = page.ui.wallets;
    if (first && others.length === 0) return payment.payFrom(first.id, how);
    page.draw({ picking: page.ui.picking === how ? null : how });
  };
  return {
    'pay-wallet': () => pick('send'),
    'pay-signed': () => pick('sign'),
    'pay-test': payment.payFromTestWallet,
    'pay-card': () => page.ui.busy || page.ui.openingCard || payment.payByCard(),
    requote: () => page.ui.quoting || payment.requote(shownToken(page.model)),
    renew: payment.renew,
    'try-again': () => {
      const { model } = page;
      if (!model.quote || quoteExpired(model)) void payment.requote(shownToken(model));
      return false;
    },
    unsend: () => page.draw({ sentHash: null }),
    'open-wallet': () => {
      void api.reportTracking('checkout_initialized');
      return false;
    },
    leave: () => {
      followUp.cancelLeaving();
      return false;
    },
    stay: () => {
      followUp.cancelLeaving();
      focusOn(document.getElementById('stage-title'));
      announce(page.say('now.stay'));
    },
  };
}

/** Connects the buttons, the wallets and the choice of token to their actions. */
export function listen(portal: HTMLElement, root: HTMLElement, parts: Parts): void {
  const { api, payment } = parts;
  const actions = actionsOf(parts);
  portal.addEventListener('click', (event) => {
    const target =
      event.target instanceof Element
        ? event.target.closest<HTMLElement>('[data-action],[data-wallet],[data-copy]')
        : null;
    if (!target || target.getAttribute('aria-disabled') === 'true') return;
    const { action, wallet, copy, what } = target.dataset;
    if (copy !== undefined) void copyText(parts.page.say, target, copy, what as Copied);
    else if (wallet !== undefined) void payment.payFrom(wallet, parts.page.ui.picking ?? 'send');
    else if (action && actions[action]?.() !== false) event.preventDefault();
  });
  root.addEventListener('change', (event) => {
    if (!(event.target instanceof HTMLInputElement)) return;
    const { name, value } = event.target;
    const { model } = parts.page;
    const id = name === 'symbol' ? tokenOfSymbol(model.tokens, value, model.tokenId)?.id : name === 'token' && value;
    if (!id) return;
    void api.reportTracking('checkout_initialized');
    void payment.requote(id);
  });
}

/** The id of the token of the shown quote, else of the first token that is offered. */
export function shownToken(model: StageModel): string {
  return model.tokenId ?? model.tokens.find((token) => token.offered)?.id ?? '';
}

const shownMs = 2000;

/** Copies `text` to the clipboard and confirms it on the button and to screen readers. */
async function copyText(say: Say, button: HTMLElement, text: string, what: Copied): Promise<void> {
  const copied = await writeClipboard(text);
  button.focus();
  announce(copied ? say('copied', { what }) : say('notCopied'));
  if (!copied) return;
  button.classList.add('copied');
  setTimeout(() => button.classList.remove('copied'), shownMs);
}
