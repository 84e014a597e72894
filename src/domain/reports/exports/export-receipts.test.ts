import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parse } from 'csv-parse/sync';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { facetsOf } from '../receipt-search/facets.ts';
import { indexAll } from '../receipt-search/indexer.ts';
import { insertReceipts, OTHER, SHOP } from '../receipt-search/test/shop.ts';
import { exportReceipts, type Part } from './export-receipts.ts';
import { type ExportShop, everything, filterOf, openExportShop } from './test/shop.ts';

let shop: ExportShop;
beforeEach(async () => {
  shop = await openExportShop();
  onTestFinished(() => shop.close());
});

type Cells = Record<string, string>;
const read = (text: string): Cells[] => parse(text, { columns: true });
const idsIn = (text: string) => read(text).map(({ receiptId }) => receiptId);
const numbered = (prefix: string, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `${prefix}${from + i}`);

test('an export has every receipt of its merchant once, in the order of creation', async () => {
  await shop.fill(2_345);
  await insertReceipts({ query: shop.run }, { merchant: OTHER, prefix: 'foreign', count: 3 });
  const text = await shop.text();
  expect(idsIn(text)).toEqual(numbered('R-', 1, 2_345));
  expect(idsIn(await shop.text({ direction: 'desc' }))).toEqual(numbered('R-', 1, 2_345).reverse());
  expect(idsIn(await shop.text({ merchant: OTHER }))).toEqual(numbered('foreign', 1, 3));
  const lines = (await shop.text({ format: 'jsonl' })).split('\n');
  expect(lines.pop()).toBe('');
  expect(lines.map((line) => JSON.parse(line).receiptId)).toEqual(numbered('R-', 1, 2_345));
});

test('an export with a filter has what matches, however many receipts do not', async () => {
  await insertReceipts({ query: shop.run }, { prefix: 'R-', count: 4_500 });
  await shop.run("update receipts set transaction_id = 'rare' where id in ('R-7', 'R-2000', 'R-4400')");
  await shop.run("update receipts set status = 'pending' where total_cents % 2 = 0");
  await indexAll(shop.db);
  const pending = filterOf({ facets: facetsOf({ statuses: ['pending'] }) });
  const both = filterOf({ transactionId: 'rare', facets: facetsOf({ statuses: ['pending'] }) });
  expect(idsIn(await shop.text({ filter: pending }))).toHaveLength(2_250);
  expect(idsIn(await shop.text({ filter: both }))).toEqual(['R-2000', 'R-4400']);
  expect(idsIn(await shop.text({ filter: both, direction: 'desc' }))).toEqual(['R-4400', 'R-2000']);
  const late = filterOf({ createdFrom: 1_000 + 4_499 });
  expect(idsIn(await shop.text({ filter: late }))).toEqual(['R-4499', 'R-4500']);
  // Matched by thousands of receipts each, and by few together.
  const few = filterOf({ words: ['r-2'], totalMinCents: 10, totalMaxCents: 2_100 });
  expect(idsIn(await shop.text({ filter: few }))).toEqual(
    numbered('R-', 10, 2_100).filter((id) => id.startsWith('R-2')),
  );
});

test('receipts that are created or changed during an export neither repeat nor shift others', async () => {
  await insertReceipts({ query: shop.run }, { prefix: 'R-', count: 2_500 });
  const deps = { ...shop.deps, clock: () => 1_000 + 2_500 };
  for (const direction of ['asc', 'desc'] as const) {
    const parts: Part[] = [];
    for await (const part of exportReceipts(deps, everything({ direction }))) {
      parts.push(part);
      const n = direction.length * 10 + parts.length;
      await insertReceipts({ query: shop.run }, { prefix: `new-${n}-`, count: 5, at: 1_000 + 2_500 });
      await shop.run("update receipts set status = 'paid', closed_at = 5 where id = 'R-1250'");
    }
    const ids = idsIn(parts.map(({ text }) => text).join(''));
    const expected = numbered('R-', 1, 2_500);
    expect(ids).toEqual(direction === 'asc' ? expected : expected.reverse());
    expect(parts.at(-1)).toMatchObject({ receipts: 2_500, rows: 2_500 });
  }
});

test('a reader that leaves ends the reading of receipts', async () => {
  await shop.fill(5_000);
  let statements = 0;
  const run = ((...args: Parameters<typeof shop.db.run>) => {
    statements++;
    return shop.db.run(...args);
  }) as typeof shop.db.run;
  const parts = exportReceipts({ ...shop.deps, db: { ...shop.db, run } }, everything({ rows: 'lines' }));
  await parts.next();
  await parts.return(undefined);
  const read = statements;
  expect(read).toBeLessThan(6);
  await shop.run('select 1');
  expect(statements).toBe(read);
});

test('lines have the amounts of their receipt, also in its own currency, and add up to its total', async () => {
  await shop.fill(1);
  const pricing = {
    version: 1,
    currency: 'EUR',
    usdPerUnit: '1.0825',
    originalTotalCents: 2404,
    originalLineItems: [
      { label: 'Stone mug', amountCents: 2217, qty: 2 },
      { label: 'Tax', amountCents: 175 },
      { label: 'Processing Fee', amountCents: 12 },
    ],
  };
  await shop.run("update receipts set currency = 'EUR', pricing = $1", [JSON.stringify(pricing)]);
  const [receipt] = read(await shop.text());
  expect(receipt).toMatchObject({ total: '24.04', currency: 'EUR', usdPerUnit: '1.0825', totalUsd: '26.03' });
  expect(receipt).toMatchObject({ taxUsd: '1.90', feeUsd: '0.13', refundedUsd: '0.00', paidAmount: '26.03' });
  const lines = read(await shop.text({ rows: 'lines' }));
  expect(
    lines.map(({ line, label, sku, qty, amount, amountUsd }) => [line, label, sku, qty, amount, amountUsd]),
  ).toEqual([
    ['1', 'Stone mug', 'MUG-STONE', '2', '22.17', '24.00'],
    ['2', 'Tax', '', '', '1.75', '1.90'],
    ['3', 'Processing Fee', '', '', '0.12', '0.13'],
  ]);
  const [first] = (await shop.text({ rows: 'lines', format: 'jsonl' })).split('\n');
  expect(JSON.parse(first as string)).toMatchObject({ line: 1, amount: 22.17, amountUsd: 24, itemId: /itm_/ });
});

test('payouts have what each recipient is owed and what was released, to the base unit', async () => {
  await shop.fill(2);
  const payee = (digit: string) => `0x${digit.repeat(40)}`;
  await shop.run(
    `insert into settlement_shares (merchant, receipt_id, split, token, payee, chain_id, shares_bps, owed, settled_at)
     values ($1, 'R-1', $2, 'USDC', $3, 1, 9950, '25899851', 1790000000000), ($1, 'R-1', $2, 'USDC', $4, 1, 50, '130150', null),
            ($1, 'R-2', $2, 'USDC', $3, 1, 10000, null, null)`,
    [SHOP, payee('5'), payee('6'), payee('7')],
  );
  const rows = read(await shop.text({ rows: 'payouts' }));
  const shown = rows.map((row) => [
    row.receiptId,
    row.recipient,
    row.status,
    row.amount,
    row.amountReleased,
    row.token,
  ]);
  expect(shown).toEqual([
    ['R-1', payee('6'), 'released', '25.899851', '25.899851', 'USDC'],
    ['R-1', payee('7'), 'due', '0.13015', '0', 'USDC'],
    ['R-2', payee('6'), 'pending', '', '0', 'USDC'],
  ]);
  expect(rows[0]).toMatchObject({ settledAt: new Date(1_790_000_000_000).toISOString(), sharesBps: '9950' });
});

test('an export of five times as many rows needs no more memory', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const used = () => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  await shop.fill(20_000);
  const heldBy = async (count: number) => {
    const before = used();
    const samples: number[] = [];
    let rows = 0;
    for await (const part of exportReceipts(shop.deps, everything({ filter: filterOf({ createdTo: 1e9 + count }) }))) {
      rows = part.rows;
      if (rows % (count / 4) === 0) samples.push(used() - before);
    }
    // The median: what other work of this process allocates beside the export shows in single samples.
    return { held: samples.sort((a, b) => a - b)[samples.length >> 1]!, rows };
  };
  const growth = async () => {
    const few = await heldBy(4_000);
    const many = await heldBy(20_000);
    expect([few.rows, many.rows]).toEqual([4_000, 20_000]);
    return many.held - few.held;
  };
  // Memory that an export holds is there each time; what the process does beside it is not.
  await expect.poll(growth).toBeLessThan(5 * 1024 * 1024);
});
