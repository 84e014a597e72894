import { expect, onTestFinished, test } from 'vitest';
import { deliveryHeaders, secretOf } from '../../domain/webhooks/delivery/sign.ts';
import { type ReceivedEvent, startListener } from './dev-receiver.ts';

const body = Buffer.from('{"event":"receipt.status_updated","receiptId":"R-1"}');
const headersFor = (key: string, id = 'd-1', now = Date.now()) =>
  deliveryHeaders(secretOf(key), { id, event: 'receipt.status_updated', body }, now);

async function listen() {
  const events: ReceivedEvent[] = [];
  const listener = await startListener({ port: 0, secret: 'qk_right', onEvent: (event) => void events.push(event) });
  onTestFinished(() => listener.stop());
  const post = async (headers: Record<string, string>, content: Buffer = body) =>
    (await fetch(listener.url, { method: 'POST', headers, body: new Uint8Array(content) })).status;
  return { events, post };
}

test('the listener accepts events signed with its key, and marks repeated deliveries', async () => {
  const { events, post } = await listen();
  expect(await post(headersFor('qk_right'))).toBe(204);
  expect(await post(headersFor('qk_right'))).toBe(204);
  expect(await post(headersFor('qk_right', 'd-2'))).toBe(204);
  expect(events.map(({ verified, deliveryId, duplicate }) => [verified, deliveryId, duplicate])).toEqual([
    [true, 'd-1', false],
    [true, 'd-1', true],
    [true, 'd-2', false],
  ]);
  expect(events[0]!.payload).toEqual({ event: 'receipt.status_updated', receiptId: 'R-1' });
});

test('the listener refuses another key, another body, one signature missing or wrong, and a replay', async () => {
  const { events, post } = await listen();
  const right = headersFor('qk_right');
  const { 'X-Service-Signature': _, ...unsigned } = right;
  const { 'webhook-signature': __, ...halfSigned } = right;
  expect(await post(headersFor('qk_wrong'))).toBe(401);
  expect(await post(right, Buffer.from('{}'))).toBe(401);
  expect(await post(unsigned)).toBe(401);
  expect(await post(halfSigned)).toBe(401);
  expect(await post({ ...right, 'webhook-signature': 'v1,AAAA' })).toBe(401);
  expect(await post(headersFor('qk_right', 'd-1', Date.now() - 600_000))).toBe(401);
  expect(events.every(({ verified, payload, problem }) => !verified && payload === null && problem)).toBe(true);
});
