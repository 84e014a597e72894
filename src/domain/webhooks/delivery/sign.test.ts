import { createSecretKey } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { deliveryHeaders, endpointHeaders, secretOf, signBody, signStandard } from './sign.ts';

// Contract: webhooks.signature, webhooks.header-signature
test('the contract’s signature is the HMAC-SHA256 of RFC 4231, in lower-case hex after sha256=', () => {
  expect(signBody(secretOf('Jefe'), Buffer.from('what do ya want for nothing?'))).toBe(
    'sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  );
});

test('the Standard Webhooks signature is the one that their own libraries are tested with', () => {
  const secret = createSecretKey(Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64'));
  const body = Buffer.from('{"test": 2432232314}');
  expect(signStandard(secret, 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265330, body)).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  );
});

test('the standardwebhooks package verifies with the API key as raw bytes or in base64, and refuses another body or key', () => {
  const key = 'qk_some-key-Größe';
  const body = Buffer.from('{"label":"Käse"}');
  const headers = deliveryHeaders(secretOf(key), { id: 'd-1', event: 'receipt.status_updated', body }, Date.now());
  const bytes = Buffer.from(key);
  expect(new Webhook(bytes.toString('base64')).verify(body, headers)).toEqual({ label: 'Käse' });
  expect(new Webhook(new Uint8Array(bytes), { format: 'raw' }).verify(body, headers)).toEqual({ label: 'Käse' });
  expect(() => new Webhook(bytes.toString('base64')).verify('{"label":"Kase"}', headers)).toThrow();
  expect(() => new Webhook(Buffer.from('another').toString('base64')).verify(body, headers)).toThrow();
});

// Contract: webhooks.header-timestamp
test('the timestamps are the moment of sending: milliseconds in the contract’s header, seconds in the other', () => {
  const headers = deliveryHeaders(secretOf('k'), { id: 'd-1', event: 'e', body: Buffer.from('{}') }, 1_750_000_000_987);
  expect(headers['X-Service-Timestamp']).toBe('1750000000987');
  expect(headers['webhook-timestamp']).toBe('1750000000');
});

test('the headers name the event and the delivery, and an endpoint’s event is signed by each of its keys', () => {
  const [body, now] = [Buffer.from('{}'), 1_750_000_000_987];
  const fixed = { 'Content-Type': 'application/json', 'User-Agent': 'Service-Webhook/1.0', 'X-Service-Event': 'e' };
  const [first, second] = [secretOf('first'), secretOf('second')];
  expect(deliveryHeaders(first, { id: 'd-1', event: 'e', body }, now)).toEqual({
    ...fixed,
    'X-Service-Delivery': 'd-1',
    'X-Service-Timestamp': '1750000000987',
    'X-Service-Signature': signBody(first, body),
    'webhook-id': 'd-1',
    'webhook-timestamp': '1750000000',
    'webhook-signature': signStandard(first, 'd-1', 1_750_000_000, body),
  });
  const signatures = [first, second].map((key) => signStandard(key, 'evt-1', 1_750_000_000, body));
  expect(endpointHeaders([first, second], { id: 'd-1', eventId: 'evt-1', event: 'e', body }, now)).toEqual({
    ...fixed,
    'X-Service-Delivery': 'd-1',
    'webhook-id': 'evt-1',
    'webhook-timestamp': '1750000000',
    'webhook-signature': signatures.join(' '),
  });
});
