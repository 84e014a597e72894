import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { busyMs } from '../support/busy.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { ask, codeOf } from './ask.ts';

let server: TestServer;
let merchant: TestMerchant;
beforeAll(async () => {
  server = await startTestServer();
  merchant = await server.merchant();
});
afterAll(() => server.stop());

const nested = (depth: number) => {
  const inner = '{ types { fields { type { ofType '.repeat(depth);
  return `{ __schema ${inner}{ name }${' } } }'.repeat(depth)} }`;
};
const fragments = (n: number) =>
  `{ ...F0 } ${Array.from({ length: n }, (_, i) => `fragment F${i} on Query { ...F${i + 1} ...F${i + 1} }`).join(' ')} fragment F${n} on Query { __typename }`;

const BOMBS: Readonly<Record<string, string>> = {
  aliases: `{ ${Array.from({ length: 60 }, (_, i) => `a${i}: receipts { nodes { receiptId } }`).join(' ')} }`,
  tokens: `{ receipts { nodes { ${'receiptId '.repeat(2_500)} } } }`,
  characters: `{ receipts { nodes { receiptId } } } #${'x'.repeat(30_000)}`,
  directives: `{ receipts { nodes { receiptId ${'@include(if: true) '.repeat(40)} } } }`,
  'unknown directives': `{ receipts { nodes { receiptId ${'@a '.repeat(500)} } } }`,
  fragments: fragments(40),
  'a fragment in a circle': '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }',
  'a fragment in itself': '{ receipts { nodes { ...A } } } fragment A on Receipt { receiptId ...A }',
  cost: `{ receipts(first: 200) { nodes { receiptId history { seq } lineItems { label priceUsd qty sku thumb itemId } settlement { owed } } } ${Array.from({ length: 5 }, (_, i) => `r${i}: receipts(first: 200) { nodes { history { seq kind status at } } }`).join(' ')} }`,
  depth: nested(30),
  'lists in a list': `{ receipts(filter: ${'['.repeat(3_000)}${']'.repeat(3_000)}) { totalCount } }`,
  'types of lists': `query ($a: ${'['.repeat(3_000)}Int${']'.repeat(3_000)}) { receipts { totalCount } }`,
};

describe('oversized operations are refused before a resolver runs', () => {
  test.each(Object.entries(BOMBS))('%s', async (_, query) => {
    const rows = vi.spyOn(server.deps.db, 'run');
    const started = performance.now();
    const answer = await ask(server, merchant.auth, query);
    const statements = rows.mock.calls
      .filter(([statement]) => !/key|presence/i.test(statement.name))
      .map(([{ name }]) => name);
    rows.mockRestore();
    expect(answer.status).toBeLessThan(500);
    expect(codeOf(answer), JSON.stringify(answer.body).slice(0, 300)).toMatch(/^(query_too_complex|invalid_input)$/);
    expect(answer.body.data ?? null).toBeNull();
    expect(statements).toEqual([]);
    expect(performance.now() - started).toBeLessThan(busyMs(2_000));
  });

  test('a mutation of more than ten fields', async () => {
    const challenges = (count: number) =>
      `mutation { ${Array.from({ length: count }, (_, i) => `a${i}: loginChallenge(wallet: "${merchant.wallet}") { nonce }`).join(' ')} }`;
    expect(codeOf(await ask(server, {}, challenges(11)))).toBe('query_too_complex');
    expect(codeOf(await ask(server, {}, challenges(10)))).toBeNull();
  });

  test('also over GET and over a stream', async () => {
    const path = `/api/graphql?query=${encodeURIComponent(BOMBS.aliases as string)}`;
    expect(codeOf(await server.call('GET', path, { headers: merchant.auth }))).toBe('query_too_complex');
    const stream = await server.call('POST', '/api/graphql', {
      headers: { ...merchant.auth, accept: 'text/event-stream' },
      body: { query: BOMBS.aliases },
    });
    expect(String(stream.body)).toContain('query_too_complex');
  });

  test('an ordinary large query passes', async () => {
    const answer = await ask(
      server,
      merchant.auth,
      '{ receipts(first: 100) { nodes { receiptId totalUsd status lineItems { label priceUsd } } } split { address } shopConfig { name } }',
    );
    expect([answer.status, codeOf(answer)]).toEqual([200, null]);
  });

  test('the usual introspection query passes', async () => {
    const { getIntrospectionQuery } = await import('graphql');
    const answer = await ask(server, merchant.auth, getIntrospectionQuery());
    expect([answer.status, codeOf(answer)]).toEqual([200, null]);
  });
});
