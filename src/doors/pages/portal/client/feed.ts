import { readPageAgain } from '../../client/page.ts';
import { type StageModel, tellsOfUnmatched } from '../stage.ts';
import type { PortalFailure } from '../view.ts';
import type { PortalApi, ReceiptNews } from './api.ts';
import type { StatusEvent } from './live.ts';
import { type PortalPage, settingsIn } from './view.ts';

/** Brings changes of the receipt to the page. */
export interface ReceiptFeed {
  /** Reads the receipt and shows it. */
  refresh(): Promise<void>;
  /** Takes an event of the receipt's stream. */
  onEvent(event: StatusEvent): void;
}

/**
 * Creates the feed of a page. `onChange` is called after each read. `onMissing` is called if the
 * remaining amount of an underpayment has changed.
 */
export function createFeed(
  page: PortalPage,
  api: PortalApi,
  { onChange, onMissing }: { onChange(): void; onMissing(): void },
): ReceiptFeed {
  const takeNews = (news: ReceiptNews, failure: PortalFailure | null) => {
    const { receipt } = page.model;
    // Responses may arrive out of order; ignore older ones.
    if (news.seq < receipt.seq) return;
    const missingChanged = news.missing?.amount !== receipt.missing?.amount;
    page.setReceipt(afterNews(receipt, { ...news, failure }, page.now()));
    // The sent payment was found or has failed: from here the receipt's status applies.
    const settled = news.status !== receipt.status && news.status !== 'pending' && news.status !== 'generated';
    // A failure that this page already shows stays in its place.
    page.draw(settled ? { sentHash: null, problem: news.status === 'failed' ? page.ui.problem : null } : {});
    onChange();
    if (missingChanged && news.missing) onMissing();
  };
  const refresh = async () => {
    const news = await api.readReceipt();
    takeNews(news, news.failure && (await inWords(news.failure.code, page.model.receipt.failure)));
  };

  return {
    refresh,
    onEvent(event) {
      if (tellsOfUnmatched({ ...event, name: event.tracking }))
        page.setReceipt({ ...page.model.receipt, unmatched: true });
      const { receipt } = page.model;
      if (event.seq <= receipt.seq && event.status === receipt.status) return;
      // A second attempt that fails like the first does not change the status, but it has ended.
      const ended = event.tracking === null && (event.status === 'failed' || event.status === 'tx_mismatch');
      void refresh()
        .catch(() => undefined)
        .then(() => ended && page.draw({ sentHash: null }));
    },
  };
}

/** A failure with its sentence, which the page that the server renders now has. */
async function inWords(code: string, known: PortalFailure | null): Promise<PortalFailure> {
  if (known?.code === code) return known;
  const page = await readPageAgain().catch(() => null);
  const portal = page?.getElementById('portal');
  const fresh = portal && settingsIn(portal).model.receipt.failure;
  return fresh?.code === code ? fresh : { code, sentence: '' };
}

const cents = (usd: number): number => Math.round(usd * 100);

/** The receipt with the fields that the API has read again. */
function afterNews(
  receipt: StageModel['receipt'],
  news: Omit<ReceiptNews, 'failure'> & Pick<StageModel['receipt'], 'failure'>,
  now: number,
): StageModel['receipt'] {
  const { status, transactionHash, transactionTimestamp, expiresAt, closedAt, missing, paid, failure, cardSession } =
    news;
  return {
    ...receipt,
    status,
    seq: Math.max(receipt.seq, news.seq),
    transactionHash,
    transactionTimestamp,
    expiresAt,
    closedAt,
    receivedUsdCents: cents(news.receivedUsd) - cents(news.refundedUsd),
    confirmations: news.confirmations ?? 0,
    confirmationsNeeded: news.confirmationsNeeded ?? receipt.confirmationsNeeded,
    missing,
    paid,
    failure,
    cardSession,
    history: status === receipt.status ? receipt.history : [...receipt.history, { status, at: now }],
  };
}
