import { getNamedType } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { schema } from '../../src/server/schema.ts';
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
    server.deps.sql,
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
      server.deps.sql,
      statement('answers', 'select answer::text as answer from idempotent_answers'),
    );
    const secrets = Object.values(first.body.data.made).filter((value): value is string => typeof value === 'string');
    if (name !== 'createPlan')
      for (const secret of secrets) expect(stored.filter(({ answer }) => answer.includes(secret))).toEqual([]);
  },
);

test('each mutation that answers a secret which is shown only once takes an Idempotency-Key, or replaces one', () => {
  const once = Object.values(schema.getMutationType()!.getFields()).filter((field) => {
    const type = getNamedType(field.type);
    return (
      'getFields' in type &&
      Object.values(type.getFields()).some(({ description }) => /shown only here|shown only in/.test(description ?? ''))
    );
  });
  const without = once.filter(({ args }) => args.every(({ name }) => name !== 'idempotencyKey'));
  expect(without.map(({ name }) => name)).toEqual(['rotateWebhookSecret']);
});
