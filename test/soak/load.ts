import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { mintTestTokens } from '../../src/base/chain/local.ts';
import { localAccount } from '../../src/base/chain/local-accounts.ts';
import { createSender } from '../../src/base/chain/sender.ts';
import type { TestChain } from '../../src/base/chain/test/anvil.ts';
import { transferCall } from '../../src/base/chain/transfer-call.ts';
import { readRequest } from '../support/checkout.ts';
import { caller } from '../support/http.ts';
import { newAccount, type TestMerchant, type TestServer } from '../support/server.ts';

const USERS = 20;
const STREAMS = 40;
/** So many requests at once find out how many a second the server answers. */
const AT_ONCE = 8;
/** Longer than Node's fetch keeps a connection that it does not use. */
const CALM_MS = 8_000;

/** A load on a server: orders, reads, payments, presence and streams. */
export interface Load {
  /** Answered requests. */
  requests(): number;
  /** Answers that should not have been, and broken streams. */
  readonly faults: string[];
  /** For the report. `closed`: streams and kept connections that have ended, by code. They are opened again. */
  readonly counts: { payments: number; events: number; reconnects: number; readonly closed: Record<string, number> };
  /** Sends nothing for a while; the streams stay. Idle connections close meanwhile. */
  calm<T>(task: () => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

export interface LoadOptions {
  readonly url: string;
  readonly setup: TestServer;
  readonly merchant: TestMerchant;
  readonly chain: TestChain;
  /** Requests per second. */
  readonly rate: number;
}

/** Orders, lists and status requests in the proportions of a shop. */
function requestsOf(url: string, { auth }: TestMerchant) {
  const call = caller(url);
  const known: string[] = [];
  let turn = 0;
  const order = async () => {
    const body = { items: [{ sku: 'CUP', qty: 1 }] };
    const { status, body: answer } = await call('POST', '/api/orders', { headers: auth, body });
    if (status !== 200) throw new Error(`order: ${status} ${JSON.stringify(answer)}`);
    known.push(answer.receipt.receiptId);
    if (known.length > 500) known.shift();
    return answer.receipt.receiptId as string;
  };
  const get = async (path: string) => {
    const { status, body } = await call('GET', path, { headers: auth });
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  };
  const kinds = [
    order,
    ...Array.from(
      { length: 4 },
      () => () => get(`/api/receipts/status?receiptId=${known.at(-1 - (turn % 50)) ?? known[0]}`),
    ),
    () => get('/api/receipts?limit=20'),
    order,
    () => get(`/api/receipts/${known[0]}`),
    () => get('/api/inventory'),
    order,
  ];
  return {
    order,
    next: () => {
      turn += 1;
      return kinds[turn % kinds.length]!();
    },
  };
}

/** How many requests a second the server answers with several at once, in so many seconds. */
export async function measureRate(url: string, merchant: TestMerchant, seconds: number): Promise<number> {
  const { order, next } = requestsOf(url, merchant);
  await order();
  const until = performance.now() + seconds * 1_000;
  let count = 0;
  const one = async () => {
    for (; performance.now() < until; count++) await next();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return count / seconds;
}

export async function startLoad({ url, setup, merchant, chain, rate }: LoadOptions): Promise<Load> {
  const faults: string[] = [];
  const counts = { payments: 0, events: 0, reconnects: 0, closed: {} as Record<string, number> };
  let requests = 0;
  let isOn = true;
  let isCalm = false;
  const note = (error: unknown) => {
    if (isOn && faults.length < 20) faults.push(String(error));
  };
  const { order, next } = requestsOf(url, merchant);
  await order();
  /** A kept connection that ends as it is used again is no fault: clients send such a request again. */
  const lose = (error: unknown) => {
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    if (code === undefined) note(error);
    else counts.closed[code] = (counts.closed[code] ?? 0) + 1;
  };

  /** Starts a task again and again at a steady pace, whether the last one is done or not. */
  const pace = async (everyMs: number, task: () => Promise<unknown>) => {
    const running = new Set<Promise<unknown>>();
    for (let due = performance.now(); isOn; due = Math.max(due + everyMs, performance.now() - 1_000)) {
      // A server that answers late gets fewer requests, as from clients that wait for their answers.
      if (isCalm || running.size >= AT_ONCE) {
        await pause(everyMs);
        continue;
      }
      const run: Promise<unknown> = task()
        .then(() => (requests += 1), lose)
        .finally(() => running.delete(run));
      running.add(run);
      await pause(Math.max(0, due + everyMs - performance.now()));
    }
    await Promise.all(running);
  };

  const buyer = localAccount('buyer', 3);
  const sender = createSender(chain.chain, buyer.privateKey);
  await mintTestTokens(chain.chain, 'USDC', buyer.address, 10n ** 15n);
  const token = chain.chain.tokens.find(({ symbol }) => symbol === 'USDC')!;
  const pay = async () => {
    const receiptId = await order();
    const { payTo, amount } = await readRequest({ call: caller(url) }, receiptId);
    // The chain has a busy machine too; what it does not take is not paid.
    const sent = await sender.send(transferCall(token, payTo, BigInt(amount))).catch(() => null);
    if (sent?.hash) counts.payments += 1;
  };

  const sessions = await Promise.all(Array.from({ length: USERS }, () => setup.signIn(newAccount())));
  const ask = async (headers: Record<string, string>, query: string) => {
    const { body } = await caller(url)('POST', '/api/graphql', { headers, body: { query } });
    if (body.errors) throw new Error(`${query}: ${JSON.stringify(body.errors)}`);
  };
  const PRESENCE = 'mutation { setPresence(live: true, spacePublic: true, platform: "web") { wallet } }';
  for (const session of sessions) await ask(session, PRESENCE);
  let turn = 0;
  const presence = () => {
    const session = sessions[turn++ % USERS]!;
    return ask(session, turn % 5 === 0 ? PRESENCE : 'mutation { heartbeat }');
  };

  const streams = new Set<() => void>();
  const open = (which: string) => {
    const client = createClient({
      url: `${url.replace('http', 'ws')}/api/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: merchant.auth,
      retryAttempts: 0,
    });
    let isWanted = true;
    const end = () => {
      isWanted = false;
      streams.delete(end);
      void client.dispose();
    };
    const again = (code: unknown) => {
      if (!isWanted || !isOn) return;
      const name = String(code);
      counts.closed[name] = (counts.closed[name] ?? 0) + 1;
      end();
      open(which);
    };
    client.subscribe(
      { query: `subscription { ${which} }` },
      {
        next({ errors }) {
          counts.events += 1;
          if (errors) note(JSON.stringify(errors));
        },
        // A reader that is too slow is closed, as everyone whose server stops: it comes back, as clients do.
        error: (error) => again((error as { code?: number }).code ?? error),
        complete: () => again('complete'),
      },
    );
    streams.add(end);
  };
  const kinds = ['receiptStatuses { status }', 'livePresence { __typename }'];
  for (let i = 0; i < STREAMS; i++) open(kinds[i % kinds.length]!);
  // Connections come and go.
  const reconnect = async () => {
    const [oldest] = streams;
    oldest?.();
    open(kinds[counts.reconnects % kinds.length]!);
    counts.reconnects += 1;
  };

  const running = [
    pace(1_000 / rate, next),
    pace(2_000, pay),
    pace(500, presence),
    pace(1_000, reconnect),
    pace(1_000, () => chain.control.mine({ blocks: 1 }).catch(() => {})),
  ];
  return {
    requests: () => requests,
    faults,
    counts,
    async calm(task) {
      isCalm = true;
      await pause(CALM_MS);
      const result = await task();
      isCalm = false;
      return result;
    },
    async stop() {
      isOn = false;
      for (const end of [...streams]) end();
      await Promise.all(running);
    },
  };
}
