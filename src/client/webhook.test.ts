import { createSecretKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { deliveryHeaders, endpointHeaders, secretOf } from '../domain/webhooks/delivery/sign.ts';
import { newSecret } from '../domain/webhooks/endpoints/secrets.ts';
import { verifyWebhook } from './webhook.ts';

const KEY = `qk_${'k'.repeat(43)}`;
const update = { event: 'receipt.status_updated', receiptId: 'R-1', status: 'paid', timestamp: 1_790_000_000_000 };
const paid = { id: 'evt_1', type: 'receipt.paid', createdAt: 1_790_000_000_000, data: { receiptId: 'R-1' } };

/** The webhook of a receipt, as the server signs it. */
function ofReceipt({ body = JSON.stringify(update), key = KEY, at = Date.now() } = {}) {
  const delivery = { id: 'delivery-1', event: 'receipt.status_updated', body: Buffer.from(body) };
  return { headers: deliveryHeaders(secretOf(key), delivery, at), body };
}

/** An event for an endpoint, as the server signs it. */
function ofEndpoint(secrets: readonly string[], { body = JSON.stringify(paid), at = Date.now() } = {}) {
  const keys = secrets.map((secret) => createSecretKey(Buffer.from(secret.slice(6), 'base64')));
  const delivery = { id: 'delivery-2', eventId: 'evt_1', event: 'receipt.paid', body: Buffer.from(body) };
  return { headers: endpointHeaders(keys, delivery, at), body };
}

const refused = (reason: string) =>
  expect.objectContaining({ name: 'QuittanceError', code: 'webhook_invalid', reason, status: null });

test('the webhook of a receipt is accepted with the API key, as a Request and as Node.js has it', async () => {
  const { headers, body } = ofReceipt();
  const event = { id: 'delivery-1', type: 'receipt.status_updated', createdAt: update.timestamp, data: update };
  expect(await verifyWebhook({ headers, body }, KEY)).toEqual(event);
  expect(await verifyWebhook({ headers, body: Buffer.from(body) }, KEY)).toEqual(event);
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value]]));
  expect(await verifyWebhook({ headers: lower, body }, KEY)).toEqual(event);
  const request = new Request('http://shop.test/hook', { method: 'POST', headers, body });
  expect(await verifyWebhook(request, KEY)).toEqual(event);
});

test('an event of an endpoint is accepted with its secret, and during a rotation with either', async () => {
  const [old, fresh] = [newSecret(), newSecret()];
  const sent = ofEndpoint([fresh, old]);
  for (const secret of [old, fresh, [newSecret(), old]]) expect(await verifyWebhook(sent, secret)).toEqual(paid);
});

test('a test event of either kind is accepted', async () => {
  const secret = newSecret();
  const ofBoth = [
    await verifyWebhook(ofEndpoint([secret], { body: JSON.stringify({ ...paid, type: 'ping' }) }), secret),
    await verifyWebhook(ofReceipt({ body: JSON.stringify({ event: 'ping', timestamp: 1 }) }), KEY),
  ];
  expect(ofBoth.map(({ type }) => type)).toEqual(['ping', 'ping']);
});

test('another body, key or time, and a request without a signature, are refused with the reason', async () => {
  const receipt = ofReceipt();
  const secret = newSecret();
  const event = ofEndpoint([secret]);
  const wrong = refused('signature_wrong');
  await expect(verifyWebhook({ ...receipt, body: `${receipt.body} ` }, KEY)).rejects.toEqual(wrong);
  await expect(verifyWebhook(receipt, `${KEY}x`)).rejects.toEqual(wrong);
  await expect(verifyWebhook({ ...event, body: `${event.body} ` }, secret)).rejects.toEqual(wrong);
  await expect(verifyWebhook(event, newSecret())).rejects.toEqual(wrong);
  await expect(verifyWebhook(event, [])).rejects.toEqual(wrong);
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
    await expect(verifyWebhook({ ...event, headers: { ...event.headers, [name]: undefined } }, secret)).rejects.toEqual(
      refused('signature_missing'),
    );
  // Each signature counts: the one of the body alone cannot stand in for the one with the time, nor the other way.
  for (const name of ['X-Service-Signature', 'webhook-signature'])
    for (const value of ['', 'sha256=', 'sha256=00', 'sha256=é', 'v1,', 'v1,?', 'v2,AAAA'])
      await expect(
        verifyWebhook({ ...receipt, headers: { ...receipt.headers, [name]: value } }, KEY),
      ).rejects.toThrow();
});

test('a request that is too old or from the future is refused, also when its time is changed', async () => {
  const late = refused('timestamp_out_of_range');
  const secret = newSecret();
  for (const shift of [-301_000, 302_000]) {
    await expect(verifyWebhook(ofReceipt({ at: Date.now() + shift }), KEY)).rejects.toEqual(late);
    await expect(verifyWebhook(ofEndpoint([secret], { at: Date.now() + shift }), secret)).rejects.toEqual(late);
  }
  const old = ofReceipt({ at: Date.now() - 3_600_000 });
  const renewed = { ...old.headers, 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) };
  await expect(verifyWebhook({ ...old, headers: renewed }, KEY)).rejects.toEqual(refused('signature_wrong'));
  for (const time of ['NaN', '1e3', '-1', 'Infinity'])
    await expect(
      verifyWebhook({ ...old, headers: { ...old.headers, 'webhook-timestamp': time } }, KEY),
    ).rejects.toEqual(late);
  expect(await verifyWebhook(old, KEY, { toleranceSeconds: 7_200 })).toMatchObject({ id: 'delivery-1' });
  expect(await verifyWebhook(old, KEY, { now: () => Date.now() - 3_600_000 })).toMatchObject({ id: 'delivery-1' });
});

test('a signed body that is no event is refused, and a secret that cannot be one is a defect of the caller', async () => {
  for (const body of ['', 'null', '[]', '{}', 'x'])
    await expect(verifyWebhook(ofReceipt({ body }), KEY)).rejects.toEqual(refused('body_invalid'));
  for (const secret of ['', 'whsec_', 'whsec_%'])
    await expect(verifyWebhook(ofReceipt(), secret)).rejects.toThrow(TypeError);
});
