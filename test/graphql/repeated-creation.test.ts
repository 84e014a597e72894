import { getNamedType } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { schema } from '../../src/doors/http/server/schema.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { runStatement, statement } from '../support/statement.ts';
import { ask, codeOf } from './ask.ts';

let server: TestServer;
let merchant: TestMerchant;
let session: Record<string, string>;
beforeAll(async () => {
  server = await startTestServer({ env: { WEBHOOK_ALLOW_INSECURE: 'true' } });
  merchant = await server.merchant();
  session = await server.signIn(merchant.account);
});
afterAll(() => server.stop());

/** What a person creates in a form: the first text, another one, and the table that has one row more. */
const CREATIONS = [
  ['createPlan', 'input: { name: "%", priceUsd: 5, period: MONTHLY }', '{ planId name }', 'plans'],
  ['createPaymentLink', 'input: { name: "%", content: { amount: 5 } }', '{ linkId name }', 'payment_links'],
  ['issueKey', 'input: { label: "%", scopes: [receipts_read] }', '{ secret key { keyId } }', 'api_keys'],
  ['inviteMember', 'role: cashier, label: "%"', '{ token url invitation { id } }', 'merchant_invitations'],
  [
    'createWebhookEndpoint',
    'input: { url: "https://shop.example/%", kinds: ["receipt.*"] }',
    '{ secret endpoint { id } }',
    'webhook_endpoints',
  ],
] as const;

const countOf = async (table: string) => {
  const [row] = await runStatement<{ n: string }>(
    server.deps.db,
    statement(table, `select count(*) as n from ${table}`),
  );
  return Number(row!.n);
};

test.each(CREATIONS)(
  '%s with the key of a lost answer gives the same record again and makes no second one',
  async (name, args, fields, table) => {
    const create = (text: string, key: string) =>
      ask(
        server,
        session,
        `mutation { made: ${name}(${args.replace('%', text)}, idempotencyKey: "${key}") ${fields} }`,
      );
    const before = await countOf(table);
    const first = await create('one', 'k');
    expect(first.body.errors).toBeUndefined();
    expect((await create('one', 'k')).body.data).toEqual(first.body.data);
    expect(await countOf(table)).toBe(before + 1);
    expect(codeOf(await create('two', 'k'))).toBe('invalid_input');
    expect(await countOf(table)).toBe(before + 1);
    expect((await create('one', 'other')).body.data).not.toEqual(first.body.data);
    const stored = await runStatement<{ answer: string }>(
      server.deps.db,
      statement('answers', 'select answer::text as answer from idempotent_answers'),
    );
    const secrets = Object.values(first.body.data.made).filter((value): value is string => typeof value === 'string');
    if (name !== 'createPlan' && name !== 'createPaymentLink')
      for (const secret of secrets) expect(stored.filter(({ answer }) => answer.includes(secret))).toEqual([]);
  },
);

/** What is made before, and how it is replaced: a mutation with the id of what it replaces. */
const REPLACEMENTS = [
  [
    'rotateKey',
    'made: issueKey(input: { scopes: [receipts_read] }) { key { id: keyId } }',
    (id: string) => `keyId: "${id}"`,
    '{ secret key { keyId } }',
  ],
  [
    'rotateWebhookSecret',
    'made: createWebhookEndpoint(input: { url: "https://shop.example/r", kinds: ["receipt.*"] }) { key: endpoint { id } }',
    (id: string) => `endpointId: "${id}"`,
    '{ secret endpoint { id previousSecretUntil } }',
  ],
] as const;

test.each(REPLACEMENTS)(
  '%s with the key of a lost answer gives the same secret again and replaces nothing a second time',
  async (name, make, args, fields) => {
    const made = (await ask(server, session, `mutation { ${make} }`)).body.data.made.key.id;
    const replace = (key: string, hours = 24, by = session) => {
      const given = `${args(made)}, overlapHours: ${hours}, idempotencyKey: "${key}"`;
      return ask(server, by, `mutation { made: ${name}(${given}) ${fields} }`);
    };
    const [first, atOnce] = await Promise.all([replace('r'), replace('r')]);
    expect(first.body.errors).toBeUndefined();
    expect(atOnce.body.data).toEqual(first.body.data);
    expect((await replace('r')).body.data).toEqual(first.body.data);
    expect(codeOf(await replace('r', 48))).toBe('invalid_input');
    const next = await replace('s');
    if (name === 'rotateKey') expect(next.body.errors[0].message).toContain('was replaced by');
    else expect(next.body.data.made.secret).not.toBe(first.body.data.made.secret);
  },
);

test('over REST a key and an endpoint are made and replaced once for each Idempotency-Key', async () => {
  const post = (path: string, key: string, body: object) =>
    server.call('POST', path, { headers: { ...session, 'idempotency-key': key }, body });
  const twice = async (path: string, body: object) => {
    const [first, again] = [await post(path, path, body), await post(path, path, body)];
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect(first.body).toMatchObject({ ok: true, secret: expect.any(String) });
    return first.body;
  };
  const { key } = await twice('/api/keys', { scopes: ['receipts:read'] });
  await twice(`/api/keys/${key.id}/rotate`, {});
  const { endpoint } = await twice('/api/webhooks/endpoints', {
    url: 'https://shop.example/rest',
    kinds: ['receipt.*'],
  });
  await twice(`/api/webhooks/endpoints/${endpoint.id}/rotate`, {});
});

test('each mutation that answers a secret which is shown only once takes an Idempotency-Key', () => {
  const once = Object.values(schema.getMutationType()!.getFields()).filter(({ type }) => {
    const made = getNamedType(type);
    if (!('getFields' in made)) return false;
    const fields = Object.values(made.getFields());
    return [made, ...fields].some(({ description }) => description?.includes('shown only'));
  });
  expect(once.map(({ name }) => name)).toEqual(
    expect.arrayContaining([...CREATIONS.slice(2), ...REPLACEMENTS].map(([name]) => name)),
  );
  const without = once.filter(({ args }) => args.every(({ name }) => name !== 'idempotencyKey'));
  // A code of Connect is worth one answer. Who has lost it connects again.
  expect(without.map(({ name }) => name)).toEqual(['exchangeConnectCode']);
});
