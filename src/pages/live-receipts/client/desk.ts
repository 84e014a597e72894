import { type Client, createClient } from 'graphql-ws';
import { closeCode, createPatience, FORBIDDEN, socketUrl } from '../../client/socket.ts';
import { afterNews, type LiveReceipt, lastMovedFirst, type StatusNews } from '../receipt.ts';
import type { Session } from './session.ts';

/** What is read at first, and what is kept at most. */
const READ = 50;
const KEPT = 200;

const RECEIPT = 'receiptId merchant brandName status seq totalUsd createdAt lineItems { label qty itemId }';
const FOLLOW =
  'subscription DeskReceipts($after: String) { receiptStatuses(after: $after) { receiptId seq kind status tracking at cursor } }';

type ReadReceipt = Omit<LiveReceipt, 'movedAt' | 'tracking'> & { brandName: string };

export interface DeskOptions {
  readonly url: string;
  readonly session: Session;
  onShopName(name: string): void;
  /** The receipts as they are now, the one that moved last first. */
  onReceipts(receipts: readonly LiveReceipt[]): void;
  onNews(before: LiveReceipt | undefined, now: LiveReceipt): void;
  onUp(): void;
  onDown(): void;
  /** Asked when the server wants nothing to do with this session: whether it has ended. */
  hasEnded(): Promise<boolean>;
  onEnd(): void;
}

/** Asks one thing over a socket. */
function askOver<Data>(client: Client, query: string, variables: Record<string, unknown> = {}): Promise<Data> {
  return new Promise((resolve, reject) => {
    client.subscribe<Data>(
      { query, variables },
      {
        next: ({ data, errors }) => (data && !errors ? resolve(data) : reject(errors)),
        error: reject,
        complete: () => reject(new Error('no answer')),
      },
    );
  });
}

/**
 * Follows a merchant's receipts over one socket of its session: first the cursor, then the list, then every change after the cursor. A socket that breaks
 * is opened anew, and goes on after the last change that was seen. Answers what closes it for good.
 */
export function followReceipts(options: DeskOptions): () => void {
  const { url, session, onShopName, onReceipts, onNews, onUp, onDown, hasEnded, onEnd } = options;
  const patience = createPatience();
  const receipts = new Map<string, LiveReceipt>();
  /** What was told of receipts that are being read: the last `seq` of each. */
  const wanted = new Map<string, StatusNews>();
  let cursor: string | null = null;
  let closed = false;
  let current: Client | null = null;

  function tell(): void {
    const sorted = [...receipts.values()].sort(lastMovedFirst);
    for (const { receiptId } of sorted.slice(KEPT)) receipts.delete(receiptId);
    onReceipts(sorted.slice(0, KEPT));
  }

  async function readAll(client: Client): Promise<void> {
    const { receiptsCursor } = await askOver<{ receiptsCursor: string }>(client, 'query DeskCursor { receiptsCursor }');
    const answer = await askOver<{ receipts: ReadReceipt[]; shopConfig: { name: string | null } }>(
      client,
      `query DeskList { receipts(limit: ${READ}) { ${RECEIPT} } shopConfig { name } }`,
    );
    for (const one of answer.receipts) receipts.set(one.receiptId, { ...one, movedAt: one.createdAt, tracking: null });
    cursor = receiptsCursor;
    onShopName(answer.shopConfig.name ?? answer.receipts[0]?.brandName ?? 'Your shop');
    tell();
  }

  /** One that is new here, or from long ago. What is told of it meanwhile is read with it, or makes it be read again. */
  async function readOne(client: Client, news: StatusNews): Promise<void> {
    const { receiptId } = news;
    const asked = wanted.has(receiptId);
    wanted.set(receiptId, news);
    if (asked) return;
    for (let seq = 0; seq < (wanted.get(receiptId)?.seq ?? 0); ) {
      const { receipt } = await askOver<{ receipt: ReadReceipt }>(
        client,
        `query DeskReceipt($receiptId: ID!) { receipt(receiptId: $receiptId) { ${RECEIPT} } }`,
        { receiptId },
      );
      seq = receipt.seq;
      const last = wanted.get(receiptId) as StatusNews;
      const movedAt = last.kind === 'status' ? last.at : receipt.createdAt;
      const now = { ...receipt, movedAt, tracking: last.kind === 'tracking' ? last.tracking : null };
      onNews(receipts.get(receiptId), now);
      receipts.set(receiptId, now);
    }
    wanted.delete(receiptId);
    tell();
  }

  function take(client: Client, news: StatusNews, again: (error: unknown) => void): void {
    const known = receipts.get(news.receiptId);
    if (!known || wanted.has(news.receiptId)) {
      // The cursor waits for it: a socket that breaks meanwhile tells of it again.
      readOne(client, news).then(() => {
        if (wanted.size === 0) cursor = news.cursor;
      }, again);
      return;
    }
    if (wanted.size === 0) cursor = news.cursor;
    const now = afterNews(known, news);
    if (now === known) return;
    receipts.set(news.receiptId, now);
    onNews(known, now);
    tell();
  }

  function connect(): void {
    const client = createClient({
      url: socketUrl(url, location.href),
      connectionParams: { 'x-csrf-token': session.csrfToken },
      retryAttempts: 0,
      lazyCloseTimeout: 5_000,
      keepAlive: 12_000,
      on: { connected: () => patience.reset() },
    });
    current = client;
    let over = false;
    const again = async (error?: unknown) => {
      if (over || closed) return;
      over = true;
      wanted.clear();
      onDown();
      void client.dispose();
      await new Promise((resolve) => setTimeout(resolve, patience.next()));
      const ended = closeCode(error) === FORBIDDEN && (await hasEnded().catch(() => false));
      if (closed) return;
      if (!ended) return connect();
      close();
      onEnd();
    };
    const begin = async () => {
      if (cursor === null) await readAll(client);
      else await askOver(client, 'query DeskUp { __typename }');
      if (closed || over) return;
      onUp();
      client.subscribe<{ receiptStatuses: StatusNews }>(
        { query: FOLLOW, variables: { after: cursor } },
        {
          next: ({ data }) => {
            if (data && !closed) take(client, data.receiptStatuses, (error) => void again(error));
          },
          error: (error) => void again(error),
          complete: () => void again(),
        },
      );
    };
    begin().catch(again);
  }

  function close(): void {
    closed = true;
    void current?.dispose();
  }
  connect();
  return close;
}
