import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { revokeKey } from '../../src/domain/access/keys/change-keys.ts';
import { issueKey } from '../../src/domain/access/keys/issue.ts';
import { createDatabase } from '../support/database.ts';
import { openReceiver } from '../support/receiver.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';

let front: TestServer;
let merchant: TestMerchant;
let drop: () => Promise<void>;
let databaseUrl: string;

beforeAll(async () => {
  ({ databaseUrl, drop } = await createDatabase());
  front = await startTestServer({ databaseUrl });
  merchant = await front.merchant();
});
afterAll(async () => {
  await front?.stop();
  await drop?.();
});

const signatureOf = (key: string, body: string) => `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;

// Contract: webhooks.secret, webhooks.secret-kept, webhooks.signature, auth.signing-key, auth.bearer, auth.x-api-key
// Contract: receipts.webhook-url
test('a receipt’s webhooks are signed with the key that created it, in every header form, by any process, also after revocation', async () => {
  const receiver = await openReceiver();
  const receipts: { id: string; key: string; keyId: string }[] = [];
  for (const name of ['Ocp-Apim-Subscription-Key', 'x-api-key', 'Authorization']) {
    const { key, id: keyId } = await issueKey(front.deps, { merchant: merchant.wallet, scopes: ['receipts:write'] });
    const id = `signed-${receipts.length}`;
    const { status } = await front.call('POST', '/api/receipts', {
      headers: { [name]: name === 'Authorization' ? `Bearer ${key}` : key },
      body: { id, lineItems: [{ label: 'Käse', priceUsd: 5 }], webhook_url: receiver.url },
    });
    expect(status).toBe(201);
    receipts.push({ id, key, keyId });
  }
  await revokeKey(front.deps, { id: receipts[0]!.keyId });
  for (const { id: receiptId } of receipts) {
    const body = { receiptId, wallet: merchant.wallet, status: 'link_opened' };
    // Reported with another key than the receipt was made with.
    expect((await front.call('POST', '/api/receipts/status', { headers: merchant.auth, body })).status).toBe(200);
  }
  expect(receiver.received).toEqual([]);

  const back = await startTestServer({
    databaseUrl,
    worker: true,
    env: { KEY_ENCRYPTION_KEY: front.deps.settings.keyEncryptionKey },
  });
  for (const { id, key } of receipts) {
    const [sent] = await receiver.about(id, 'link_opened');
    expect(sent!.headers['x-service-signature']).toBe(signatureOf(key, sent!.body));
    expect(sent!.headers['x-service-signature']).not.toBe(signatureOf(merchant.key, sent!.body));
  }
  await back.stop();
});
