import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { busyMs } from '../../../test/support/busy.ts';
import { assertChainId, type Chain, createChain, reach } from './client.ts';
import { startTestChain, type TestChain } from './test/anvil.ts';

let local: TestChain;

beforeAll(async () => {
  local = await startTestChain();
});

afterAll(() => local.stop());

async function chainServedBy(listener: RequestListener): Promise<Chain> {
  const server: Server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return createChain({
    chainId: 31337,
    rpcUrl: `http://127.0.0.1:${port}/key-in-the-path`,
    tokens: [],
    confirmations: 0,
  });
}

test('the configured chain is accepted', async () => {
  await expect(assertChainId(local.chain)).resolves.toBeUndefined();
});

test('an RPC endpoint that serves another chain is refused', async () => {
  const wrong = createChain({ ...local.chain, chainId: 8453, rpcUrl: local.rpcUrl });
  await expect(assertChainId(wrong)).rejects.toMatchObject({
    code: 'chain_unavailable',
    message: 'The RPC serves chain 31337, not chain 8453',
  });
});

test('an unreachable RPC endpoint is refused', async () => {
  const gone = createChain({ ...local.chain, rpcUrl: 'http://127.0.0.1:1' });
  await expect(reach(gone.client.getBlockNumber())).rejects.toMatchObject({ code: 'chain_unavailable', status: 503 });
});

test.concurrent.each<[string, RequestListener]>([
  ['never answers', () => {}],
  ['answers the headers and then nothing', (_, response) => response.writeHead(200).flushHeaders()],
  ['asks to come back in an hour', (_, response) => response.writeHead(429, { 'retry-after': '3600' }).end()],
  ['answers with a web page', (_, response) => response.end('<html>')],
  ['answers an empty list', (_, response) => response.end('[]')],
])('an RPC that %s is refused within six seconds', { timeout: 60_000 }, async (_, listener) => {
  const chain = await chainServedBy(listener);
  const startedAt = performance.now();
  await expect(reach(chain.client.getBlockNumber())).rejects.toMatchObject({ code: 'chain_unavailable' });
  expect(performance.now() - startedAt).toBeLessThan(busyMs(6_000));
});

test('a refusal does not contain the RPC URL', async () => {
  const chain = await chainServedBy((_, response) => response.writeHead(500).end());
  const refusal = await reach(chain.client.getBlockNumber()).catch((error: Error) => error);
  expect(`${refusal} ${(refusal as Error).cause}`).not.toContain('key-in-the-path');
});
