import { announce } from '../../client/draw.ts';
import { createOutageLine } from '../../client/outage-line.ts';
import { part } from '../../client/page.ts';
import { readSession, type Session } from '../../client/session.ts';
import { statusWords, summary } from '../receipt.ts';
import { followReceipts } from './receipt-feed.ts';
import type { DeskPage } from './view.ts';

/** The signed-in part of the page. */
export interface Desk {
  /** Shows and follows the receipts of a session's merchant. */
  open(session: Session): void;
  /** Removes all data of the merchant from the page. Returns the session that was open. */
  close(stage: 'door' | 'ended'): Session | null;
}

/** Creates the signed-in part of a page. */
export function createDesk(page: DeskPage, url: string): Desk {
  const line = createOutageLine(part('line'));
  let session: Session | null = null;
  let leave: (() => void) | null = null;

  function close(stage: 'door' | 'ended'): Session | null {
    const old = session;
    leave?.();
    leave = session = null;
    line.up();
    page.show([]);
    page.draw({ stage, wallet: null, shopName: null, busy: null, problem: null });
    return old;
  }

  return {
    close,
    open(found) {
      session = found;
      const { wallet } = found;
      if (found.merchant === null) return page.draw({ stage: 'no-shop', wallet, busy: null, problem: null });
      leave = followReceipts({
        url,
        session: found,
        onShopName: (shopName) => page.draw({ stage: 'inside', wallet, shopName, busy: null, problem: null }),
        onReceipts: page.show,
        onNews(before, now) {
          if (!before) announce(`New: ${summary(now)}.`);
          else if (before.status !== now.status) announce(`${summary(now)}: ${statusWords(now.status)}.`);
        },
        onUp: line.up,
        onDown: line.down,
        // The token is bound to the session: another sign-in in this browser ends this page's session.
        hasEnded: async () => (await readSession(url))?.csrfToken !== found.csrfToken,
        onEnd: () => close('ended'),
      });
    },
  };
}
