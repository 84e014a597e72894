import { expect, test } from 'vitest';
import { chainUrl } from '../../../src/base/platform/embedded/anvil.ts';
import { readRecord } from '../../../src/base/platform/embedded/record.ts';
import { payOnChain, placeOrder, readRequest, readStatus } from '../../support/checkout.ts';
import { testDatabase } from '../../support/database.ts';
import { makeDataDir, startQuittance, until } from '../../support/program.ts';
import { openReceiver } from '../../support/receiver.ts';

test('a server killed during delivery sends the same webhook again after its restart, and finds payments made meanwhile', async () => {
  const env = { DATA_DIR: makeDataDir(), DATABASE_URL: await testDatabase() };
  let deaf = true;
  const receiver = await openReceiver(({ event }) => !(deaf && event.status === 'paid'));
  const before = await startQuittance(env);
  const [first, second] = [
    await placeOrder(before, { webhookUrl: receiver.url }),
    await placeOrder(before, { webhookUrl: receiver.url }),
  ];
  const later = await readRequest(before, second.receiptId);
  const rpcUrl = chainUrl(readRecord(env.DATA_DIR).chain!.port);
  await payOnChain(rpcUrl, await readRequest(before, first.receiptId));
  const [unanswered] = await receiver.about(first.receiptId, 'paid');
  await before.end('SIGKILL');

  // The chain goes on without the server, and so do buyers.
  await payOnChain(rpcUrl, later);
  deaf = false;
  const after = await startQuittance(before.env);
  expect([after.url, after.key]).toEqual([before.url, before.key]);
  const deliveries = await receiver.about(first.receiptId, 'paid', 2);
  for (const delivery of deliveries) {
    expect(delivery.body).toBe(unanswered!.body);
    expect(delivery.headers['x-service-delivery']).toBe(unanswered!.headers['x-service-delivery']);
    expect(delivery.headers['webhook-id']).toBe(unanswered!.headers['webhook-id']);
  }
  for (const { receiptId } of [first, second]) {
    await until(async () => (await readStatus(after, receiptId)) === 'completed');
    await receiver.about(receiptId, 'reconciled');
  }
  const ids = receiver.received.map(({ headers, body }) => `${headers['webhook-id']} ${body}`);
  expect(new Set(ids).size).toBe(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size);
  expect(await after.end()).toMatchObject({ code: 0 });
}, 240_000);

test('a server killed between payment and webhook sends the webhook after its restart', async () => {
  const env = { DATA_DIR: makeDataDir(), DATABASE_URL: await testDatabase(), CONFIRMATIONS: '8' };
  const before = await startQuittance(env);
  const receiver = await openReceiver();
  const { receiptId } = await placeOrder(before, { webhookUrl: receiver.url });
  const rpcUrl = chainUrl(readRecord(env.DATA_DIR).chain!.port);
  await payOnChain(rpcUrl, await readRequest(before, receiptId));
  // The chain adds a block a second, so on a busy machine the receipt may be paid already.
  await until(async () => !['generated', 'pending'].includes(await readStatus(before, receiptId)));
  await before.end('SIGKILL');

  const after = await startQuittance(before.env);
  await receiver.about(receiptId, 'paid');
  await receiver.about(receiptId, 'reconciled');
  const paid = receiver.received.filter(({ event }) => event.status === 'paid');
  expect(new Set(paid.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(await after.end()).toMatchObject({ code: 0 });
}, 240_000);
