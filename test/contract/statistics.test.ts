import { expect, test } from 'vitest';
import { issuePageToken } from '../../src/domain/access/gateway/page-token.ts';
import { ask, codeOf } from '../graphql/ask.ts';
import { newAccount } from '../support/server.ts';
import { openPaidShop } from './paid-shop.ts';

const platform = newAccount();
const { server, merchant: shop, session, mineUntil } = await openPaidShop({ PLATFORM_ADMINS: platform.address });

const QUERY = `query ($from: String!, $to: String!, $interval: StatisticsInterval, $wallet: Wallet) {
  receiptStats(from: $from, to: $to, interval: $interval, wallet: $wallet) {
    building
    total { ...Sums }
    periods { from to ...Sums }
  }
}
fragment Sums on ReceiptStatsPeriod {
  figures { ...Figures }
  groups { status token figures { ...Figures } }
}
fragment Figures on ReceiptFigures { count createdUsd paidCount grossUsd feesUsd refundedUsd
  taxUsd receivedUsd surplusUsd shortfallUsd refundedRevenueUsd returnedSurplusUsd netUsd sentBackUsd }`;

const today = new Date(Date.now()).toISOString().slice(0, 10);
const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
const stats = (headers: Record<string, string>, more: object = {}) =>
  ask(server, headers, QUERY, { from: today, to: tomorrow, ...more });

const PAY = 'mutation ($id: ID!) { payWithTestWallet(receiptId: $id, token: "USDC") { transactionHash } }';

test('an order, its payment and its fee appear in the statistics, by status, token and day', async () => {
  const body = { id: 'free-line', lineItems: [{ label: 'Tea', priceUsd: 4.1 }] };
  expect((await server.call('POST', '/api/receipts', { headers: shop.auth, body })).status).toBe(201);
  const till = await server.call('POST', '/api/receipts/terminal', { headers: session, body: { amountUsd: 100 } });
  expect((await ask(server, session, PAY, { id: till.body.receipt.receiptId })).body.errors).toBeUndefined();
  const total = async () => (await stats(shop.auth)).body.data.receiptStats.total;
  const both = { count: 2, createdUsd: 104.6, paidCount: 1, grossUsd: 100.5, feesUsd: 0.5, refundedUsd: 0 };
  const none = {
    taxUsd: 0,
    surplusUsd: 0,
    shortfallUsd: 0,
    refundedRevenueUsd: 0,
    returnedSurplusUsd: 0,
    sentBackUsd: 0,
  };
  await mineUntil(async () => (await total()).figures.paidCount === 1);
  expect((await total()).figures).toEqual({ ...both, ...none, receivedUsd: 100.5, netUsd: 100.5 });
  const { groups } = await total();
  expect(groups).toHaveLength(2);
  expect(groups[0].token).toBe('USDC');
  expect(['paid', 'completed']).toContain(groups[0].status);
  expect(groups[1]).toMatchObject({ status: 'pending', token: null, figures: { count: 1, paidCount: 0, grossUsd: 0 } });
  const { periods, building } = (await stats(session)).body.data.receiptStats;
  expect(building).toBe(false);
  expect(periods.map(({ from, to }: { from: string; to: string }) => [from, to])).toEqual([
    [today, today],
    [tomorrow, tomorrow],
  ]);
});

test('receipts in euros count in euros too, beside those in US dollars', async () => {
  const own = await server.merchant();
  const lineItems = [{ label: 'Tea', amount: 10.5 }];
  const euro = await server.call('POST', '/api/receipts', {
    headers: own.auth,
    body: { id: 'euro', currency: 'EUR', lineItems },
  });
  expect(euro.status).toBe(201);
  const dollar = { id: 'dollar', lineItems: [{ label: 'Tea', priceUsd: 4.1 }] };
  await server.call('POST', '/api/receipts', { headers: own.auth, body: dollar });
  const { body } = await ask(server, own.auth, '{ receipt(receiptId: "euro") { totalUsd pricing { originalTotal } } }');
  const { totalUsd, pricing } = body.data.receipt;
  expect(totalUsd).not.toBe(pricing.originalTotal);
  const euros = `query ($from: String!, $to: String!) { receiptStats(from: $from, to: $to) {
    total { figures { createdUsd currencies { currency created gross } } } } }`;
  const read = async () => (await ask(server, own.auth, euros, { from: today, to: tomorrow })).body.data.receiptStats;
  await expect
    .poll(async () => (await read()).total.figures.currencies)
    .toEqual([
      { currency: 'EUR', created: pricing.originalTotal, gross: 0 },
      { currency: 'USD', created: 4.1, gross: 0 },
    ]);
  expect((await read()).total.figures.createdUsd).toBeCloseTo(totalUsd + 4.1, 2);
});

test('a merchant sees its own receipts only, and a platform admin those of the merchant that it names', async () => {
  const other = await server.merchant();
  const none = { data: { receiptStats: { total: { figures: { count: 0, grossUsd: 0 }, groups: [] } } } };
  expect((await stats(other.auth)).body).toMatchObject(none);
  expect(codeOf(await stats(other.auth, { wallet: shop.wallet }))).toBe('forbidden');
  expect(codeOf(await stats(await server.signIn(other.account), { wallet: shop.wallet }))).toBe('forbidden');
  expect((await stats(other.auth, { wallet: other.wallet })).body).toMatchObject(none);
  const admin = await server.signIn(platform);
  expect(codeOf(await stats(admin))).toBe('wallet_required');
  expect((await stats(admin, { wallet: other.wallet })).body).toMatchObject(none);
  const { body } = await stats(admin, { wallet: shop.wallet });
  expect(body.errors).toBeUndefined();
  expect(body.data.receiptStats.periods).toHaveLength(2);
});

test('a repeated question has the same answer until a receipt changes, for each caller by its own rights', async () => {
  const own = await server.merchant();
  const admin = await server.signIn(own.account);
  const order = (count: number) => ({ id: `tea-${count}`, lineItems: [{ label: 'Tea', priceUsd: 2 }] });
  const stranger = await server.merchant({ scopes: ['graphql:read', 'shop:read'] });
  for (const count of [1, 2]) {
    expect((await server.call('POST', '/api/receipts', { headers: own.auth, body: order(count) })).status).toBe(201);
    await expect
      .poll(async () => (await stats(own.auth)).body.data.receiptStats.total.figures)
      .toMatchObject({ count, createdUsd: 2 * count });
    const [first, ...others] = await Promise.all([own.auth, own.auth, admin].map((headers) => stats(headers)));
    for (const other of others) expect(other.body).toEqual(first!.body);
    expect(codeOf(await stats(stranger.auth, { wallet: own.wallet }))).toBe('forbidden');
    expect((await stats(shop.auth)).body).not.toEqual(first!.body);
    const { data, extensions } = (await stats({ ...own.auth, 'x-graphql-cost': 'true' })).body;
    expect(data).toEqual(first!.body.data);
    expect(extensions.cost.requested).toBeGreaterThan(0);
    const months = await stats(own.auth, { interval: 'MONTH' });
    expect(months.body.data.receiptStats.total).toEqual(first!.body.data.receiptStats.total);
    expect(months.body.data.receiptStats.periods).not.toEqual(first!.body.data.receiptStats.periods);
  }
});

test('callers without the scope or an admin session are refused', async () => {
  const { auth, wallet } = await server.merchant({ scopes: ['graphql:read', 'shop:read', 'inventory:read'] });
  const missing = await stats(auth);
  expect(codeOf(missing)).toBe('forbidden');
  expect(missing.body.errors[0].extensions).toMatchObject({ scope: 'receipts:read' });
  expect(codeOf(await stats({}))).toBe('unauthorized');
  expect(codeOf(await stats(await server.signIn(newAccount())))).toBe('forbidden');
  const { settings, clock } = server.deps;
  const token = await issuePageToken(settings, { merchant: wallet, receiptId: 'R-1' }, clock());
  expect(codeOf(await stats({ authorization: `Bearer ${token}` }))).toBe('forbidden');
});

test('bad ranges are refused with invalid_input and the field', async () => {
  for (const [more, field] of [
    [{ from: 'yesterday' }, 'from'],
    [{ to: '2026-02-30' }, 'to'],
    [{ from: tomorrow, to: today }, 'to'],
    [{ from: '2024-01-01', to: '2025-02-04' }, 'to'],
    [{ from: '2010-01-01', to: '2026-01-01', interval: 'MONTH' }, 'to'],
  ] as const) {
    const answer = await stats(shop.auth, more);
    expect([more, codeOf(answer), answer.body.errors[0].extensions.field]).toEqual([more, 'invalid_input', field]);
  }
  expect((await stats(shop.auth, { interval: 'YEAR' })).body.errors).toHaveLength(1);
  const year = await stats(shop.auth, { from: '2024-01-01', to: '2024-12-31' });
  expect(year.body.data.receiptStats.periods).toHaveLength(366);
  const tenYears = await stats(shop.auth, { from: '2016-01-01', to: '2025-12-31', interval: 'MONTH' });
  expect(tenYears.body.data.receiptStats.periods).toHaveLength(120);
});
