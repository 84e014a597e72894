import { describe, expect, test } from 'vitest';
import { payFromTestWallet } from '../../src/base/chain/local.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { openReceiver } from '../support/receiver.ts';
import { newAccount } from '../support/server.ts';
import { openPaidShop } from './paid-shop.ts';

const { chain, server, merchant, session, mineUntil } = await openPaidShop();

const refund = (body: unknown, headers: Record<string, string> = session) =>
  server.call('POST', '/api/receipts/refund', { headers, body });
const graphql = (query: string, variables: unknown, headers: Record<string, string> = session) =>
  server.call('POST', '/api/graphql', { headers, body: { query, variables } });
const PAY = 'mutation ($id: ID!) { payWithTestWallet(receiptId: $id, token: "USDC") { transactionHash } }';
const REFUND = `mutation ($input: RefundReceiptInput!, $key: String) { refundReceipt(input: $input, idempotencyKey: $key) {
  status refundedUsd refundableUsd refunds { state usd provenUsd buyer transactionHashes items { label priceUsd qty } createdAt refundedAt } } }`;

const newBuyer = () => newAccount().address.toLowerCase() as Wallet;

async function newReceipt(webhookUrl?: string): Promise<string> {
  const id = `r-${crypto.randomUUID()}`;
  const answer = await server.call('POST', '/api/receipts', {
    headers: merchant.auth,
    body: { id, lineItems: [{ label: 'Mug', priceUsd: 12.5 }], webhook_url: webhookUrl },
  });
  expect(answer.status).toBe(201);
  return id;
}

const statusOf = async (receiptId: string) =>
  (await server.call('GET', `/api/receipts/status?receiptId=${receiptId}`, { headers: merchant.auth })).body.status;

async function paidReceipt(webhookUrl?: string): Promise<string> {
  const receiptId = await newReceipt(webhookUrl);
  expect((await graphql(PAY, { id: receiptId })).body.errors).toBeUndefined();
  await mineUntil(async () => ['recipient_validated', 'completed'].includes(await statusOf(receiptId)));
  return receiptId;
}

async function send(buyer: Wallet, amount: bigint): Promise<string> {
  const hash = await payFromTestWallet(chain.chain, { token: 'USDC', to: buyer, amount });
  await chain.chain.client.waitForTransactionReceipt({ hash, pollingInterval: 20 });
  await chain.control.mine({ blocks: 1 });
  return hash;
}

describe('POST /api/receipts/refund', () => {
  // Contract: refund.success, refund.history, refund.correlation, states.completed-refunded
  test('a request, a partial and a full refund appear in history, record and webhooks', async () => {
    const receiver = await openReceiver();
    const receiptId = await paidReceipt(receiver.url);
    const buyer = newBuyer();
    const body = {
      receiptId,
      wallet: merchant.wallet,
      buyer,
      usd: 10,
      items: [{ label: 'Mug', priceUsd: 10, qty: 1 }],
    };
    const asked = await refund(body);
    expect([asked.status, asked.body]).toEqual([200, { ok: true }]);
    expect(asked.headers.get('x-correlation-id')).toMatch(/./);
    const [requested] = await receiver.about(receiptId, 'refund_requested');
    expect(requested!.event).toMatchObject({ status: 'refund_requested', failureCode: null, totalUsd: 12.5 });

    const part = await send(buyer, 4_000_000n);
    expect((await refund({ ...body, usd: 4, txHash: part })).body).toEqual({ ok: true });
    expect(['recipient_validated', 'completed']).toContain(await statusOf(receiptId));
    const rest = await send(buyer, 8_500_000n);
    expect((await refund({ ...body, usd: 8.5, items: [], txHash: rest })).body).toEqual({ ok: true });
    expect(await statusOf(receiptId)).toBe('refunded');
    const record = await server.call('GET', `/api/receipts/${receiptId}`, { headers: merchant.auth });
    expect(record.body.status).toBe('refunded');
    const [refunded] = await receiver.about(receiptId, 'refunded');
    expect(refunded!.event).toMatchObject({ status: 'refunded', previousStatus: expect.any(String) });

    const { body: read } = await graphql(
      'query ($id: ID!) { receipt(receiptId: $id) { refundedUsd refundableUsd refunds { state usd provenUsd transactionHashes } history { kind status tracking } } }',
      { id: receiptId },
      merchant.auth,
    );
    expect(read.data.receipt).toMatchObject({
      refundedUsd: 12.5,
      refundableUsd: 0,
      refunds: [
        { state: 'refunded', usd: 10, provenUsd: 10, transactionHashes: [part, rest] },
        { state: 'refunded', usd: 2.5, provenUsd: 2.5, transactionHashes: [rest] },
      ],
    });
    const recorded = read.data.receipt.history.map(
      (row: { status: string; tracking: string }) => row.tracking ?? row.status,
    );
    expect(recorded.slice(recorded.indexOf('refund_requested')).filter((word: string) => word !== 'completed')).toEqual(
      ['refund_requested', 'refund_partial', 'refunded'],
    );
    expect(await refund({ ...body, usd: 1 })).toMatchObject({ status: 400, body: { error: 'invalid_input' } });
  });

  // Contract: refund.codes, errors.form-codes
  test('validates fields in the contract’s order', async () => {
    const receiptId = await newReceipt();
    const good = { receiptId, wallet: merchant.wallet, buyer: newBuyer(), usd: 1 };
    const cases: [unknown, string][] = [
      [undefined, 'missing_receipt_id'],
      [{}, 'missing_receipt_id'],
      [{ ...good, receiptId: 7 }, 'missing_receipt_id'],
      [{ ...good, receiptId: '', wallet: 'x', buyer: 'x', usd: 'x' }, 'missing_receipt_id'],
      [{ ...good, wallet: undefined }, 'invalid_wallet'],
      [{ ...good, wallet: '0x12', buyer: 'x', usd: 'x' }, 'invalid_wallet'],
      [{ ...good, buyer: undefined }, 'invalid_buyer'],
      [{ ...good, buyer: `0x${'0'.repeat(40)}` }, 'invalid_buyer'],
      [{ ...good, buyer: 'x', usd: 'x' }, 'invalid_buyer'],
      [{ ...good, buyer: merchant.wallet }, 'invalid_buyer'],
      [{ ...good, buyer: merchant.split }, 'invalid_buyer'],
      ...[undefined, null, 0, -1, '1', 1.001, 10_000_000.01, true].map((usd): [unknown, string] => [
        { ...good, usd },
        'invalid_usd',
      ]),
      [{ ...good, items: 'Mug' }, 'invalid_input'],
      [{ ...good, items: [{ priceUsd: 1 }] }, 'invalid_input'],
      [{ ...good, items: [{ label: 'Mug', priceUsd: 1, qty: 0 }] }, 'invalid_input'],
      [{ ...good, items: Array(501).fill({ label: 'x', priceUsd: 0 }) }, 'invalid_input'],
      [{ ...good, txHash: '0x12' }, 'invalid_input'],
      [{ ...good, txHash: 7 }, 'invalid_input'],
      // Well formed, but nothing was paid.
      [{ ...good, txHash: '' }, 'invalid_input'],
      [good, 'invalid_input'],
    ];
    for (const [body, error] of cases) {
      const answer = await refund(body);
      expect([answer.status, answer.body.error], JSON.stringify(body)?.slice(0, 200)).toEqual([400, error]);
    }
    const overflow = await server.call('POST', '/api/receipts/refund', {
      headers: session,
      raw: JSON.stringify(good).replace('"usd":1', '"usd":1e400'),
    });
    expect([overflow.status, overflow.body.error]).toEqual([400, 'invalid_usd']);
    expect(await statusOf(receiptId)).toBe('pending');
  });

  // Contract: refund.refused, service.admin-only
  test('a key, a session without CSRF token, another wallet or another merchant cannot refund, over REST and GraphQL', async () => {
    const receiptId = await paidReceipt();
    const other = await server.merchant();
    const otherSession = await server.signIn(other.account);
    const stranger = await server.signIn(newAccount());
    const { 'x-csrf-token': _, ...withoutCsrf } = session;
    const body = { receiptId, wallet: merchant.wallet, buyer: newBuyer(), usd: 1 };
    for (const headers of [merchant.auth, withoutCsrf, stranger, otherSession] as Record<string, string>[]) {
      expect(await refund(body, headers)).toMatchObject({ status: 403, body: { error: 'forbidden' } });
      expect((await graphql(REFUND, { input: body }, headers)).body.errors[0].extensions.code).toBe('forbidden');
    }
    expect(await refund(body, {})).toMatchObject({ status: 401, body: { error: 'unauthorized' } });
    // In its own name the receipt of another is unknown.
    expect(await refund({ ...body, wallet: other.wallet }, otherSession)).toMatchObject({
      status: 404,
      body: { error: 'not_found' },
    });
    expect(await refund({ ...body, wallet: other.wallet })).toMatchObject({
      status: 403,
      body: { error: 'forbidden' },
    });
    expect(await refund({ ...body, receiptId: 'R-nothing' })).toMatchObject({
      status: 404,
      body: { error: 'not_found' },
    });
    const { body: read } = await graphql('query ($id: ID!) { receipt(receiptId: $id) { refunds { id } } }', {
      id: receiptId,
    });
    expect(read.data.receipt.refunds).toEqual([]);
  });

  test('never exceeds what was paid, also with fifty concurrent calls', async () => {
    const receiptId = await paidReceipt();
    const body = { receiptId, wallet: merchant.wallet, buyer: newBuyer(), usd: 1.25 };
    const over = await refund({ ...body, usd: 12.51 });
    expect([over.status, over.body]).toEqual([
      400,
      { error: 'invalid_usd', message: expect.stringContaining('12.50'), field: 'usd', refundableUsd: 12.5 },
    ]);
    const answers = await Promise.all(Array.from({ length: 50 }, () => refund(body)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(answers.filter(({ status, body }) => status === 400 && body.error === 'invalid_usd')).toHaveLength(40);
  });

  test('the same Idempotency-Key is one refund; another body under it is refused', async () => {
    const receiptId = await paidReceipt();
    const body = { receiptId, wallet: merchant.wallet, buyer: newBuyer(), usd: 3 };
    const headers = { ...session, 'idempotency-key': `refund-${receiptId}` };
    const answers = await Promise.all(Array.from({ length: 8 }, () => refund(body, headers)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(await refund({ ...body, usd: 4 }, headers)).toMatchObject({ status: 400, body: { error: 'invalid_input' } });
    const { body: read } = await graphql('query ($id: ID!) { receipt(receiptId: $id) { refunds { usd state } } }', {
      id: receiptId,
    });
    expect(read.data.receipt.refunds).toEqual([{ usd: 3, state: 'requested' }]);
  });
});

// Contract: refund.items
test('refundReceipt over GraphQL answers the receipt with its refunds', async () => {
  const receiptId = await paidReceipt();
  const buyer = newBuyer();
  const input = {
    receiptId,
    wallet: merchant.wallet,
    buyer,
    usd: 12.5,
    items: [{ label: 'Mug', priceUsd: 12.5, qty: 1 }],
  };
  const { body } = await graphql(REFUND, { input });
  expect(body.data.refundReceipt).toMatchObject({
    refundedUsd: 0,
    refundableUsd: 12.5,
    refunds: [
      {
        state: 'requested',
        usd: 12.5,
        provenUsd: 0,
        buyer,
        transactionHashes: [],
        items: [{ label: 'Mug', priceUsd: 12.5, qty: 1 }],
        refundedAt: null,
      },
    ],
  });
  const txHash = await send(buyer, 12_500_000n);
  const proven = await graphql(REFUND, { input: { ...input, txHash }, key: 'once' });
  expect(proven.body.data.refundReceipt).toMatchObject({ status: 'refunded', refundedUsd: 12.5, refundableUsd: 0 });
  expect((await graphql(REFUND, { input: { ...input, txHash }, key: 'once' })).body).toEqual(proven.body);
  const advice = await server.call('GET', '/api/reserve/recommend', { headers: merchant.auth });
  expect(advice.body.recommendations[0].basis.refunded).toBeGreaterThanOrEqual(12.5);
});

describe('unmatched transfers', () => {
  const LIST = '{ unmatchedTransfers { nodes { transactionHash state refundMarkedBy } } }';
  const MARK = `mutation ($hash: Hex!, $marked: Boolean) { markUnmatchedForRefund(transactionHash: $hash, marked: $marked) { state refundMarkedBy refundMarkedAt } }`;

  test('are marked for refund by their merchant’s admin alone', async () => {
    const own = await server.merchant();
    const admin = await server.signIn(own.account);
    const hash = await send(own.split as Wallet, 7_000_000n);
    await mineUntil(async () => {
      const { body } = await graphql(LIST, {}, admin);
      return body.data.unmatchedTransfers.nodes.length === 1;
    });
    const { 'x-csrf-token': _, ...withoutCsrf } = admin;
    for (const headers of [own.auth, withoutCsrf] as Record<string, string>[]) {
      expect((await graphql(MARK, { hash }, headers)).body.errors[0].extensions.code).toBe('forbidden');
    }
    expect((await graphql(MARK, { hash })).body.errors[0].extensions.code).toBe('not_found');
    await mineUntil(async () => {
      const { body } = await graphql(MARK, { hash }, admin);
      return body.data?.markUnmatchedForRefund?.state === 'marked_for_refund';
    });
    expect((await graphql(LIST, {}, admin)).body.data.unmatchedTransfers.nodes).toEqual([
      { transactionHash: hash, state: 'marked_for_refund', refundMarkedBy: own.wallet },
    ]);
    const open = await graphql('{ unmatchedTransfers(state: open) { nodes { transactionHash } } }', {}, admin);
    expect(open.body.data.unmatchedTransfers.nodes).toEqual([]);
    expect((await graphql(MARK, { hash, marked: false }, admin)).body.data.markUnmatchedForRefund).toEqual({
      state: 'open',
      refundMarkedBy: null,
      refundMarkedAt: null,
    });
  });
});
