import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCOPES } from '../../src/base/core/scopes.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { issueKey } from '../../src/domain/access/keys/issue.ts';
import { paymentUrl } from '../../src/domain/sales/receipts/payment-url.ts';
import { openReceiver } from '../support/receiver.ts';
import { newAccount, startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { runStatement, statement } from '../support/statement.ts';

let server: TestServer;
let merchant: TestMerchant;
let callers: Readonly<Record<string, Record<string, string>>>;

beforeAll(async () => {
  server = await startTestServer({ worker: true });
  merchant = await server.merchant();
  const session = await server.signIn(merchant.account);
  const { cookie } = session as { cookie: string };
  const other = await server.merchant();
  const otherSession = await server.signIn(other.account);
  const { key: writer } = await issueKey(server.deps, { merchant: merchant.wallet, scopes: ['receipts:write'] });
  const { key: others } = await issueKey(server.deps, {
    merchant: merchant.wallet,
    scopes: SCOPES.filter((scope) => scope !== 'receipts:write'),
  });
  callers = {
    anonymous: {},
    'a key with every scope': merchant.auth,
    'a key with receipts:write': { 'x-api-key': writer },
    'a key without receipts:write': { 'x-api-key': others },
    'a key beside the session': { ...session, ...merchant.auth },
    'the session': session,
    'the session without CSRF token': { cookie },
    'the session with another’s CSRF token': { cookie, 'x-csrf-token': otherSession['x-csrf-token'] as string },
    'the session from a foreign page': { ...session, origin: 'https://evil.example' },
    'another merchant’s session': otherSession,
    'a stranger’s session': await server.signIn(newAccount()),
  };
});
afterAll(() => server?.stop());

async function newReceipt(webhookUrl?: string): Promise<string> {
  const id = `s-${crypto.randomUUID()}`;
  const body = { id, lineItems: [{ label: 'Mug', priceUsd: 5 }], webhook_url: webhookUrl };
  expect((await server.call('POST', '/api/receipts', { headers: merchant.auth, body })).status).toBe(201);
  return id;
}
const report = (receiptId: string, status: unknown, headers: Record<string, string>) =>
  server.call('POST', '/api/receipts/status', { headers, body: { receiptId, wallet: merchant.wallet, status } });
const graphql = (receiptId: string, status: string, headers: Record<string, string>) =>
  server.call('POST', '/api/graphql', {
    headers,
    body: {
      query: 'mutation ($id: ID!, $status: String!) { reportTracking(receiptId: $id, status: $status) { status } }',
      variables: { id: receiptId, status },
    },
  });
const historyOf = (receiptId: string) =>
  runStatement<{ kind: string; name: string | null; status: string; actor: string }>(
    server.deps.db,
    statement(
      'test-history',
      'select kind, name, status, actor from receipt_history where merchant = $1 and receipt_id = $2 order by seq',
    ),
    [merchant.wallet, receiptId],
  );

const SENSITIVE = ['checkout_success', 'refund_requested', 'refund_processed', 'refund_x'];
const OPEN = ['link_opened', 'buyer_logged_in', 'checkout_initialized'];

/** What each caller is answered for a sensitive status, and for an open one. */
const MATRIX: Readonly<Record<string, readonly [sensitive: number, open: number]>> = {
  anonymous: [401, 401],
  'a key with every scope': [403, 200],
  'a key with receipts:write': [403, 200],
  'a key without receipts:write': [403, 403],
  'a key beside the session': [403, 200],
  'the session': [200, 200],
  'the session without CSRF token': [403, 403],
  'the session with another’s CSRF token': [403, 403],
  'the session from a foreign page': [403, 403],
  'another merchant’s session': [403, 403],
  'a stranger’s session': [403, 403],
};

describe('POST /api/receipts/status', () => {
  // Contract: receipts.report-sensitive, states.sensitive, states.tracking, service.admin-only, auth.csrf
  test.each(Object.entries(MATRIX))('%s: a sensitive status is %i', async (caller, [sensitive, open]) => {
    for (const status of [...SENSITIVE, ...OPEN]) {
      const receiptId = await newReceipt();
      const wanted = SENSITIVE.includes(status) ? sensitive : open;
      const answer = await report(receiptId, status, callers[caller] as Record<string, string>);
      expect([status, answer.status]).toEqual([status, wanted]);
      if (wanted === 401) expect(answer.body.error).toBe('unauthorized');
      if (wanted === 403) expect(answer.body.error).toBe('forbidden');
      const recorded = (await historyOf(receiptId)).some(({ kind }) => kind === 'tracking');
      expect(recorded).toBe(wanted === 200);
    }
  });

  // Contract: routes.graphql-same
  test('the same over GraphQL, where no key reports anything and a buyer’s page only what is open', async () => {
    const receiptId = await newReceipt();
    const made = { merchant: merchant.wallet, id: receiptId, origin: 'receipt' } as const;
    const { pathname, search } = new URL(paymentUrl(server.deps.settings, made));
    const page = await server.call('GET', pathname + search);
    const [, token] = /name="page-token" content="([^"]+)"/.exec(page.body) as unknown as [string, string];
    const buyer = { authorization: `Bearer ${token}` };
    for (const status of SENSITIVE) {
      for (const headers of [buyer, merchant.auth, callers['the session without CSRF token']!]) {
        expect((await graphql(receiptId, status, headers)).body.errors[0].extensions.code).toBe('forbidden');
      }
      expect((await graphql(receiptId, status, callers['the session']!)).body.errors).toBeUndefined();
    }
    expect((await graphql(receiptId, 'link_opened', buyer)).body.errors).toBeUndefined();
  });

  test.each([
    'refund_',
    'refund_a b',
    'refund_é',
    `refund_${'x'.repeat(58)}`,
    'refund_<b>',
    'Refund_x',
    'refund',
    'paid',
  ])('%s is no status: 400 for an admin, and a key learns no more than that it may not', async (status) => {
    const receiptId = await newReceipt();
    const answer = await report(receiptId, status, callers['the session']!);
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_input']);
    const byKey = await report(receiptId, status, merchant.auth);
    expect([byKey.status, byKey.body.error]).toEqual(
      status.startsWith('refund_') ? [403, 'forbidden'] : [400, 'invalid_input'],
    );
    expect(await historyOf(receiptId)).toHaveLength(1);
  });

  test('a sensitive report is one row of the history, by the admin, and moves no money whatever the status is', async () => {
    const receiptId = await newReceipt();
    for (const status of ['pending', 'paid', 'completed', 'refunded', 'failed', 'tx_mismatch']) {
      await runStatement(
        server.deps.db,
        statement('test-set-status', 'update receipts set status = $3 where merchant = $1 and id = $2'),
        [merchant.wallet, receiptId, status],
      );
      for (const name of ['checkout_success', `refund_in_${status}`]) {
        expect((await report(receiptId, name, callers['the session']!)).status).toBe(200);
        expect((await report(receiptId, name, callers['the session']!)).status).toBe(200);
      }
      const rows = await historyOf(receiptId);
      expect(rows.filter(({ name }) => name === `refund_in_${status}`)).toEqual([
        { kind: 'tracking', name: `refund_in_${status}`, status, actor: `wallet:${merchant.wallet as Wallet}` },
      ]);
      expect(rows.filter(({ name }) => name === 'checkout_success')).toHaveLength(1);
    }
    const { body } = await server.call('POST', '/api/graphql', {
      headers: callers['the session']!,
      body: { query: 'query ($id: ID!) { receipt(receiptId: $id) { refunds { id } } }', variables: { id: receiptId } },
    });
    expect(body.data.receipt.refunds).toEqual([]);
  });

  test('of the sensitive reports checkout_success and refund_requested go out as webhooks, any other refund_… does not', async () => {
    const receiver = await openReceiver();
    const receiptId = await newReceipt(receiver.url);
    for (const status of ['refund_reviewed', 'checkout_success', 'refund_requested']) {
      await report(receiptId, status, callers['the session']!);
    }
    await receiver.about(receiptId, 'refund_requested');
    await receiver.about(receiptId, 'checkout_success');
    expect(receiver.received.map(({ event }) => event.status).sort()).toEqual(['checkout_success', 'refund_requested']);
  });
});
