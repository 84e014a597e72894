import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { busyMs } from '../../test/support/busy.ts';
import { toAddress } from '../chain/address.ts';
import { createChain } from '../chain/client.ts';
import type { Wallet } from '../core/wallet.ts';
import { runAsLeader } from '../platform/leadership.ts';
import { settlementLoop } from '../settlement/settle.ts';
import { quotePayment } from './quote-payment.ts';
import { scan } from './scan.ts';
import { submitTransaction } from './submit.ts';
import { openWorld, type World } from './test/world.ts';
import { watchSplits } from './watched.ts';
import { startPaymentWorker } from './worker.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

function startWorker(deps: Parameters<typeof startPaymentWorker>[0] = world.deps) {
  const worker = startPaymentWorker(deps, settlementLoop(deps));
  let stopped: Promise<void> | null = null;
  const stop = () => {
    stopped ??= worker.stop();
    return stopped;
  };
  onTestFinished(stop);
  return { stop };
}

async function quoted(totalCents = 1_000, token = 'USDC') {
  const { wallet: merchant, split } = await world.merchant();
  const receiptId = await world.receipt(merchant, totalCents);
  return { merchant, receiptId, split, quote: await quotePayment(world.deps, { merchant, receiptId, token }) };
}

const becomes = (merchant: Wallet, receiptId: string, status: string, timeout = 20_000) =>
  vi.waitFor(async () => expect(await world.status(merchant, receiptId)).toBe(status), { timeout, interval: 50 });

async function everySecond() {
  await world.control.setIntervalMining({ interval: 1 });
  onTestFinished(async () => {
    await world.control.setIntervalMining({ interval: 0 });
    await world.control.setAutomine(true);
  });
}

test('with a block a second a payment is completed within seconds, shares and all', async () => {
  await everySecond();
  startWorker();
  const { merchant, receiptId, quote } = await quoted();
  const paidAt = performance.now();
  await world.pay(quote);
  await becomes(merchant, receiptId, 'completed');
  expect(performance.now() - paidAt).toBeLessThan(busyMs(12_000));
});

test('a payment made while no watcher ran is found by the next start', async () => {
  const first = startWorker();
  const before = await quoted();
  await world.pay(before.quote);
  await becomes(before.merchant, before.receiptId, 'tx_mined');
  await first.stop();

  const { merchant, receiptId, quote } = await quoted();
  await world.pay(quote);
  await world.mine(30);
  expect(await world.status(merchant, receiptId)).toBe('pending');
  startWorker();
  await becomes(merchant, receiptId, 'paid');
  await becomes(before.merchant, before.receiptId, 'paid');
});

test('of two processes one watches, and the other takes over when it loses its connection', async () => {
  const turns: string[] = [];
  const start = (name: string) =>
    runAsLeader({
      databaseUrl: world.deps.settings.databaseUrl,
      name: 'a test',
      log: world.deps.log,
      async task(signal) {
        turns.push(name);
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        turns.push(`${name} ends`);
      },
    });
  const one = start('one');
  await vi.waitFor(() => expect(turns).toEqual(['one']));
  const two = start('two');
  onTestFinished(() => Promise.all([one.stop(), two.stop()]).then(() => undefined));
  const connections = async () =>
    world.deps.orm.em.fork().execute<{ pid: number; holds: boolean }[]>(
      `select a.pid, exists (select 1 from pg_locks l where l.pid = a.pid and l.locktype = 'advisory' and l.granted) as holds
         from pg_stat_activity a where a.datname = current_database() and a.application_name = 'quittance a test'`,
    );
  await vi.waitFor(async () => expect((await connections()).length).toBe(2), { timeout: 30_000 });
  expect(turns).toEqual(['one']);
  const holder = (await connections()).find(({ holds }) => holds)!;
  await world.deps.orm.em.fork().execute(`select pg_terminate_backend(?)`, [holder.pid]);
  await vi.waitFor(() => expect(turns).toHaveLength(3), { timeout: 30_000 });
  expect(turns).toEqual(['one', 'one ends', expect.stringMatching(/^(one|two)$/)]);
});

test('two complete workers pay each receipt once', async () => {
  startWorker();
  startWorker();
  const { merchant, receiptId, quote } = await quoted();
  await world.pay(quote);
  await world.mine(2);
  await becomes(merchant, receiptId, 'paid');
  const paid = (await world.history(merchant, receiptId)).filter(({ what }) => what === 'status:paid');
  expect(paid).toHaveLength(1);
});

/**
 * A proxy for the chain's RPC that handles each request as the test chooses: `pass`, `hang`, or a response of its own.
 */
async function proxy(behave: (body: string) => string | Promise<string>): Promise<string> {
  const server: Server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const way = await behave(body);
    if (way === 'hang') return;
    const answer =
      way === 'pass'
        ? await (
            await fetch(world.rpcUrl, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
          ).text()
        : way;
    response.setHeader('content-type', 'application/json').end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function through(rpcUrl: string) {
  const chain = createChain({ chainId: 31337, rpcUrl, tokens: world.chain.tokens, confirmations: 2 });
  const base = { ...world.deps, chain };
  return { ...base, watched: watchSplits(base) };
}

test('an RPC that hangs leaves the receipt pending, and the payment is found once it responds again', async () => {
  let hanging = true;
  const deps = through(await proxy(() => (hanging ? 'hang' : 'pass')));
  const { merchant, receiptId, quote } = await quoted();
  startWorker(deps);
  const transactionHash = await world.pay(quote);
  const startedAt = performance.now();
  expect(await submitTransaction(deps, { merchant, receiptId, transactionHash })).toEqual({
    receiptId,
    status: 'pending',
  });
  expect(performance.now() - startedAt).toBeLessThan(busyMs(1_000));
  await world.mine(2);
  const { status } = await deps.chain.client.getBlockNumber().then(
    () => ({ status: 'answered' }),
    () => world.read(merchant, receiptId),
  );
  expect(status).toBe('pending');
  hanging = false;
  await becomes(merchant, receiptId, 'paid');
});

test('a slow RPC only delays the payment', async () => {
  const deps = through(await proxy(() => setTimeout(300, 'pass')));
  const { merchant, receiptId, quote } = await quoted();
  startWorker(deps);
  await world.pay(quote);
  await world.mine(2);
  await becomes(merchant, receiptId, 'paid');
  expect((await world.history(merchant, receiptId)).map(({ what }) => what)).toEqual([
    'status:pending',
    'status:tx_mined',
    'status:paid',
  ]);
});

test('an RPC of another chain moves no receipt', async () => {
  let lying = true;
  const lie = (body: string) => {
    if (!lying || !body.includes('eth_chainId')) return 'pass';
    const asked = JSON.parse(body) as { id: number; method: string }[] | { id: number; method: string };
    const answers = [asked].flat().map(({ id }) => ({ jsonrpc: '2.0', id, result: '0x1' }));
    return JSON.stringify(Array.isArray(asked) ? answers : answers[0]);
  };
  const deps = through(await proxy(lie));
  const { merchant, receiptId, quote } = await quoted();
  await world.pay(quote);
  await expect(scan(deps)).rejects.toMatchObject({ code: 'chain_unavailable' });
  expect(await world.status(merchant, receiptId)).toBe('pending');
  lying = false;
  await scan(deps);
  expect(await world.status(merchant, receiptId)).toBe('tx_mined');
});

test('a hint wakes the watcher at once', async () => {
  const { merchant, receiptId, quote } = await quoted();
  const slow = through(world.rpcUrl);
  Object.assign(slow.chain.client, { pollingInterval: 60_000 });
  startWorker(slow);
  await vi.waitFor(async () => {
    const [row] = await world.deps.orm.em
      .fork()
      .execute<{ head: number }[]>('select head from chain_cursors where chain_id = 31337');
    expect(row?.head).toBe(Number(await world.chain.client.getBlockNumber()));
  });
  const transactionHash = await world.pay(quote);
  await submitTransaction(world.deps, { merchant, receiptId, transactionHash });
  await becomes(merchant, receiptId, 'tx_mined', 3_000);
});

test('among many splits the right one is matched', async () => {
  const merchants = [];
  for (let i = 0; i < 250; i++) merchants.push(await world.merchant());
  const { wallet: merchant } = merchants[137]!;
  const receiptId = await world.receipt(merchant, 4_242);
  const quote = await quotePayment(world.deps, { merchant, receiptId, token: 'USDC' });
  await world.pay(quote);
  await world.look();
  expect(await world.status(merchant, receiptId)).toBe('tx_mined');
  expect(toAddress(quote.payTo)).toBe(toAddress(merchants[137]!.split));
});
