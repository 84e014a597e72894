import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { checkSecrets } from '../../src/app/cli/doctor-connections.ts';
import { seal } from '../../src/base/platform/secrets.ts';
import { signingKey } from '../../src/domain/access/keys/signing.ts';
import { reEncrypt } from '../../src/domain/operations/operators/rotation.ts';
import { openSignature } from '../../src/domain/recurring/subscriptions/signature-encryption.ts';
import { opensForWriting } from '../../src/domain/sales/receipts/payment-url.ts';
import { signingKeysOf } from '../../src/domain/webhooks/endpoints/secrets.ts';
import { ask } from '../graphql/ask.ts';
import { createDatabase } from '../support/database.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { runStatement, statement } from '../support/statement.ts';

/*
 * One database, and servers that are restarted with other keys: the former one, both, and the new one. Everything that
 * was encrypted before stays readable.
 */

const [before, after] = ['b'.repeat(64), 'a'.repeat(64)] as [string, string];
const BOTH = { KEY_ENCRYPTION_KEY: after, KEY_ENCRYPTION_KEY_PREVIOUS: before };

let databaseUrl: string;
let drop: () => Promise<void>;
let first: TestServer;
let merchant: TestMerchant;
let endpointId: string;
let paymentKey: string | null;
beforeAll(async () => {
  ({ databaseUrl, drop } = await createDatabase());
  first = await startTestServer({ databaseUrl, env: { KEY_ENCRYPTION_KEY: before } });
  merchant = await first.merchant();
  endpointId = (await made(first, ENDPOINT)).endpoint.id;
  await made(first, `rotateWebhookSecret(endpointId: "${endpointId}") { secret }`);
  const { body } = await first.call('POST', '/api/receipts', {
    headers: merchant.auth,
    body: { id: '1001', lineItems: [{ label: 'Shoes', priceUsd: 10 }] },
  });
  paymentKey = new URL(body.paymentUrl).searchParams.get('k');
  await runStatement(first.deps.db, SUBSCRIPTION, ['s1', seal(first.deps.settings, 'subscription:s1', '0xabcd')]);
  for (const [nonce, state] of [
    [1, 'open'],
    [2, 'final'],
  ] as const) {
    await runStatement(first.deps.db, TRANSACTION, [nonce, state]);
    const hash = `0x0${nonce}`;
    await runStatement(first.deps.db, BROADCAST, [hash, nonce, seal(first.deps.settings, `transaction:${hash}`, '0x')]);
  }
});
afterAll(async () => {
  await first?.stop();
  await drop?.();
});

const ENDPOINT =
  'createWebhookEndpoint(input: { url: "https://shop.example/h", kinds: ["receipt.*"] }) { endpoint { id } }';
const KEY = 'issueKey(input: { scopes: [receipts_read] }, idempotencyKey: "k") { secret key { keyId } }';
const SUBSCRIPTION = statement(
  'subscription',
  `insert into subscriptions (merchant, id, plan_id, customer, price_cents, period, chain_id, token, permission,
     permission_hash, sealed_signature, status, created_at, updated_at)
   values ('m', $1, 'p', 'c', 5, 'WEEKLY', 31337, 't', '{}', $1, $2, 'active', 1, 1)`,
);
const TRANSACTION = statement(
  'transaction',
  `insert into spender_transactions (chain_id, sender, nonce, purpose, merchant, subject_id, state,
     created_at, updated_at)
   values (31337, 's', $1, 'charge', '', 'x', $2, 1, 1)`,
);
const BROADCAST = statement(
  'broadcast',
  `insert into spender_broadcasts (chain_id, hash, sender, nonce, kind, sealed_raw, max_fee_per_gas,
     max_priority_fee_per_gas, created_at) values (31337, $1, 's', $2, 'call', $3, 1, 1, 1)`,
);

async function made(server: TestServer, mutation: string) {
  const { body } = await ask(server, await server.signIn(merchant.account), `mutation { made: ${mutation} }`);
  expect(body.errors).toBeUndefined();
  return body.data.made;
}

async function start(env: Record<string, string>): Promise<TestServer> {
  const server = await startTestServer({ databaseUrl, env });
  onTestFinished(() => server.stop());
  return server;
}

const readable = async ({ deps }: TestServer) => {
  const rows = await runStatement<{ sealed: string }>(
    deps.db,
    statement('signature', "select sealed_signature as sealed from subscriptions where id = 's1'"),
  );
  const [endpoint] = await runStatement<{ secret: string; previous: [] }>(
    deps.db,
    statement('endpoint', 'select sealed_secret as secret, previous_secrets as previous from webhook_endpoints'),
  );
  const secrets = { id: endpointId, sealedSecret: endpoint!.secret, previousSecrets: endpoint!.previous };
  return [
    await signingKey(deps.db, deps.settings, merchant.keyId),
    openSignature(deps.settings, 's1', rows[0]!.sealed),
    ...signingKeysOf(deps.settings, secrets, deps.clock()).map((key) => key.export().toString('hex')),
  ];
};

const doctor = async (keyEncryptionKey: string, previousKeyEncryptionKey: string | null) =>
  (await checkSecrets({ databaseUrl, keyEncryptionKey, previousKeyEncryptionKey })).map(
    ({ state, check, found }) => `${state} ${check}: ${found}`,
  );

const FAULT = { lines: [expect.stringMatching(/^KEY_ENCRYPTION_KEY: is not the key that this database/)] };

const mayWrite = ({ deps }: TestServer) =>
  opensForWriting(deps.settings, { merchant: merchant.wallet, id: '1001', origin: 'receipt' }, paymentKey);

test('KEY_ENCRYPTION_KEY is replaced, and nothing that it encrypted is lost', async () => {
  const known = await readable(first);
  expect(known).toHaveLength(4);
  const issued = await made(first, KEY);

  await expect(start({ KEY_ENCRYPTION_KEY: after })).rejects.toMatchObject(FAULT);
  const both = await start(BOTH);
  expect(await readable(both)).toEqual(known);
  expect(await made(both, KEY)).toEqual(issued);
  expect([first, both].map(mayWrite)).toEqual([true, true]);
  expect(await doctor(after, before)).toEqual([
    'note KEY_ENCRYPTION_KEY_PREVIOUS: it is still needed: 2 API keys, 1 webhook endpoints, 1 subscriptions, ' +
      '1 unfinished transactions, 1 answers of Idempotency-Keys',
  ]);

  expect(
    (await reEncrypt(both.deps.db, both.deps.settings)).map(({ current, previous, lost }) => [current, previous, lost]),
  ).toEqual([
    [0, 2, 0],
    [0, 1, 0],
    [0, 1, 0],
    [0, 1, 0],
    [0, 1, 0],
  ]);
  expect((await reEncrypt(both.deps.db, both.deps.settings)).every(({ previous, lost }) => previous + lost === 0)).toBe(
    true,
  );
  expect(await readable(both)).toEqual(known);
  expect(await doctor(after, before)).toEqual(['note KEY_ENCRYPTION_KEY_PREVIOUS: nothing is encrypted with it']);

  // The server with the former key alone would no longer start; the one with the new key alone does.
  await expect(start({ KEY_ENCRYPTION_KEY: before })).rejects.toMatchObject(FAULT);
  const restarted = await start({ KEY_ENCRYPTION_KEY: after });
  expect(await readable(restarted)).toEqual(known);
  expect(await made(restarted, KEY)).toEqual(issued);
  expect(mayWrite(restarted)).toBe(false);
  expect(await doctor(after, null)).toEqual([
    'ok KEY_ENCRYPTION_KEY: it is the key that the database was written with',
  ]);
});
