import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { runStatement, statement } from '../../../../test/support/statement.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { API_KEY, MERCHANT, openReceiver, openScene } from '../test/scene.ts';
import { pingWebhook } from './test-events.ts';

test('a test event is signed like any delivery, is marked as a test, and stores nothing', async () => {
  const scene = await openScene();
  const receiver = await openReceiver((_, response) => void response.writeHead(200).end('pong'));
  const ping = await pingWebhook(scene.deps, MERCHANT, { url: `${receiver.url}/hook` });
  const [request] = await receiver.until(1);
  expect(ping).toMatchObject({ ok: true, statusCode: 200, error: null, answer: 'pong', body: request!.body });
  expect(request!.headers).toMatchObject({ 'x-service-event': 'ping', 'x-service-delivery': ping.deliveryId });
  const verified = new Webhook(API_KEY, { format: 'raw' }).verify(request!.body, request!.headers as never);
  expect(verified).toEqual({
    event: 'ping',
    merchantWallet: MERCHANT,
    brandKey: 'acme',
    timestamp: expect.any(Number),
  });
  expect(await scene.deliveries()).toEqual([]);
});

test('a failing endpoint is reported and not retried', async () => {
  const scene = await openScene();
  const receiver = await openReceiver((_, response) => void response.writeHead(302, { Location: '/x' }).end('moved'));
  expect(await pingWebhook(scene.deps, MERCHANT, { url: receiver.url })).toMatchObject({ ok: false, statusCode: 302 });
  expect(receiver.received).toHaveLength(1);
  const gone = await pingWebhook(scene.deps, MERCHANT, { url: 'http://127.0.0.1:9/' });
  expect(gone).toMatchObject({ ok: false, statusCode: null, error: expect.stringMatching(/./) });
});

test.each([
  'http://shop.example/hook',
  'https://127.0.0.1/hook',
  'https://[::1]/hook',
  'https://2130706433/hook',
  'https://169.254.169.254/latest',
  'https://localhost/hook',
  'https://user:secret@shop.example/hook',
  'file:///etc/passwd',
  'no address',
])('in production %s is refused by name before anything is sent', async (url) => {
  const scene = await openScene({ webhookAllowInsecure: false });
  await expect(pingWebhook(scene.deps, MERCHANT, { url })).rejects.toMatchObject({
    code: 'invalid_input',
    extra: { field: 'url' },
  });
});

test('in production a host that resolves to a private address is not called', async () => {
  const scene = await openScene({ webhookAllowInsecure: false });
  const ping = await pingWebhook(scene.deps, MERCHANT, { url: 'https://rebinding.example.com/' }, async () => [
    { address: '10.0.0.1', family: 4 },
  ]);
  expect(ping).toMatchObject({ ok: false, statusCode: null, error: expect.stringMatching(/^refused/) });
});

test('a test event is signed with a key of the merchant: the given one, else one that is not revoked', async () => {
  const scene = await openScene();
  const receiver = await openReceiver();
  const { url } = receiver;
  const other = `0x${'99'.repeat(20)}` as Wallet;
  await expect(pingWebhook(scene.deps, other, { url, keyId: 'key_1' })).rejects.toMatchObject({ code: 'not_found' });
  await expect(pingWebhook(scene.deps, other, { url })).rejects.toMatchObject({ code: 'invalid_input' });
  expect(await pingWebhook(scene.deps, MERCHANT, { url, keyId: 'key_1' })).toMatchObject({ keyId: 'key_1', ok: true });
  await runStatement(scene.deps.db, statement('test-revoke', 'update api_keys set revoked_at = 1'), []);
  await expect(pingWebhook(scene.deps, MERCHANT, { url })).rejects.toMatchObject({ code: 'invalid_input' });
  // A revoked key still signs webhooks of its receipts, so it can be given explicitly.
  expect(await pingWebhook(scene.deps, MERCHANT, { url, keyId: 'key_1' })).toMatchObject({ ok: true });
  expect(receiver.received).toHaveLength(2);
});
