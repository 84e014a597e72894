import { expect, it } from 'vitest';
import { findMerchant } from '../merchants/find.ts';
import { merchantDeps } from '../merchants/test/deps.ts';
import { findItem } from './list-items.ts';
import { MAX_ITEMS, saveItems } from './save-items.ts';
import { readItemPage, saveItem } from './test/requests.ts';

const deps = merchantDeps();

it('saves the entries that are right, says of each other one why it was refused, and raises the version once', async () => {
  const [a, other] = [await deps.merchant(), await deps.merchant()];
  await saveItem(deps, a, { sku: 'MUG', name: 'Mug', priceUsd: 24, stockQty: 5, taxable: true });
  const before = (await findMerchant(deps.db, a))!.version;
  const saved = await saveItems(deps, a, [
    { sku: 'MUG', priceUsd: 26 },
    { sku: ' CUP ', name: 'Cup', price: 3.5, currency: 'EUR' },
    { sku: 'C\u200bU\u00adP\u202e', stockQty: 7 },
    { sku: 'cafe\u0301', name: 'Café', priceUsd: 1 },
    { sku: '\u200b\u2060', name: 'Unseen', priceUsd: 1 },
    { sku: 'NAMELESS', priceUsd: 1 },
    { sku: 'DEAR', name: 'Dear', priceUsd: 99_999_999 },
    { sku: 'x'.repeat(129), name: 'Long', priceUsd: 1 },
    { sku: 'FOREIGN', name: 'Foreign', priceUsd: 1, wallet: other },
  ] as never);
  expect(saved.map(({ outcome }) => ('code' in outcome ? [outcome.code, outcome.message] : outcome.sku))).toEqual([
    'MUG',
    'CUP',
    'CUP',
    'caf\u00e9',
    ['invalid_input', 'sku must be a string of 1 to 128 characters'],
    ['invalid_input', 'name is required for a new item'],
    ['invalid_input', expect.stringMatching(/^priceUsd must be a number from 0.00 to 10000000.00/)],
    ['invalid_input', 'sku must be a string of 1 to 128 characters'],
    ['forbidden', expect.any(String)],
  ]);
  expect(await findItem(deps.db, a, { sku: 'MUG' })).toMatchObject({ priceUsdCents: 2600, stockQty: 5, taxable: true });
  expect(await findItem(deps.db, a, { sku: '\u200bCUP ' })).toMatchObject({
    priceCents: 350,
    currency: 'EUR',
    stockQty: 7,
  });
  expect((await readItemPage(deps.db, a, {})).total).toBe(3);
  expect((await readItemPage(deps.db, other, {})).total).toBe(0);
  expect((await findMerchant(deps.db, a))!.version).toBe(before + 1);
});

it('two requests with the same new SKUs at the same time make each product once', async () => {
  const a = await deps.merchant();
  const entries = Array.from({ length: MAX_ITEMS }, (_, n) => ({ sku: `S-${n}`, name: `No ${n}`, priceUsd: n }));
  await Promise.all([1, 2, 3].map(() => saveItems(deps, a, entries)));
  expect((await readItemPage(deps.db, a, {})).total).toBe(MAX_ITEMS);
});

it('refuses a longer list as a whole', async () => {
  const a = await deps.merchant();
  const entries = Array.from({ length: MAX_ITEMS + 1 }, (_, n) => ({ sku: `S-${n}`, name: 'x', priceUsd: 1 }));
  await expect(saveItems(deps, a, entries)).rejects.toMatchObject({ code: 'invalid_input', extra: { field: 'input' } });
  expect((await readItemPage(deps.db, a, {})).total).toBe(0);
});
