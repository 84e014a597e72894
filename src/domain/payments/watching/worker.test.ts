import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { busyMs } from '../../../../test/support/busy.ts';
import { createChain } from '../../../base/chain/client.ts';
import { settlementLoop } from '../../settlement/shares/settle.ts';
import { submitTransaction } from '../matching/submit.ts';
import { quotePayment } from '../paying/quote-payment.ts';
import { openWorld, type World } from '../test/world.ts';
import { watchAddresses } from '../transfers/watched.ts';
import { scan } from './scan.ts';
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
  await world.reached(merchant, receiptId, 'completed');
  expect(performance.now() - paidAt).toBeLessThan(busyMs(12_000));
});

test('a payment made while no watcher ran is found by the next start', async () => {
  const first = startWorker();
  const before = await quoted();
  await world.pay(before.quote);
  await world.reached(before.merchant, before.receiptId, 'tx_mined');
  await first.stop();

  const { merchant, receiptId, quote } = await quoted();
  await world.pay(quote);
  await world.mine(30);
  expect(await world.status(merchant, receiptId)).toBe('pending');
  startWorker();
  await world.reached(merchant, receiptId, 'paid');
  await world.reached(before.merchant, before.receiptId, 'paid');
});

test('two complete workers pay each receipt once', async () => {
  startWorker();
  startWorker();
  const { merchant, receiptId, quote } = await quoted();
  await world.pay(quote);
  await world.mine(2);
  await world.reached(merchant, receiptId, 'paid');
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
  return { ...base, watched: watchAddresses(base) };
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
  await world.reached(merchant, receiptId, 'paid');
});

test('a slow RPC only delays the payment', async () => {
  const deps = through(await proxy(() => setTimeout(300, 'pass')));
  const { merchant, receiptId, quote } = await quoted();
  startWorker(deps);
  await world.pay(quote);
  await world.mine(2);
  await world.reached(merchant, receiptId, 'paid');
  const statuses = (await world.history(merchant, receiptId)).map(({ what }) => what);
  expect(statuses.slice(0, 3)).toEqual(['status:pending', 'status:tx_mined', 'status:paid']);
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
    const [row] = await world.deps.db.orm.em
      .fork()
      .execute<{ head: number }[]>('select head from chain_cursors where chain_id = 31337');
    expect(row?.head).toBe(Number(await world.chain.client.getBlockNumber()));
  });
  const transactionHash = await world.pay(quote);
  await submitTransaction(world.deps, { merchant, receiptId, transactionHash });
  await world.reached(merchant, receiptId, 'tx_mined');
});

test('among many splits the right one is matched', async () => {
  const merchants = [];
  for (let i = 0; i < 250; i++) merchants.push(await world.merchant());
  const { wallet: merchant } = merchants[137]!;
  const receiptId = await world.receipt(merchant, 4_242);
  const quote = { token: 'USDC', payTo: await world.address(merchant, receiptId), amount: '42420000' };
  await world.pay(quote);
  await world.look();
  expect(await world.status(merchant, receiptId)).toBe('tx_mined');
});
