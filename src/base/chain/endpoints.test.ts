import { createServer, type Socket } from 'node:net';
import { createPublicClient, createTestClient, http, parseAbi } from 'viem';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { busyMs } from '../../../test/support/busy.ts';
import { openRelay, type Relay } from '../../../test/support/relay.ts';
import { LOCAL_CHAIN_ID } from '../core/local-chains.ts';
import { assertChainId, createChain, reach } from './client.ts';
import { type EndpointNews, openEndpoints } from './endpoints.ts';
import { startTestChain, type TestChain } from './test/anvil.ts';

let one: TestChain;
let other: TestChain;
beforeAll(async () => {
  [one, other] = await Promise.all([startTestChain(), startTestChain()]);
});
afterAll(() => Promise.all([one.stop(), other.stop()]));

/** A client of several endpoints, with their events. */
function open(urls: readonly string[], compareEveryMs = 60_000) {
  const news: EndpointNews[] = [];
  const openOne = (url: string) => http(url, { batch: true, timeout: 2_500 });
  const { transports, switches } = openEndpoints({
    chainId: LOCAL_CHAIN_ID,
    urls,
    open: { quick: openOne, patient: openOne, strangers: openOne },
    notify: (one) => news.push(one),
    compareEveryMs,
  });
  return { client: createPublicClient({ transport: transports.quick, cacheTime: 0 }), news, switches };
}

/** Accepts connections and never answers. */
async function blackHole(): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

async function hang(relay: Relay) {
  relay.hang();
  relay.leadTo(await blackHole());
}

async function lie(chain: TestChain, chainId: number) {
  const control = createTestClient({ mode: 'anvil', transport: http(chain.rpcUrl) });
  const set = (id: number) => control.request({ method: 'anvil_setChainId' as never, params: [id] as never });
  await set(chainId);
  onTestFinished(async () => {
    await set(LOCAL_CHAIN_ID);
  });
  return { repent: () => set(LOCAL_CHAIN_ID) };
}

test('if the first endpoint is cut off, the next one answers at once, and the first takes over again when it is back', async () => {
  const relay = await openRelay(one.rpcUrl);
  const { client, news, switches } = open([relay.url, one.rpcUrl], 50);
  await client.getBlockNumber();
  await relay.cut();
  const startedAt = performance.now();
  for (let i = 0; i < 5; i++) await client.getBlockNumber();
  expect(performance.now() - startedAt).toBeLessThan(busyMs(2_000));
  expect(switches()).toBe(1);
  expect(news).toEqual([
    { host: new URL(relay.url).host, event: 'unusable', reason: expect.stringContaining('HTTP request failed') },
    { host: new URL(one.rpcUrl).host, event: 'in_use' },
  ]);
  await relay.mend();
  await vi.waitFor(async () => {
    await client.getBlockNumber();
    expect(news.at(-1)).toEqual({ host: new URL(relay.url).host, event: 'in_use' });
  });
});

test('an endpoint that hangs delays the first call by less than 1.5 seconds, and no later call', async () => {
  const relay = await openRelay(one.rpcUrl);
  const { client } = open([relay.url, one.rpcUrl]);
  await client.getBlockNumber();
  await hang(relay);
  const times: number[] = [];
  for (let i = 0; i < 2; i++) {
    const startedAt = performance.now();
    await client.getBlockNumber();
    times.push(performance.now() - startedAt);
  }
  expect(times[0]).toBeLessThan(busyMs(1_500));
  expect(times[1]).toBeLessThan(busyMs(500));
});

test('if all endpoints hang, a call is refused within six seconds', { timeout: 60_000 }, async () => {
  const chain = createChain({
    ...one.chain,
    rpcUrl: await blackHole(),
    rpcFallbackUrls: [await blackHole(), await blackHole()],
  });
  const startedAt = performance.now();
  await expect(reach(chain.client.getBlockNumber())).rejects.toMatchObject({ code: 'chain_unavailable' });
  expect(performance.now() - startedAt).toBeLessThan(busyMs(6_000));
});

test('no answer of an endpoint of another chain is accepted, whenever it began to serve that chain', async () => {
  await other.control.mine({ blocks: 100 });
  const { client, news } = open([other.rpcUrl, one.rpcUrl]);
  const height = await other.chain.client.getBlockNumber();
  expect(await client.getBlockNumber()).toBe(height);
  const { repent } = await lie(other, 1);
  expect(await client.getBlockNumber()).toBeLessThan(height);
  expect(await client.getChainId()).toBe(LOCAL_CHAIN_ID);
  expect(news[0]).toMatchObject({ event: 'unusable', reason: 'The RPC serves chain 1, not chain 31337' });
  await repent();
});

test('if all endpoints serve another chain, every call is refused', async () => {
  await lie(one, 5);
  await lie(other, 6);
  const chain = createChain({ ...one.chain, rpcUrl: one.rpcUrl, rpcFallbackUrls: [other.rpcUrl] });
  await expect(assertChainId(chain)).rejects.toMatchObject({
    code: 'chain_unavailable',
    cause: expect.objectContaining({ message: 'The RPC serves chain 5, not chain 31337' }),
  });
  await expect(reach(chain.client.getBlockNumber())).rejects.toMatchObject({ code: 'chain_unavailable' });
});

test('an endpoint that lags far behind the others is used only if there is no other', async () => {
  const ahead = await startTestChain();
  onTestFinished(() => ahead.stop());
  await ahead.control.mine({ blocks: 500 });
  const relay = await openRelay(ahead.rpcUrl);
  const { client, switches } = open([one.rpcUrl, relay.url], 50);
  await vi.waitFor(async () => expect(await client.getBlockNumber()).toBeGreaterThan(400n));
  expect(switches()).toBe(1);
  await relay.cut();
  expect(await client.getBlockNumber()).toBe(await one.chain.client.getBlockNumber());
});

test('an answer of the chain is not a fault of an endpoint: a revert, an unknown transaction', async () => {
  const { client, news, switches } = open([one.rpcUrl, one.rpcUrl]);
  const token = one.chain.tokens.find(({ symbol }) => symbol === 'USDC')!.address! as string as `0x${string}`;
  const abi = parseAbi(['function transfer(address to, uint256 value) returns (bool)']);
  const transfer = { abi, address: token, functionName: 'transfer', args: [token, 1n] } as const;
  await expect(client.simulateContract({ ...transfer, account: token })).rejects.toThrow(/revert/i);
  await expect(client.getTransaction({ hash: `0x${'1'.repeat(64)}` })).rejects.toThrow(/could not be found/);
  expect([news, switches()]).toEqual([[], 0]);
});

test("an endpoint's event contains its host and never its path, which may contain a key", async () => {
  const { client, news } = open(['http://127.0.0.1:1/v2/the-key', one.rpcUrl]);
  await client.getBlockNumber();
  expect(news).toHaveLength(2);
  expect(JSON.stringify(news)).not.toContain('the-key');
});
