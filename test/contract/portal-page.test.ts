import { afterAll, beforeAll, expect, test } from 'vitest';
import { textOf } from '../support/card.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { runStatement } from '../support/statement.ts';
import { stock } from './catalog.ts';

let server: TestServer;
let merchant: TestMerchant;
beforeAll(async () => {
  server = await startTestServer();
  merchant = await server.merchant({ name: 'Corner Shop' });
  await stock(server, merchant, [
    { sku: 'TEA', name: 'Green tea', priceUsd: 12 },
    { sku: 'BOOK', name: 'A book of tea', priceUsd: 25, taxable: false },
  ]);
});
afterAll(() => server.stop());

test('link previews, prefetches and HEAD make no quote; a visit makes one, however often it is repeated', async () => {
  const made = await server.call('POST', '/api/orders', {
    headers: merchant.auth,
    body: { items: [{ sku: 'TEA', qty: 1 }] },
  });
  const { receiptId } = made.body.receipt;
  const reserved = async () => {
    const text = 'select count(*)::int as n from quotes where receipt_id = $1';
    const [row] = await runStatement<{ n: number }>(server.deps.db, { name: 'reserved-of', text }, [receiptId]);
    return row!.n;
  };
  const open = (headers: Record<string, string>, method = 'GET', query = '') =>
    server.call(method, `/portal/${receiptId}${query}`, { headers });
  const preview = await open({ 'user-agent': 'Slackbot-LinkExpanding 1.0' });
  expect(textOf(preview.body)).toContain('Choose a currency above');
  await open({ 'sec-purpose': 'prefetch' });
  await open({}, 'HEAD');
  expect(await reserved()).toBe(0);
  for (let visits = 0; visits < 3; visits++) await open({});
  expect(await reserved()).toBe(1);
  await open({ 'user-agent': 'CUBOT' }, 'GET', '?token=USDT');
  expect(await reserved()).toBe(2);
});

// Contract: service.portal-shows, service.portal-address, money.total
test('the page of an order shows its lines, a QR code, the currencies to choose from and how to pay', async () => {
  const items = [
    { sku: 'TEA', qty: 2 },
    { sku: 'BOOK', qty: 1 },
  ];
  const made = await server.call('POST', '/api/orders', { headers: merchant.auth, body: { items, taxRate: 0.1 } });
  const { status, body: markup } = await server.call('GET', `/portal/${made.body.receipt.receiptId}`);
  expect(status).toBe(200);
  const text = textOf(markup);
  for (const shown of ['Corner Shop', 'Green tea', 'A book of tea', 'Tax', 'Processing Fee'])
    expect(text).toContain(shown);
  // 24.00 + 25.00, tax 2.40, fee 0.5 % of 51.40.
  for (const amount of ['24.00', '25.00', '2.40', '0.26', '51.66']) expect(text).toContain(amount);
  expect(markup).toMatch(/aria-label="QR code[^"]*"/);
  for (const token of ['USDC', 'USDT']) expect(text).toContain(token);
  expect(markup).toMatch(/0x[0-9a-fA-F]{40}/);
  expect(text).toMatch(/Send|Pay/);
});
