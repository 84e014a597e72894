import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { saveItem } from '../../../src/domain/shop/catalog/test/requests.ts';
import { expectWellMade, narrow, readRequest, visit } from '../browser.ts';
import { openScene } from '../scene.ts';
import { countClicks, goTo, openInside, PLACES } from './inside.ts';

const scene = await openScene();
const { shop, browser } = scene;
const merchant = await shop.merchant();

/** Pays what a payment page asks for, from a wallet of its own. */
async function pay(url: string): Promise<void> {
  const buyer = await shop.buyer({ USDC: 1_000_000_000n });
  const page = await visit(browser, `${url}&token=USDC`);
  const { amount, payTo } = await readRequest(page, 6);
  await shop.transfer(buyer, 'USDC', payTo.toLowerCase() as never, amount);
}

const linkOf = async (page: Page) => (await page.locator('a.till-code').getAttribute('href')) as string;

const receiptOf = async (page: Page) => {
  const id = new URL(page.url()).searchParams.get('receipt');
  return (await shop.server.call('GET', `/api/receipts/${id}`, { headers: merchant.auth })).body;
};

/** Counts the notes that the page plays. */
const countNotes = (page: Page) =>
  page.evaluate(() => {
    const { start } = OscillatorNode.prototype;
    Object.assign(window, { notes: 0 });
    OscillatorNode.prototype.start = function (this: OscillatorNode, ...args) {
      (window as unknown as { notes: number }).notes += 1;
      return start.apply(this, args);
    };
  });

test.each(PLACES)(
  'on $where 12.50 is taken at the till: typed, scanned, paid, with a sign and a sound, and the next sale is one tap away',
  async ({ options, most }) => {
    const page = await openInside(scene, merchant.account, '/console', options);
    const clicks = await countClicks(page);
    await goTo(page, 'Till');
    await page.getByRole('button', { name: 'Charge $0.00' }).waitFor();
    await countNotes(page);
    // As fast as a hand that knows its keys.
    await Promise.all([...'1250'].map((key) => page.keyboard.press(key)));
    await expectWellMade(page);
    await page.getByRole('button', { name: 'Charge $12.50' }).click();
    await page.getByText('Scan to pay').waitFor();
    await expectWellMade(page);
    const { totalUsd, lineItems } = await receiptOf(page);
    expect([totalUsd, lineItems[0]]).toMatchObject([12.56, { label: 'Payment', priceUsd: 12.5 }]);
    await pay(await linkOf(page));
    await page.locator('[data-sale="paid"]').waitFor();
    expect(await clicks()).toBeLessThanOrEqual(most);
    expect(await page.evaluate(() => (window as unknown as { notes: number }).notes)).toBe(2);
    await expectWellMade(page);
    await page.getByRole('link', { name: 'Next sale' }).click();
    await page.getByRole('button', { name: 'Charge $0.00' }).waitFor();
  },
);

test('a tip is a line of its own; the code of an open sale survives a reload', async () => {
  const page = await openInside(scene, merchant.account, '/console/till');
  for (const key of ['2', '00', '0', 'Erase the last digit', '0'])
    await page.getByRole('button', { name: key, exact: true }).click();
  await page.getByRole('button', { name: 'Tip of 15 %, $3.00' }).click();
  await page.getByRole('button', { name: 'Charge $23.00' }).click();
  const link = await linkOf(page);
  await page.reload();
  expect(await linkOf(page)).toBe(link);
  const { lineItems } = await receiptOf(page);
  expect(lineItems.slice(0, 2)).toMatchObject([{ priceUsd: 20 }, { label: 'Tip', priceUsd: 3 }]);
});

test('the till says which fee is added to the amount that it charges', async () => {
  const page = await openInside(scene, merchant.account, '/console/till');
  await page.getByText('0.5% processing fee is added').waitFor();
  await page.goto(`${shop.server.url}/console/new`);
  await page.getByText('0.5% processing fee is added').waitFor();
});

test('a sale whose answer was lost can be charged with another tip', async () => {
  const page = await openInside(scene, merchant.account, '/console/till', { denied: /ERR_FAILED/ });
  await page.getByText('0.5% processing fee is added').waitFor();
  await page.keyboard.type('2000');
  let lost = 0;
  await page.route('**/api/graphql', async (route) => {
    if (lost > 0 || !route.request().postData()?.includes('createTerminalReceipt')) return route.continue();
    lost += 1;
    await route.fetch();
    await route.abort();
  });
  await page.getByRole('button', { name: 'Charge $20.00' }).click();
  await page.getByText('The server cannot be reached').waitFor();
  expect(lost).toBe(1);
  await page.getByRole('button', { name: 'Tip of 10 %, $2.00' }).click();
  await page.getByText('The server cannot be reached').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Charge $22.00' }).click();
  await page.getByText('Scan to pay').waitFor();
  const { lineItems } = await receiptOf(page);
  expect(lineItems.slice(0, 2)).toMatchObject([{ priceUsd: 20 }, { label: 'Tip', priceUsd: 2 }]);
}, 120_000);

test('Enter in the search of the products searches, and makes no link of what was chosen', async () => {
  const page = await openInside(scene, merchant.account, '/console/new?of=items');
  await page.getByRole('button', { name: 'Add Stoneware mug' }).click();
  await page.getByRole('searchbox').fill('beans');
  const sold: string[] = [];
  page.on('request', (request) => {
    if (request.postData()?.includes('createOrder')) sold.push(request.url());
  });
  await page.keyboard.press('Enter');
  await page.waitForURL(/q=beans/);
  await page.getByRole('button', { name: 'Create a link for 1 product' }).waitFor();
  expect(sold).toEqual([]);
});

test('a product whose long name has no space stays inside the list on a narrow phone', async () => {
  const long = await shop.merchant();
  await saveItem(shop.server.deps, long.wallet, { sku: 'LONG', name: 'W'.repeat(120), priceUsd: 1, stockQty: -1 });
  const page = await openInside(scene, long.account, '/console/new?of=items', { viewport: narrow });
  await page.getByText('W'.repeat(120)).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(narrow.width);
});

test('the till can be installed: its manifest starts it, and its icon is a picture', async () => {
  const page = await openInside(scene, merchant.account, '/console/till');
  const path = (await page.locator('link[rel=manifest]').getAttribute('href')) as string;
  const { body, headers } = await shop.server.call('GET', path, {});
  expect(headers.get('content-type')).toContain('application/manifest+json');
  expect(body).toMatchObject({ start_url: '/console/till', scope: '/console', display: 'standalone' });
  const shown = await page.evaluate(async (src) => {
    const image = new Image();
    image.src = src;
    await image.decode();
    return image.naturalWidth > 0;
  }, body.icons[0].src as string);
  expect(shown).toBe(true);
});

test('a link for an amount and one for products are made, with a code, a note and an end, and show when they are paid', async () => {
  const page = await openInside(scene, merchant.account);
  await page.getByRole('link', { name: 'New payment' }).click();
  await page.getByLabel('Amount in USD').fill('80');
  await page.getByLabel('What it is for').fill('Deposit');
  await page.getByLabel('Expires after').selectOption('1 day');
  await expectWellMade(page);
  await page.getByRole('button', { name: 'Create a link for $80.00' }).click();
  await page.getByRole('heading', { name: 'Payment link for $80.40' }).waitFor();
  await page.getByRole('img', { name: 'QR code of the payment link' }).waitFor();
  await expectWellMade(page);
  const { expiresAt, createdAt, lineItems } = await receiptOf(page);
  expect(Math.round((expiresAt - createdAt) / 60_000)).toBe(1_440);
  expect(lineItems[0]).toMatchObject({ label: 'Deposit', priceUsd: 80 });
  await pay(await page.locator('.link-text').innerText());
  await page.locator('.link-card .status.tone-mark').waitFor();

  await page.goto(`${shop.server.url}/console/new?of=items`);
  await page.getByRole('button', { name: 'Add Stoneware mug' }).click();
  await page.getByRole('button', { name: 'Add Stoneware mug' }).click();
  await expectWellMade(page);
  await page.getByRole('button', { name: 'Create a link for 2 products' }).click();
  await page.getByRole('heading', { name: 'Payment link for $48.24' }).waitFor();
});
