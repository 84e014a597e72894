import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RawData, WebSocket } from 'ws';
import { CLOSES } from '../../src/doors/http/server/live-connections.ts';
import { append, history } from '../live/events.ts';
import { type Reader, startReader } from '../live/reader.ts';
import { makeReceipt } from '../support/receipt.ts';
import { type Served, serveBeside } from '../support/served.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { startNginx } from '../support/services/nginx.ts';

/** Writes what the others' subscribers hear; it shares their database and Redis. */
let writer: TestServer;
beforeAll(async () => {
  writer = await startTestServer({ redis: true });
});
afterAll(() => writer.stop());

const serve = () => serveBeside(writer);

test('two servers behind nginx: any socket hears any event, and a killed server takes none from clients that come back with their cursor', async () => {
  const merchant = await writer.merchant();
  for (const id of ['a', 'b']) await makeReceipt(writer, merchant, id);
  const servers = [await serve(), await serve()];
  const nginx = await startNginx(
    ({ port }) => `
      upstream quittance {
        ${servers.map((server) => `server 127.0.0.1:${server.port} max_fails=1 fail_timeout=1s;`).join('\n')}
      }
      server {
        listen 127.0.0.1:${port};
        location / {
          proxy_pass http://quittance;
          proxy_http_version 1.1;
          proxy_set_header Upgrade $http_upgrade;
          proxy_set_header Connection "upgrade";
          proxy_set_header Host $host;
          proxy_read_timeout 1h;
        }
      }`,
  );
  const url = () => `ws://127.0.0.1:${nginx.port}/api/graphql`;
  const readers: Reader[] = Array.from({ length: 10 }, () => startReader({ url, params: merchant.auth, after: '0.0' }));
  const everybodyHasAll = async () => {
    const all = await history(writer.deps.db, merchant.wallet);
    for (const reader of readers) await expect.poll(() => reader.heard).toEqual(all);
  };
  for (const reader of readers) await expect.poll(() => reader.heard.length).toBe(2);

  // An order made over HTTP, wherever nginx sends it, is heard on both servers.
  for (const id of ['c', 'd']) {
    const answer = await fetch(`http://127.0.0.1:${nginx.port}/api/receipts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...merchant.auth },
      body: JSON.stringify({ id, lineItems: [{ label: 'x', priceUsd: 5 }] }),
    });
    expect(answer.status).toBe(201);
  }
  await everybodyHasAll();
  expect(readers.map(({ connections }) => connections)).toEqual(readers.map(() => 1));

  let writing = true;
  const written = (async () => {
    for (let i = 0; writing; i++)
      await append(writer.deps.db, writer.deps.bus, merchant.wallet, 'abcd'[i % 4] as string);
  })();
  const [first] = servers as [Served, Served];
  const half = readers[0]!.heard.length + 200;
  await expect.poll(() => readers[0]!.heard.length).toBeGreaterThan(half);
  first.program.child.kill('SIGKILL');
  await expect.poll(() => readers.filter(({ connections }) => connections > 1).length).toBeGreaterThan(0);
  await expect.poll(() => readers[0]!.heard.length).toBeGreaterThan(half + 400);
  writing = false;
  await written;
  await everybodyHasAll();
  expect(readers.some(({ connections }) => connections === 1)).toBe(true);
  for (const reader of readers) reader.stop();
}, 240_000);

const memoryMiB = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** The process that serves: the launcher's own, or the one it started. */
function serverOf({ program: { child } }: Served): number {
  const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ').map(Number);
  const serving = children.find((pid) => pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('quittance'));
  return serving ?? (child.pid as number);
}

test('a paused socket under 100,000 events: the server lives, needs 50 MB more at most, closes that socket alone, and logs nothing odd', async () => {
  const merchant = await writer.merchant();
  await makeReceipt(writer, merchant, 'p');
  const server = await serve();
  const url = `ws://127.0.0.1:${server.port}/api/graphql`;
  const healthy = startReader({ url: () => url, params: merchant.auth, after: '0.0' });
  const pid = serverOf(server);

  let written = 1;
  async function write(events: number): Promise<void> {
    await append(writer.deps.db, writer.deps.bus, merchant.wallet, 'p', events);
    written += events;
  }

  /**
   * A subscriber whose reading the test holds back. It has caught up: one that still catches up is given 30 seconds,
   * and keeps its connection if it reads on by then.
   */
  async function subscribe(): Promise<{ slow: WebSocket; closed: Promise<number> }> {
    const slow = new WebSocket(url, 'graphql-transport-ws');
    const closed = once(slow, 'close').then(([code]) => code as number);
    slow.on('error', () => {});
    await once(slow, 'open');
    slow.send(JSON.stringify({ type: 'connection_init', payload: merchant.auth }));
    await once(slow, 'message');
    let last: RawData | null = null;
    slow.on('message', (data) => {
      last = data;
    });
    const lastSeq = () => (last ? JSON.parse(String(last)).payload.data?.receiptStatuses.seq : 0);
    const query = 'subscription { receiptStatuses { receiptId seq kind status previousStatus tracking at cursor } }';
    slow.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }));
    // Its stream begins with an event from now on. Once it has read everything, it takes the next one from the live
    // feed.
    const begins = async () => {
      await write(1);
      return lastSeq();
    };
    await expect.poll(begins).toBeGreaterThan(0);
    await expect.poll(lastSeq).toBe(written);
    await write(1);
    await expect.poll(lastSeq).toBe(written);
    return { slow, closed };
  }

  /** The peak memory of the server during the given number of events. */
  async function under(events: number): Promise<number> {
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, memoryMiB(pid));
    }, 50);
    for (let i = 0; i < events; i += 1_000) await write(1_000);
    // As the database does by itself within a minute; until then it takes the history for short.
    await writer.deps.db.orm.em.getConnection().execute('analyze receipt_history');
    await expect.poll(() => healthy.heard.length, { timeout: 180_000, interval: 100 }).toBe(written);
    clearInterval(watch);
    return most;
  }
  // First with both reading, so that compiled code and heap growth do not count as a queue. A heap may grow for a
  // while; a queue without bound would grow each time.
  const { slow: quick } = await subscribe();
  let most = await under(100_000);
  quick.terminate();
  for (let attempt = 1; ; attempt++) {
    // A new socket each time: the kernel keeps up to 32 MB for one that has read quickly, and would hide the pause.
    const reading = await subscribe();
    reading.slow.pause();
    const now = await under(100_000);
    // Its goodbye may have been cut short: it had ten seconds to read it.
    reading.slow.resume();
    expect([CLOSES.slow.code, 1006]).toContain(await reading.closed);
    if (now - most < 50) break;
    expect(attempt, `${Math.round(now - most)} MiB more`).toBeLessThan(4);
    most = now;
  }
  expect(healthy.connections).toBe(1);
  expect(new Set(healthy.heard).size).toBe(written);

  const big = new WebSocket(url, 'graphql-transport-ws');
  big.on('error', () => {});
  await once(big, 'open');
  big.send('x'.repeat(1_000_000));
  expect((await once(big, 'close'))[0]).toBe(CLOSES.tooLarge.code);
  expect(server.program.child.exitCode).toBeNull();
  healthy.stop();
  // Whatever it says is a line of JSON.
  for (const line of `${server.program.stderr()}${server.program.stdout()}`.split('\n').filter(Boolean))
    expect(JSON.parse(line)).toBeTypeOf('object');
}, 600_000);
