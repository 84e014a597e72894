import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { expectWellMade, phone } from '../browser.ts';
import { openScene } from '../scene.ts';
import { CLICKS_OF_A_TASK, countClicks, openInside } from './inside.ts';

const scene = await openScene();
const { shop } = scene;
const merchant = await shop.merchant();

/** A busy machine may need this long. */
const SLOW = { timeout: 30_000 };

/** A green square of 4 by 4. */
const PICTURE = {
  name: 'cup.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAIAAAAmkwkpAAAAEElEQVR4nGNgqP8PRwykcwBaTBvhAVa9CwAAAABJRU5ErkJggg==',
    'base64',
  ),
};

const itemOf = async (sku: string) =>
  (await shop.server.call('GET', `/api/inventory?q=${sku}`, { headers: merchant.auth })).body.items[0];

test('a product with a picture is added from the first page, and price and stock are changed in the list', async () => {
  const page = await openInside(scene, merchant.account);
  const clicks = await countClicks(page);
  await page.getByRole('link', { name: 'Catalog' }).click();
  await page.getByRole('link', { name: 'Add product' }).click();
  await page.getByLabel('Name').fill('Travel cup');
  await page.getByLabel('Price in USD').fill('19.5');
  await page.getByLabel('Add picture').setInputFiles(PICTURE);
  await page.getByRole('img', { name: 'Picture 1' }).waitFor();
  await expectWellMade(page);
  await page.getByRole('button', { name: 'Add Travel cup' }).click();
  const row = page.getByRole('listitem').filter({ hasText: 'Travel cup' });
  await row.locator('img.thumb').waitFor();
  expect(await clicks()).toBeLessThanOrEqual(CLICKS_OF_A_TASK);
  expect(await itemOf('TRAVEL-CUP')).toMatchObject({ name: 'Travel cup', priceUsd: 19.5, stockQty: -1, taxable: true });
  expect((await itemOf('TRAVEL-CUP')).images[0]).toMatch(/^data:image\/webp;base64,/);

  await row.getByLabel('Stock of Travel cup').fill('7');
  await page.keyboard.press('Enter');
  await row.getByText('Saved').waitFor();
  await row.getByLabel('Price of Travel cup').fill('nineteen');
  await page.keyboard.press('Enter');
  await row.getByText('An amount such as 12.50').waitFor();
  await row.getByLabel('Price of Travel cup').fill('21');
  await page.keyboard.press('Enter');
  await expect.poll(() => itemOf('TRAVEL-CUP'), SLOW).toMatchObject({ priceUsd: 21, stockQty: 7 });
  await row.getByLabel('Stock of Travel cup').fill('3');
  await page.keyboard.press('Enter');
  await expect.poll(() => itemOf('TRAVEL-CUP'), SLOW).toMatchObject({ stockQty: 3 });

  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByRole('link', { name: /running out$/ }).click();
  await page.waitForURL(/catalog\?stock=low$/);
  await row.waitFor();
  expect(await page.getByRole('listitem').filter({ hasText: 'Unlimited' }).count()).toBe(0);
});

test('deleting a product asks first, says what it means, and offers to stop selling it', async () => {
  const page = await openInside(scene, merchant.account, '/console/catalog?q=BEANS', phone);
  await page.getByRole('link', { name: 'Espresso beans' }).click();
  await page.getByRole('button', { name: 'Delete this product…' }).click();
  await page.getByText('Receipts keep its name and price.').waitFor();
  await expectWellMade(page);
  await page.getByRole('button', { name: 'Stop selling it' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await itemOf('BEANS')).toMatchObject({ stockQty: 0 });
  await page.getByRole('link', { name: 'Espresso beans' }).click();
  await page.getByRole('button', { name: 'Delete this product…' }).click();
  await page.getByRole('button', { name: 'Delete for good' }).click();
  await page.getByText('No product matches').waitFor();
  expect(await itemOf('BEANS')).toBeUndefined();
});

test('a file shows what it changes before it is written, and an exported file changes nothing', async () => {
  const page = await openInside(scene, merchant.account, '/console/catalog/import');
  const file = (text: string) => ({ name: 'items.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  const choose = page.getByLabel('Choose a CSV file');
  await choose.setInputFiles(file('name,price\nCap,5'));
  await page.getByText('The file has no column named sku.').waitFor();
  await choose.setInputFiles(
    file('sku;name;price;colour\nMUG;Stoneware mug, large;24\nCAP;Cap;8.50;red\nBAD;Bad;free\n'),
  );
  await page.getByText('Ignored columns: colour.').waitFor();
  const counts = () => page.locator('.import-count strong').allInnerTexts();
  expect(await counts()).toEqual(['1', '1', '0', '1']);
  expect(await itemOf('CAP')).toBeUndefined();
  await expectWellMade(page);
  await page.getByRole('button', { name: 'Add 1 and change 1' }).click();
  await page.getByText('2 products are written.').waitFor();
  expect(await itemOf('CAP')).toMatchObject({ name: 'Cap', priceUsd: 8.5 });
  expect(await itemOf('MUG')).toMatchObject({ name: 'Stoneware mug, large', priceUsd: 24 });

  await page.getByRole('link', { name: 'Go to the catalog' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const exported = readFileSync(await (await download).path());
  await page.goto(`${shop.server.url}/console/catalog/import`);
  await choose.setInputFiles({ name: 'catalog.csv', mimeType: 'text/csv', buffer: exported });
  await expect.poll(async () => (await counts()).slice(0, 2), SLOW).toEqual(['0', '0']);
  expect((await counts())[3]).toBe('0');
});
