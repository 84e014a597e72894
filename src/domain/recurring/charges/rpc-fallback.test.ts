import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createChain } from '../../../base/chain/client.ts';
import { startTestChain } from '../../../base/chain/test/anvil.ts';
import { follow } from './record-outcomes.ts';
import { chargeSubscription } from './run-charges.ts';
import { type ChargingWorld, openChargingWorld } from './test/charging.ts';

let it: ChargingWorld;
beforeAll(async () => {
  it = await openChargingWorld();
});
afterAll(() => it?.stop());

/** A proxy of the chain's node that closes the connection on `eth_getTransactionReceipt`. */
async function startForgetfulNode(): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (body.includes('eth_getTransactionReceipt')) return request.socket.destroy();
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(it.world.rpcUrl, { method: 'POST', body, headers });
    response.setHeader('content-type', 'application/json').end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a charge is not voided, and so not repeated, if one node reports its nonce as used and a lagging fallback lacks its transaction', async () => {
  const merchant = await it.merchant();
  const customer = await it.subscribe({ merchant });
  const height = await it.world.chain.client.getBlockNumber();
  const lagging = await startTestChain(['--fork-url', it.world.rpcUrl, '--fork-block-number', String(height)]);
  onTestFinished(() => lagging.stop());
  expect(await chargeSubscription(it.deps, customer.id)).toMatchObject({ success: true });
  await it.world.mine(30);

  const states = () => it.rows(`select s.state, s.outcome from spender_transactions s order by s.nonce desc limit 1`);
  const before = await states();
  expect(before).toEqual([{ state: 'mined', outcome: 'success' }]);
  const chain = createChain({
    ...it.world.chain,
    rpcUrl: await startForgetfulNode(),
    rpcFallbackUrls: [lagging.rpcUrl],
  });
  await follow({ ...it.deps, chain }, it.key);
  expect(chain.switches()).toBe(1);
  expect(await states()).toEqual(before);

  await follow(it.deps, it.key);
  expect(await states()).toEqual([{ state: 'final', outcome: 'success' }]);
  expect(await it.read(customer.id)).toMatchObject({ chargeCount: 1 });
});
