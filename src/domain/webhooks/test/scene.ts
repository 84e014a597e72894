import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { createDatabase } from '../../../../test/support/database.ts';
import { runStatement, statement } from '../../../../test/support/statement.ts';
import type { StatusUpdated } from '../../../base/core/events.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Settings } from '../../../base/platform/deps.ts';
import { encrypt, sha256 } from '../../../base/platform/secrets.ts';
import { rowsOf } from '../../../base/platform/test/rows.ts';
import { type DeliveryRecord, listDeliveries } from '../delivery/deliveries.ts';
import { enqueueEvent } from '../delivery/enqueue.ts';
import { openDeps, SECRET } from './deps.ts';

export const MERCHANT = `0x${'ab'.repeat(20)}` as Wallet;
export const API_KEY = 'qk_a-key-that-signs';
const KEY_ID = 'key_1';
const JOBS = statement(
  'the-jobs',
  `select attempt, claims, (due_at - extract(epoch from now()) * 1000)::float8 as "waitsMs" from webhook_jobs order by id`,
);

/** All dependencies for events and deliveries, on a database of its own with one merchant and one key. */
export async function openScene(settings: Partial<Settings> = {}) {
  const { databaseUrl, drop } = await createDatabase();
  const deps = await openDeps(databaseUrl, settings);
  onTestFinished(async () => {
    await deps.close();
    await drop();
  });
  await runStatement(
    deps.db,
    statement(
      'a-merchant',
      `insert into merchants (wallet, name, brand_key, shop, pricing, version, created_at, updated_at)
       values ($1, 'Shop', 'acme', '{}', '{}', 1, 0, 0)`,
    ),
    [MERCHANT],
  );
  await runStatement(
    deps.db,
    statement(
      'a-key',
      `insert into api_keys (id, merchant, scopes, digest, sealed, unlimited, created_at)
       values ($1, $2, '{}', $3, $4, false, 0)`,
    ),
    [KEY_ID, MERCHANT, sha256(API_KEY), encrypt(SECRET, KEY_ID, API_KEY)],
  );
  let seq = 0;
  return {
    databaseUrl,
    deps,
    /** Enqueues one event; `event` overrides its fields. */
    announce: (event: Partial<StatusUpdated> & { webhookUrl: string }) =>
      deps.db.transaction((uow) => enqueueEvent(uow, paidEvent({ seq: ++seq, ...event }))),
    /** The jobs in the queue. */
    jobs: () => runStatement<{ attempt: number; claims: number; waitsMs: number }>(deps.db, JOBS),
    deliveries: () => rowsOf(listDeliveries(deps.db, MERCHANT)),
    /** Resolves with the deliveries once they match. */
    async until(wanted: (deliveries: DeliveryRecord[]) => boolean): Promise<DeliveryRecord[]> {
      for (;;) {
        const deliveries = await rowsOf(listDeliveries(deps.db, MERCHANT));
        if (wanted(deliveries)) return deliveries;
        await new Promise((resume) => setTimeout(resume, 20));
      }
    },
  };
}

/** A paid event of the scene's merchant. */
export const paidEvent = (event: Partial<StatusUpdated>): StatusUpdated => ({
  merchant: MERCHANT,
  receiptId: 'R-1',
  seq: 1,
  status: 'paid',
  previousStatus: 'checkout_initialized',
  failure: null,
  transactionHash: `0x${'1'.repeat(64)}`,
  buyerWallet: `0x${'cd'.repeat(20)}` as Wallet,
  totalCents: 11_005,
  customerTotalCents: 11_005,
  onrampSourceAmountCents: null,
  onrampSessionId: null,
  token: 'USDC',
  transactionId: 'order-7',
  metadata: { table: 'Größe 4' },
  at: 1_750_000_000_000,
  webhookUrl: 'http://127.0.0.1:1/',
  keyId: KEY_ID,
  ...event,
});

export interface Received {
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  /** Epoch ms. */
  readonly at: number;
}

/** A real endpoint on a free port. `answer` handles requests; default: 204. */
export async function openReceiver(
  answer: (received: Received, response: http.ServerResponse, count: number) => void = (_, response) =>
    void response.writeHead(204).end(),
) {
  const received: Received[] = [];
  const waiting: { count: number; resolve: (received: Received[]) => void }[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const one = {
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
        at: Date.now(),
      };
      received.push(one);
      answer(one, response, received.length);
      for (const wait of waiting) if (received.length >= wait.count) wait.resolve(received);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    /** Resolves once this number of requests has arrived. */
    until: (count: number) =>
      received.length >= count
        ? Promise.resolve(received)
        : new Promise<Received[]>((resolve) => waiting.push({ count, resolve })),
  };
}
