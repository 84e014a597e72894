import { announce } from '../../client/draw.ts';
import { readPageAgain } from '../../client/page.ts';
import { isPaid } from '../stage.ts';
import { hostOf, successAddress } from '../success.ts';
import type { PortalApi } from './api.ts';
import { createLeaving } from './leave.ts';
import type { PortalPage } from './view.ts';

/** What the page does once the receipt is paid. */
export interface FollowUp {
  /** Reacts to the receipt's current status. */
  check(): void;
  /** Cancels the redirect to the shop. */
  cancelLeaving(): void;
}

/** Creates the follow-up of a page: the shop's script, the redirect to the shop, and the shares after settlement. */
export function createFollowUp(page: PortalPage, api: PortalApi): FollowUp {
  const { merchantWallet, receipt } = page.model;
  const leaving = createLeaving({
    receiptId: receipt.receiptId,
    merchant: merchantWallet,
    address: () => successAddress(page.model.receipt),
    show: (leavingIn) => page.draw({ leavingIn }),
  });

  let scriptOpened = false;
  /** Runs the shop's script after the receipt is paid, never before. */
  const runScript = async (): Promise<void> => {
    const { scriptPath } = page.model;
    const holder = document.getElementById('from-shop');
    if (!holder || !scriptPath || scriptOpened) return;
    scriptOpened = true;
    try {
      openScriptFrame(holder, scriptPath, await api.readPublicFields());
    } catch {
      // The server is unavailable; the next event tries again.
      scriptOpened = false;
    }
  };

  return {
    check() {
      const { status } = page.model.receipt;
      if (isPaid(page.model)) {
        void runScript();
        const to = successAddress(page.model.receipt);
        if (leaving.paid() && to)
          announce(page.say('now.leaving', { host: hostOf(to), seconds: leaving.seconds() ?? 0 }));
      } else {
        leaving.stop();
        if (status !== 'refunded') leaving.waiting();
      }
      if (status === 'completed') void adoptSettlement();
    },
    cancelLeaving: leaving.decide,
  };
}

/** Only the server renders the shares: after settlement the page copies them from a fresh version of itself. */
async function adoptSettlement(): Promise<void> {
  const shown = document.getElementById('settlement');
  if (!shown?.hidden) return;
  const page = await readPageAgain().catch(() => null);
  const fresh = page?.getElementById('settlement');
  if (fresh && !fresh.hidden && shown.hidden) shown.replaceWith(document.adoptNode(fresh));
}

/** The maximum height of the frame of the shop's script. */
const MOST_HEIGHT = 480;

/**
 * Opens the shop's script in a frame that may only run scripts, and sends it the receipt's public fields. The page
 * accepts only one message from the frame: its height.
 */
function openScriptFrame(holder: HTMLElement, path: string, receipt: object | null): void {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.setAttribute('referrerpolicy', 'no-referrer');
  frame.title = holder.querySelector('h2')?.textContent ?? '';
  frame.src = path;
  frame.addEventListener(
    'load',
    // The frame's opaque origin cannot be named as the target.
    () => frame.contentWindow?.postMessage({ type: 'receipt', receipt }, '*'),
    { once: true },
  );
  window.addEventListener('message', ({ source, data }: MessageEvent<{ type?: unknown; height?: unknown } | null>) => {
    if (source !== frame.contentWindow || typeof data !== 'object' || data?.type !== 'height') return;
    const height = typeof data.height === 'number' && data.height > 0 ? Math.min(data.height, MOST_HEIGHT) : 0;
    frame.style.height = `${Math.ceil(height)}px`;
    holder.classList.toggle('shown', height > 0);
  });
  holder.append(frame);
}
