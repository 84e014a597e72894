import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { TestMerchant } from '../../support/server.ts';
import { expectWellMade, phone } from '../browser.ts';
import { openScene } from '../scene.ts';
import { countClicks, goTo, openInside, PLACES } from './inside.ts';

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

const itemAt = async ({ auth }: TestMerchant, sku: string) =>
  (await shop.server.call('GET', `/api/inventory?q=${sku}`, { headers: auth })).body.items[0];
const itemOf = (sku: string) => itemAt(merchant, sku);

test.each(PLACES)(
  'on $where a product with a picture is added from the first page, and price and stock are changed in the list',
  async ({ options, most }) => {
    const merchant = await shop.merchant();
    const itemOf = (sku: string) => itemAt(merchant, sku);
    const page = await openInside(scene, merchant.account, '/console', options);
    const clicks = await countClicks(page);
    await goTo(page, 'Catalog');
    await page.getByRole('link', { name: 'Add product' }).click();
    await page.getByLabel('Name').fill('Travel cup');
    await page.getByLabel('Price in USD').fill('19.5');
    await page.getByLabel('Add picture').setInputFiles(PICTURE);
    await page.getByRole('img', { name: 'Picture 1' }).waitFor();
    await expectWellMade(page);
    await page.getByRole('button', { name: 'Add product' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'Travel cup' });
    await row.locator('img.thumb').waitFor();
    expect(await clicks()).toBeLessThanOrEqual(most);
    expect(await itemOf('TRAVEL-CUP')).toMatchObject({
      name: 'Travel cup',
      priceUsd: 19.5,
      stockQty: -1,
      taxable: true,
    });
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

    await goTo(page, 'Home');
    await page.getByRole('link', { name: /running out$/ }).click();
    await page.waitForURL(/catalog\?stock=low$/);
    await row.waitFor();
    expect(await page.getByRole('listitem').filter({ hasText: 'Unlimited' }).count()).toBe(0);
  },
);

test('the catalog says what a buyer is charged, where that is not the price', async () => {
  const seller = await shop.merchant();
  const page = await openInside(scene, seller.account, '/console/catalog');
  const mug = page.getByRole('listitem').filter({ hasText: 'Stoneware mug' });
  const { totalUsd } = await shop.order(seller, { items: [{ sku: 'MUG', qty: 1 }], taxRate: 0 });
  await mug.getByText(`$${totalUsd.toFixed(2)} is charged`).waitFor();
  await expectWellMade(page);
  const headers = await shop.server.signIn(seller.account);
  const query = 'mutation { updateShopConfig(input: { feeBorneBy: shop }) { feeBorneBy } }';
  expect((await shop.server.call('POST', '/api/graphql', { headers, body: { query } })).body.errors).toBeUndefined();
  await page.reload();
  await mug.waitFor();
  expect(await page.getByText('is charged').count()).toBe(0);
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

const csvFile = (content: string | Buffer) => ({
  name: 'items.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(content as string),
});
const manyRows = (prefix: string, count: number) =>
  `sku,name,price\n${Array.from({ length: count }, (_, n) => `${prefix}-${n},Product ${n},${n}.50`).join('\n')}\n`;

test('a file that is not UTF-8 is read as Windows-1252 and says so, and says what it takes for granted', async () => {
  const page = await openInside(scene, merchant.account, '/console/catalog/import');
  const choose = page.getByLabel('Choose a CSV file');
  await choose.setInputFiles(csvFile('sku,name,price,description\nQ1,Cup,5,"12 inch pipe\nQ2,Bowl,6,ok\n'));
  await page.getByText('The row of line 2 has a quotation mark that is never closed.').waitFor();
  await choose.setInputFiles(
    csvFile(Buffer.from('sku,name,price\nW1,Caf\xe9 cr\xe8me 5 \x80,5\nLONG,Long,99999999\n', 'latin1')),
  );
  await page.getByText('It is read as Windows-1252, for example “Café crème 5 €”.').waitFor();
  await page.getByText('New products are taxed where the file does not say otherwise.').waitFor();
  expect(await page.locator('.import-count strong').allInnerTexts()).toEqual(['1', '0', '0', '1']);
  await expectWellMade(page);
  await page.getByRole('button', { name: 'Add 1' }).click();
  await page.getByText('1 product is written.').waitFor();
  expect(await itemOf('W1')).toMatchObject({ name: 'Café crème 5 €', priceUsd: 5, taxable: true });
});

test('an import of many products survives a lost answer and a lost connection, and writes each product', async () => {
  const page = await openInside(scene, merchant.account, '/console/catalog/import', { denied: /ERR_FAILED/ });
  await page.getByLabel('Choose a CSV file').setInputFiles(csvFile(manyRows('WIRE', 250)));
  const write = page.getByRole('button', { name: 'Add 250' });
  await write.waitFor();
  let requests = 0;
  await page.route('**/api/graphql', async (route) => {
    if (!route.request().postData()?.includes('SaveCatalogItems')) return route.fallback();
    requests += 1;
    if (requests === 1) {
      // The server writes, and its answer is lost.
      await route.fetch();
      return route.abort();
    }
    return requests === 2 ? route.abort() : route.fallback();
  });
  await write.click();
  await page
    .getByText('The server cannot be reached. Writing goes on by itself, and nothing is written twice.')
    .waitFor();
  await page.getByText('250 products are written.').waitFor();
  expect(await page.locator('.field-problem').count()).toBe(0);
  expect(requests).toBe(5);
  expect(await itemOf('WIRE-249')).toMatchObject({ priceUsd: 249.5 });
});

test('an import is not left without a question, by a link, a key or the button of the browser', async () => {
  const page = await openInside(scene, merchant.account, '/console/catalog');
  await page.getByRole('link', { name: 'Import' }).click();
  await page.getByLabel('Choose a CSV file').setInputFiles(csvFile(manyRows('LEFT', 150)));
  await page.getByRole('button', { name: 'Add 150' }).waitFor();
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  await page.route('**/api/graphql', async (route) => {
    if (route.request().postData()?.includes('SaveCatalogItems')) await held;
    return route.fallback();
  });
  await page.getByRole('button', { name: 'Add 150' }).click();
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.message());
    return dialog.dismiss();
  });
  await page.getByRole('link', { name: 'Home' }).click();
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await page.evaluate(() => history.back());
  await expect.poll(() => asked.length).toBe(3);
  expect(new Set(asked)).toEqual(new Set(['Not all products are written yet. Leave this page and stop?']));
  await expect.poll(() => page.url()).toContain('/console/catalog/import');
  goOn();
  await page.getByText('150 products are written.').waitFor();
  await page.getByRole('link', { name: 'Go to the catalog' }).click();
  await page.getByRole('link', { name: 'Add product' }).waitFor();
  expect(asked).toHaveLength(3);
});

test('an export waits for the limit of the server and calls it a limit', async () => {
  const page = await openInside(scene, merchant.account, '/console/catalog', { denied: /429/ });
  let refused = 0;
  await page.route('**/api/graphql', (route) => {
    if (!route.request().postData()?.includes('CatalogExport') || refused++ > 0) return route.fallback();
    const extensions = { code: 'rate_limited', resetAt: Date.now() + 500 };
    return route.fulfill({ status: 429, json: { errors: [{ message: 'Rate limit exceeded', extensions }] } });
  });
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByText('Many requests in one minute. The page goes on by itself in a moment.').waitFor();
  const exported = readFileSync(await (await download).path());
  expect([...exported.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(exported.toString()).toContain('MUG');
});

/** Safari answers PNG where WebP is asked for. */
const likeSafari = (page: Page) =>
  page.addInitScript(() => {
    const real = HTMLCanvasElement.prototype.toDataURL;
    HTMLCanvasElement.prototype.toDataURL = function toDataURL(type?: string, quality?: number) {
      return real.call(this, type === 'image/webp' ? 'image/png' : type, quality);
    };
  });

/** A picture with so much detail that PNG is long, as a photo is. */
async function photo(page: Page): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const uri = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [1_600, 1_200];
    const context = canvas.getContext('2d')!;
    const pixels = context.createImageData(1_600, 1_200);
    for (let n = 0; n < pixels.data.length; n++)
      pixels.data[n] = n % 4 === 3 ? 255 : 128 + 60 * Math.sin(n / 5_000) + ((n * 7_919) % 41);
    context.putImageData(pixels, 0, 0);
    return canvas.toDataURL('image/jpeg', 0.9);
  });
  return { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(uri.split(',')[1]!, 'base64') };
}

test('a browser that writes no WebP adds a photo to a product and a logo to the shop', async () => {
  const page = await openInside(scene, merchant.account, '/console/catalog?do=add');
  await likeSafari(page);
  await page.reload();
  await page.getByLabel('Name').fill('Apple photo');
  await page.getByLabel('Price in USD').fill('3');
  await page.getByLabel('Add picture').setInputFiles(await photo(page));
  await page.getByRole('img', { name: 'Picture 1' }).waitFor();
  await page.getByRole('button', { name: 'Add product' }).click();
  await page.getByRole('listitem').filter({ hasText: 'Apple photo' }).locator('img.thumb').waitFor();
  const { images, thumb } = await itemOf('APPLE-PHOTO');
  expect(images[0]).toMatch(/^data:image\/jpeg;base64,/);
  expect(thumb).toMatch(/^data:image\/(?:jpeg|png);base64,/);
  await page.goto(`${shop.server.url}/console/shop`);
  await page.getByLabel('Choose a picture').setInputFiles(await photo(page));
  await page.locator('.logo-field img').waitFor();
  expect(await page.getByText('is not a picture').count()).toBe(0);
});
