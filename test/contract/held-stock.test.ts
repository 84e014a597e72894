import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newReceiptId } from '../../src/base/core/ids.ts';
import { parseInput } from '../../src/base/core/input.ts';
import { quotePayment } from '../../src/domain/payments/paying/quote-payment.ts';
import { readOrder } from '../../src/domain/sales/orders/draft.ts';
import { journalOrder } from '../../src/domain/sales/orders/journal-order.ts';
import { orderInput } from '../../src/domain/sales/orders/order.input.ts';
import { placeOrder } from '../../src/domain/sales/orders/place-order.ts';
import { expireReceipts, voidReceipt } from '../../src/domain/sales/receipts/end.ts';
import { failPayment, NO_CHECKOUT } from '../../src/domain/sales/receipts/fail.ts';
import type { ReceiptStatus } from '../../src/domain/sales/receipts/lifecycle.ts';
import { lockReceiptOrRefuse, recordChange } from '../../src/domain/sales/receipts/record-change.ts';
import { renewReceipt } from '../../src/domain/sales/receipts/renew.ts';
import { writeShop } from '../../src/domain/shop/merchants/test/requests.ts';
import { ask, codeOf } from '../graphql/ask.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { stock } from './catalog.ts';

const MINUTE_MS = 60_000;
const ACTOR = 'test';

let server: TestServer;
let shiftMs = 0;
beforeAll(async () => {
  server = await startTestServer({ clock: () => Date.now() + shiftMs });
});
afterAll(() => server?.stop());

/** A merchant that holds stock, with these numbers of its items. */
async function shopWith(stockQtys: Readonly<Record<string, number>>, { holdStock = true } = {}) {
  const merchant = await server.merchant();
  const session = await server.signIn(merchant.account);
  const products = Object.entries(stockQtys).map(([sku, stockQty]) => ({ sku, priceUsd: 5, stockQty }));
  const ids = await stock(server, merchant, products);
  if (holdStock) await writeShop(server.deps, merchant.wallet, { holdStock });
  return { merchant, session, ids };
}

const order = ({ auth }: TestMerchant, quantities: Readonly<Record<string, number>>, headers: object = {}) =>
  server.call('POST', '/api/orders', {
    headers: { ...auth, ...headers },
    body: { items: Object.entries(quantities).map(([sku, qty]) => ({ sku, qty })), expiresInMinutes: 5 },
  });

async function ordered(merchant: TestMerchant, quantities: Readonly<Record<string, number>>): Promise<string> {
  const { status, body } = await order(merchant, quantities);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.receipt.receiptId;
}

/** `stockQty`, `held` and `available` of an item. */
async function countsOf(session: Record<string, string>, sku: string): Promise<number[]> {
  const query = '{ inventory { edges { node { sku stockQty held available } } } }';
  const { edges } = (await ask(server, session, query)).body.data.inventory;
  const item = edges.find(({ node }: { node: { sku: string } }) => node.sku === sku).node;
  return [item.stockQty, item.held, item.available];
}

/** Moves a receipt as the chain does. */
const move = ({ wallet }: TestMerchant, id: string, ...path: readonly ReceiptStatus[]) =>
  server.deps.db.transaction(async (uow) => {
    const receipt = await lockReceiptOrRefuse(uow, wallet, id);
    for (const to of path)
      if (receipt.status !== to)
        await recordChange(server.deps, uow, receipt, { kind: 'status', to }, { actor: ACTOR });
  });

const pay = (merchant: TestMerchant, id: string) => move(merchant, id, 'pending', 'tx_mined', 'paid');

const reportFailure = ({ wallet }: TestMerchant, id: string) =>
  server.deps.db.transaction(async (uow) => {
    const receipt = await lockReceiptOrRefuse(uow, wallet, id);
    const circumstances = { actor: ACTOR, checkout: NO_CHECKOUT };
    await failPayment(server.deps, uow, receipt, 'PORTAL_PAY_CARD_DECLINED', circumstances);
  });

const quoteFor = ({ wallet }: TestMerchant, receiptId: string) =>
  quotePayment({ ...server.deps, readRate: async () => '1' }, { merchant: wallet, receiptId, token: 'USDC' });

const renew = ({ wallet }: TestMerchant, receiptId: string) =>
  renewReceipt(server.deps, { merchant: wallet, receiptId, byMerchant: true }, ACTOR);

/** The input of an order, as its request is parsed. */
const orderOf = (items: readonly { sku: string; qty: number }[]) =>
  parseInput(orderInput({ allowInsecure: true }), { items, expiresInMinutes: 5 });

/** Ends all receipts whose five minutes are over. */
async function expireAll(): Promise<void> {
  shiftMs += 6 * MINUTE_MS;
  await expireReceipts(server.deps);
}

const tooFew = (sku: string, left: number) => ({
  code: 'invalid_input',
  message: `Only ${left} of sku ${sku} in stock`,
  extra: { reason: 'out_of_stock', sku, most: left },
});

describe('an order of a merchant that holds stock', () => {
  test('for one more than there are is refused with the item and what is left, and changes nothing', async () => {
    const { merchant, session } = await shopWith({ TEA: 3 });
    await ordered(merchant, { TEA: 2 });
    expect(await countsOf(session, 'TEA')).toEqual([3, 2, 1]);
    const { status, body } = await order(merchant, { TEA: 2 });
    expect(status).toBe(400);
    expect(body).toEqual({
      error: 'invalid_input',
      message: 'Only 1 of sku TEA in stock',
      reason: 'out_of_stock',
      sku: 'TEA',
      most: 1,
    });
    expect(await countsOf(session, 'TEA')).toEqual([3, 2, 1]);
  });

  test('of several lines is refused as a whole', async () => {
    const { merchant, session } = await shopWith({ CUP: 5, TEA: 1, POT: -1 });
    await ordered(merchant, { TEA: 1 });
    expect((await order(merchant, { CUP: 2, TEA: 1, POT: 1 })).body).toMatchObject({
      sku: 'TEA',
      message: 'Only 0 of sku TEA in stock',
    });
    expect(await countsOf(session, 'CUP')).toEqual([5, 0, 5]);
    expect(await countsOf(session, 'POT')).toEqual([-1, 0, -1]);
    const { body } = await server.call('GET', '/api/receipts', { headers: merchant.auth });
    expect(body.receipts).toHaveLength(1);
  });

  test('for the last piece succeeds once of twenty at the same time, with and without an Idempotency-Key', async () => {
    const { merchant, session } = await shopWith({ CUP: 20, LAST: 1 });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        // The lines in either order, so that the orders lock the items in either order.
        order(merchant, i % 2 ? { CUP: 1, LAST: 1 } : { LAST: 1, CUP: 1 }, i % 3 ? {} : { 'idempotency-key': `k${i}` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of answers.filter((answer) => answer.status !== 200))
      expect([status, body.error, body.sku]).toEqual([400, 'invalid_input', 'LAST']);
    expect(await countsOf(session, 'LAST')).toEqual([1, 1, 0]);
    expect(await countsOf(session, 'CUP')).toEqual([20, 1, 19]);
  });

  test('holds until the receipt is paid; then the stock is taken and nothing is oversold', async () => {
    const { merchant, session } = await shopWith({ TEA: 2 });
    const id = await ordered(merchant, { TEA: 2 });
    await pay(merchant, id);
    expect(await countsOf(session, 'TEA')).toEqual([0, 0, 0]);
    const { body } = await ask(server, session, 'query ($id: ID!) { receipt(receiptId: $id) { oversold { sku } } }', {
      id,
    });
    expect(body.data.receipt.oversold).toEqual([]);
  });

  test.each([
    ['expires', expireAll],
    ['is voided', (merchant: TestMerchant, id: string) => voidReceipt(server.deps, merchant.wallet, id, ACTOR)],
    ['has a failed payment', reportFailure],
    [
      'is refunded a part payment',
      (merchant: TestMerchant, id: string) => move(merchant, id, 'pending', 'tx_mismatch', 'refunded'),
    ],
  ])('is released when the receipt %s', async (_how, end: (merchant: TestMerchant, id: string) => Promise<void>) => {
    const { merchant, session } = await shopWith({ TEA: 2 });
    const id = await ordered(merchant, { TEA: 2 });
    expect((await order(merchant, { TEA: 1 })).status).toBe(400);
    await end(merchant, id);
    expect(await countsOf(session, 'TEA')).toEqual([2, 0, 2]);
    await ordered(merchant, { TEA: 2 });
  });

  test('is held again by a renewal or a new attempt, which are refused once the stock is gone', async () => {
    const { merchant, session } = await shopWith({ TEA: 2 });
    const [expired, failed] = [await ordered(merchant, { TEA: 1 }), await ordered(merchant, { TEA: 1 })];
    await expireAll();
    await renew(merchant, expired);
    expect(await countsOf(session, 'TEA')).toEqual([2, 1, 1]);
    await renew(merchant, failed);
    await reportFailure(merchant, failed);
    await quoteFor(merchant, failed);
    expect(await countsOf(session, 'TEA')).toEqual([2, 2, 0]);

    await reportFailure(merchant, failed);
    await expireAll();
    const [other] = [await ordered(merchant, { TEA: 2 })];
    await expect(renew(merchant, expired)).rejects.toMatchObject(tooFew('TEA', 0));
    await move(merchant, other, 'pending', 'failed');
    const late = await ordered(merchant, { TEA: 2 });
    await reportFailure(merchant, late);
    await ordered(merchant, { TEA: 1 });
    await expect(quoteFor(merchant, late)).rejects.toMatchObject(tooFew('TEA', 1));
    expect(await countsOf(session, 'TEA')).toEqual([2, 1, 1]);
  });

  test('that is paid without a hold takes nothing that another receipt holds', async () => {
    const { merchant, session } = await shopWith({ TEA: 1 }, { holdStock: false });
    const before = await ordered(merchant, { TEA: 1 });
    await writeShop(server.deps, merchant.wallet, { holdStock: true });
    const holder = await ordered(merchant, { TEA: 1 });
    await pay(merchant, before);
    expect(await countsOf(session, 'TEA')).toEqual([1, 1, 0]);
    await pay(merchant, holder);
    expect(await countsOf(session, 'TEA')).toEqual([0, 0, 0]);
    const query = 'query ($id: ID!) { receipt(receiptId: $id) { oversold { sku qty } } }';
    const oversold = async (id: string) => (await ask(server, session, query, { id })).body.data.receipt.oversold;
    expect([await oversold(before), await oversold(holder)]).toEqual([[{ sku: 'TEA', qty: 1 }], []]);
  });

  test('does not stop the merchant from editing or deleting the item', async () => {
    const { merchant, session, ids } = await shopWith({ TEA: 5, CUP: 2 });
    const id = await ordered(merchant, { TEA: 4, CUP: 1 });
    const save = (stockQty: number) =>
      server.call('POST', '/api/inventory', { headers: merchant.auth, body: { sku: 'TEA', stockQty } });
    await save(3);
    expect(await countsOf(session, 'TEA')).toEqual([3, 4, 0]);
    await save(-1);
    expect(await countsOf(session, 'TEA')).toEqual([-1, 4, -1]);
    await save(10);
    expect(await countsOf(session, 'TEA')).toEqual([10, 4, 6]);
    const deleted = await server.call('DELETE', `/api/inventory?id=${ids.CUP}`, { headers: merchant.auth });
    expect(deleted.status).toBe(200);
    await pay(merchant, id);
    expect(await countsOf(session, 'TEA')).toEqual([6, 0, 6]);
  });
});

test('an order without holdStock holds nothing, and is only refused for more than is in stock', async () => {
  const { merchant, session } = await shopWith({ TEA: 1 }, { holdStock: false });
  await ordered(merchant, { TEA: 1 });
  await ordered(merchant, { TEA: 1 });
  expect(await countsOf(session, 'TEA')).toEqual([1, 0, 1]);
  expect((await order(merchant, { TEA: 2 })).body).toMatchObject({ sku: 'TEA', message: 'Only 1 of sku TEA in stock' });
});

test('holdStock is off by default, is set by an admin only, and takes true or false', async () => {
  const { merchant, session } = await shopWith({}, { holdStock: false });
  const config = async () => (await server.call('GET', '/api/shop/config', { headers: merchant.auth })).body.config;
  expect((await config()).holdStock).toBe(false);
  const write = (headers: Record<string, string>, holdStock: unknown) =>
    server.call('POST', '/api/shop/config', { headers, body: { holdStock } });
  expect((await write(merchant.auth, true)).status).toBe(403);
  expect((await write(session, 'yes')).body).toMatchObject({ error: 'invalid_input', field: 'holdStock' });
  expect((await config()).holdStock).toBe(false);
  expect((await write(session, true)).body.config.holdStock).toBe(true);
  const mutation = 'mutation { updateShopConfig(input: { holdStock: false }) { holdStock } }';
  expect((await ask(server, session, mutation)).body.data.updateShopConfig.holdStock).toBe(false);
  expect(codeOf(await ask(server, merchant.auth, mutation))).toBe('forbidden');
});

test('an order that was acknowledged while the database was away is never refused, and holds what is left', async () => {
  const { merchant, session } = await shopWith({ TEA: 1 });
  await ordered(merchant, { TEA: 1 }).then((id) => voidReceipt(server.deps, merchant.wallet, id, ACTOR));
  const author = { merchant: merchant.wallet, keyId: null, actor: ACTOR };
  const ids = [newReceiptId(Date.now()), newReceiptId(Date.now())];
  for (const id of ids) {
    const input = orderOf([{ sku: 'TEA', qty: 1 }]);
    const request = readOrder(server.deps, author, input, id);
    await journalOrder(server.deps, author, request, null);
  }
  const [holder, other] = ids as [string, string];
  const read = (id: string) => server.call('GET', `/api/receipts/${id}`, { headers: merchant.auth });
  await expect.poll(async () => (await read(other)).status).toBe(200);
  expect(await countsOf(session, 'TEA')).toEqual([1, 1, 0]);
  await pay(merchant, other);
  expect(await countsOf(session, 'TEA')).toEqual([1, 1, 0]);
  await pay(merchant, holder);
  expect(await countsOf(session, 'TEA')).toEqual([0, 0, 0]);
});

describe('after any sequence of steps', () => {
  const ITEMS = { A: 3, B: 5, C: -1 } as const;
  const index = fc.nat({ max: 5 });
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('order'), a: fc.nat(2), b: fc.nat(2), c: fc.nat(2) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('switch'), on: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('expire') }) },
    {
      weight: 5,
      arbitrary: fc.record({ do: fc.constantFrom('pay', 'see', 'reorg', 'fail', 'void', 'renew', 'retry'), of: index }),
    },
  );

  /** The sum over the receipts that hold stock, by item id; none of them has ended. */
  async function heldByReceipts(merchant: TestMerchant): Promise<Map<string, number>> {
    const rows = await server.deps.db.orm.em
      .fork()
      .getConnection()
      .execute('select status, line_items from receipts where merchant = ? and stock_held', [merchant.wallet]);
    const held = new Map<string, number>();
    for (const { status, line_items } of rows) {
      expect(['generated', 'pending', 'tx_mined', 'tx_mismatch']).toContain(status);
      for (const { itemId, qty } of line_items) if (itemId) held.set(itemId, (held.get(itemId) ?? 0) + qty);
    }
    return held;
  }

  test('what is held is the sum over the open receipts, and never more than the stock', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
        const { merchant, session, ids } = await shopWith(ITEMS);
        const { wallet } = merchant;
        const author = { merchant: wallet, keyId: null, actor: ACTOR };
        const receipts: string[] = [];
        const moves: Record<string, (id: string) => Promise<unknown>> = {
          pay: (id) => pay(merchant, id),
          see: (id) => move(merchant, id, 'tx_mined'),
          reorg: (id) => move(merchant, id, 'pending'),
          fail: (id) => reportFailure(merchant, id),
          void: (id) => voidReceipt(server.deps, wallet, id, ACTOR),
          renew: (id) => renew(merchant, id),
          retry: (id) => quoteFor(merchant, id),
        };
        const take = async (one: (typeof steps)[number]): Promise<void> => {
          if ('on' in one) return void (await writeShop(server.deps, wallet, { holdStock: one.on }));
          if ('of' in one) {
            const id = receipts.at(-1 - one.of);
            return void (id && (await moves[one.do]!(id)));
          }
          if (!('a' in one)) return expireAll();
          const items = Object.entries({ A: one.a, B: one.b, C: one.c }).flatMap(([sku, qty]) =>
            qty > 0 ? [{ sku, qty }] : [],
          );
          if (items.length === 0) return;
          const { receipt } = await placeOrder(server.deps, author, orderOf(items), null);
          receipts.push(receipt.id);
        };
        // A step that is refused, or that the lifecycle does not allow, changes nothing.
        for (const one of steps) await take(one).catch(() => {});
        const held = await heldByReceipts(merchant);
        for (const sku of Object.keys(ITEMS)) {
          const [stockQty, heldQty] = await countsOf(session, sku);
          expect(heldQty).toBe(held.get(ids[sku]!) ?? 0);
          if (sku !== 'C') expect(stockQty).toBeGreaterThanOrEqual(heldQty!);
        }
      }),
      { numRuns: 12 },
    );
  });
});
