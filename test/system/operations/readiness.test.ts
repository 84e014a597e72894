import { expect, onTestFinished, test } from 'vitest';
import { startTestChain } from '../../../src/base/chain/test/anvil.ts';
import { rpcCalls, statements } from '../../../src/base/core/observed.ts';
import { stock } from '../../contract/catalog.ts';
import { openRelay } from '../../support/relay.ts';
import { startTestServer } from '../../support/server.ts';

async function open() {
  const chain = await startTestChain();
  onTestFinished(() => chain.stop());
  const rpc = await openRelay(chain.rpcUrl);
  const setup = await startTestServer();
  onTestFinished(() => setup.stop());
  const database = await openRelay(setup.deps.settings.databaseUrl);
  const env = { RPC_URL: rpc.url };
  const server = await startTestServer({ env, databaseUrl: database.url });
  onTestFinished(() => server.stop());
  const ready = async (path = '/readyz') => {
    const { status, body } = await server.call('GET', path);
    return { status, ready: body.ready, orders: body.parts.orders.reason, payments: body.parts.payments.reason };
  };
  return { rpc, database, setup, server, ready };
}

test('a server is ready if orders can be booked and payments are seen, and says why each is so or not', async () => {
  const { rpc, database, setup, ready } = await open();
  const up = {
    status: 200,
    ready: true,
    orders: 'the database takes orders',
    payments: 'there is no split to watch yet',
  };
  await expect.poll(() => ready()).toEqual(up);

  await rpc.cut();
  const unseen = { payments: 'no RPC endpoint of the chain answers: payments wait until one does' };
  await expect.poll(() => ready()).toEqual({ ...up, status: 503, ready: false, ...unseen });
  expect(await ready('/readyz?for=orders')).toEqual({ ...up, ...unseen });
  expect((await ready('/readyz?for=payments')).status).toBe(503);
  await rpc.mend();
  await expect.poll(() => ready()).toEqual(up);

  const name = new URL(setup.deps.settings.databaseUrl).pathname.slice(1);
  await setup.deps.db.orm.em.fork().execute(`alter database "${name}" set default_transaction_read_only = on`);
  await database.cut();
  await expect
    .poll(() => ready('/readyz?for=orders'))
    .toMatchObject({ status: 503, orders: 'the database does not answer: orders wait in the journal' });
  await database.mend();
  await expect
    .poll(() => ready('/readyz?for=orders'))
    .toMatchObject({ status: 503, orders: 'the database is read-only: orders wait in the journal' });
  // Every statement of the connections that are open now is read-only.
  await setup.deps.db.orm.em.fork().execute(`alter database "${name}" reset default_transaction_read_only`);
  await database.cut();
  await database.mend();
  await expect.poll(() => ready()).toEqual(up);
  // Without METRICS_PORT nothing is counted.
  expect(statements.hasSubscribers || rpcCalls.hasSubscribers).toBe(false);
});

test('with a read-only database, as a standby before its election, orders wait in the journal and other writes are refused', async () => {
  const { database, setup, server } = await open();
  const merchant = await setup.merchant();
  await stock(setup, merchant, [{ sku: 'CUP', priceUsd: 1 }]);
  const order = async () => {
    const body = { items: [{ sku: 'CUP', qty: 1 }] };
    const answer = await server.call('POST', '/api/orders', { headers: merchant.auth, body });
    expect(answer.status).toBe(200);
    return answer.body.degraded === true;
  };
  expect(await order()).toBe(false);
  const name = new URL(setup.deps.settings.databaseUrl).pathname.slice(1);
  const execute = (text: string) => setup.deps.db.orm.em.fork().execute(text);
  await execute(`alter database "${name}" set default_transaction_read_only = on`);
  await database.cut();
  await database.mend();
  const item = { sku: 'MUG', name: 'Mug', priceUsd: 1 };
  const write = () => server.call('POST', '/api/inventory', { headers: merchant.auth, body: item });
  await expect.poll(async () => [(await write()).body.error, await order()]).toEqual(['datastore_unavailable', true]);
  const reason = 'the database is read-only: orders wait in the journal';
  await expect.poll(async () => (await server.call('GET', '/readyz')).body.parts.orders.reason).toBe(reason);
  expect([(await write()).status, await order()]).toEqual([503, true]);
  await execute(`alter database "${name}" reset default_transaction_read_only`);
  await database.cut();
  await database.mend();
  await expect.poll(order).toBe(false);
});
