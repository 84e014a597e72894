import { createTestClient, http } from 'viem';
import { expect, inject, onTestFinished, test } from 'vitest';
import { startTestChain } from '../../src/base/chain/test/anvil.ts';
import { openNode } from '../../src/base/chain/test/node.ts';
import { openRelay } from '../support/relay.ts';
import { startTestServer } from '../support/server.ts';
import { makePlan, subscribe, subscriptionBody } from '../support/subscriber.ts';

async function open(fallback: boolean) {
  const chain = await startTestChain();
  onTestFinished(() => chain.stop());
  const relay = await openRelay(chain.rpcUrl);
  const env = { RPC_URL: relay.url, ...(fallback && { RPC_FALLBACK_URL: chain.rpcUrl }) };
  const server = await startTestServer({ env });
  onTestFinished(() => server.stop());
  const control = createTestClient({ mode: 'anvil', transport: http(chain.rpcUrl) });
  const serve = (chainId: number) =>
    control.request({ method: 'anvil_setChainId' as never, params: [chainId] as never });
  const health = async () => {
    const { status, body } = await server.call('GET', '/healthz');
    return { http: status, status: body.status, chain: body.dependencies.chain };
  };
  return { relay, serve, health };
}

const ok = { http: 200, status: 'ok', chain: 'up' };
const degraded = { http: 200, status: 'degraded', chain: 'down' };

test('an RPC endpoint that fails, hangs or serves another chain is reported as degraded until it recovers', async () => {
  const { relay, serve, health } = await open(false);
  await expect.poll(health).toEqual(ok);
  await serve(1);
  await expect.poll(health).toEqual(degraded);
  await serve(31337);
  await expect.poll(health).toEqual(ok);
  relay.hang();
  await expect.poll(health).toEqual(degraded);
  await relay.cut();
  await expect.poll(health).toEqual(degraded);
  await relay.mend();
  await expect.poll(health).toEqual(ok);
});

test('the chain is up with a working fallback and down without one', async () => {
  const { relay, serve, health } = await open(true);
  await expect.poll(health).toEqual(ok);
  await relay.cut();
  await expect.poll(health).toEqual(ok);
  await serve(1);
  await expect.poll(health).toEqual(degraded);
});

test('a server without a chain watcher is degraded: payments are not detected although the RPC answers', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.stop());
  await server.merchant();
  const health = async () => (await server.call('GET', '/healthz')).body;
  await expect.poll(health).toMatchObject({ ok: true, dependencies: { watcher: 'up' } });
  const head = Number(await server.deps.chain.client.getBlockNumber()) - 101;
  await server.deps.db.orm.em
    .fork()
    .execute('insert into chain_cursors (chain_id, head, scanned, confirmed, updated_at) values (31337, ?, ?, ?, 0)', [
      head,
      head,
      head - 2,
    ]);
  const behind = { ok: false, status: 'degraded', dependencies: { chain: 'up', watcher: 'down' } };
  await expect.poll(health).toMatchObject(behind);
});

test('an RPC endpoint with invalid responses counts as unavailable: only requests that need the chain are refused', async () => {
  let nonsense: unknown;
  const rpcUrl = await openNode(inject('rpcUrl'), async () => (nonsense === undefined ? null : { result: nonsense }));
  const server = await startTestServer({ env: { RPC_URL: rpcUrl } });
  onTestFinished(() => server.stop());
  const merchant = await server.merchant();
  const subscription = await subscriptionBody(server, await makePlan(server, merchant));
  const headers = { 'x-cron-secret': server.deps.settings.cronSecret };
  for (nonsense of [null, 'nonsense', '0x', -1, {}, []]) {
    const answers = await Promise.all([
      server.call('GET', '/api/billing/balance', { headers: merchant.auth }),
      subscribe(server, merchant, subscription),
      subscribe(server, merchant, { ...subscription, permissionSignature: `0x${'12'.repeat(80)}` }),
      server.call('POST', '/api/cron/charge-subscriptions', { headers }),
    ]);
    for (const answer of answers) expect(answer).toMatchObject({ status: 503, body: { error: 'chain_unavailable' } });
    expect((await server.call('GET', '/api/receipts', { headers: merchant.auth })).status).toBe(200);
    await expect.poll(async () => (await server.call('GET', '/healthz')).body.status).toBe('degraded');
  }
});
