import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { readPdf } from '../support/pdf.ts';
import { expectAccessible, phone, reaches, visit } from './browser.ts';
import { BUYER } from './buyer.ts';
import { openScene } from './scene.ts';
import type { Order } from './shop.ts';

const { shop, browser } = await openScene();

const receiptUrl = (order: Order) => order.url.replace('?', '/receipt?');

/** Pays an order on its page, to the end. */
async function payInFull(order: Order): Promise<Page> {
  const page = await visit(browser, order.url);
  await page.getByRole('button', { name: 'Pay with a test wallet' }).click();
  await reaches(page, 'completed');
  return page;
}

const textOf = async (page: Page) => (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ');

test('a paid receipt is printed on A4 and Letter with all that is on it: who, what, tax, fee, payment, who got what, refunds', async () => {
  const merchant = await shop.merchant('Kaldi Coffee Roasters');
  const order = await shop.order(merchant, { ...BUYER, transactionId: 'PO-1815' });
  const portal = await payInFull(order);
  await portal.getByRole('heading', { name: 'Where the payment went' }).waitFor();
  expect(await portal.locator('.share:not(.rounding)').count()).toBe(2);
  // The parts and what rounding left are the payment, to the base unit.
  const parts = await portal.locator('.share .price').allInnerTexts();
  const paid = await portal.locator('.exact-paid').innerText();
  const units = (text: string) => BigInt(Math.round(Number.parseFloat(text) * 1e6));
  expect(parts.reduce((sum, part) => sum + units(part), 0n)).toBe(units(paid));
  await portal.getByRole('link', { name: 'Print or save the receipt' }).click();
  await portal.getByRole('heading', { name: 'Receipt', level: 1 }).waitFor();

  const session = await shop.server.signIn(merchant.account);
  const refund = await shop.server.call('POST', '/api/receipts/refund', {
    headers: session,
    body: {
      receiptId: order.receiptId,
      wallet: merchant.wallet,
      buyer: `0x${'b0'.repeat(20)}`,
      usd: 14.5,
      items: [{ label: 'Stale beans', priceUsd: 14.5, qty: 1 }],
    },
  });
  expect(refund.status).toBe(200);
  await portal.reload();

  const { body: record } = await shop.server.call('GET', `/api/receipts/${order.receiptId}`, {
    headers: merchant.auth,
  });
  for (const [format, width] of [
    ['A4', 595],
    ['Letter', 612],
  ] as const) {
    const { pages } = readPdf(await portal.pdf({ format, preferCSSPageSize: false }));
    expect(pages).toHaveLength(1);
    expect(Math.abs(pages[0]!.widthPt - width)).toBeLessThan(1.5);
    for (const words of [
      'Kaldi Coffee Roasters',
      'Ada Lovelace',
      'ada@buyer.example',
      'London, SW1Y 4JH',
      'United Kingdom',
      'PO-1815',
      order.receiptId,
      'Stoneware mug2$48.00',
      'Espresso beans, 250 g1$14.50',
      'Subtotal$62.50',
      'Tax2 %$0.96',
      'Processing Fee$0.32',
      'Total$63.78',
      record.transactionHash,
      'Platform',
      'Stale beans',
      '$14.50',
    ])
      expect(pages[0]!.text).toContain(words.replaceAll(/\s/g, ''));
    expect(pages[0]!.text).not.toContain('Printorsave');
  }
});

test('a receipt in euros shows euros and dollars, the rate and where it came from', async () => {
  const merchant = await shop.merchant();
  const saved = await shop.server.call('POST', '/api/inventory', {
    headers: merchant.auth,
    body: { sku: 'CUP', name: 'Espresso cup', price: 20, currency: 'EUR', stockQty: -1, taxable: true },
  });
  expect(saved.status).toBe(200);
  const order = await shop.order(merchant, { items: [{ sku: 'CUP', qty: 1 }], currency: 'EUR', taxRate: 0.19 });
  const page = await payInFull(order);
  await page.goto(receiptUrl(order));
  const text = await textOf(page);
  expect(text).toContain('Espresso cup 1 €20.00');
  expect(text).toMatch(/Total €23\.92 \$\d+\.\d\d/);
  expect(text).toMatch(/1 EUR = [\d.]+ USD, as of .* \(static\)/);
});

test('it is accessible in light and dark, fits a phone of 320 pixels, works without its script and stays out of search engines', async () => {
  const order = await shop.order(await shop.merchant(), BUYER);
  await payInFull(order);
  const page = await visit(browser, receiptUrl(order), { ...phone, reducedMotion: 'reduce' });
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  const plain = await visit(browser, receiptUrl(order), { javaScriptEnabled: false });
  expect(await textOf(plain)).toContain('Total $63.78');
  expect(await plain.getByRole('button', { name: /Print/ }).count()).toBe(0);
  expect(await plain.locator('meta[name="robots"]').getAttribute('content')).toContain('noindex');
  await plain.getByRole('link', { name: 'Back to the payment page' }).click();
  await plain.getByRole('link', { name: 'Print or save the receipt' }).waitFor();
});

test('what is not paid is no receipt and leads to where it is paid; what is not there is not found', async () => {
  const order = await shop.order(await shop.merchant());
  const unpaid = await fetch(receiptUrl(order), { redirect: 'manual' });
  expect([unpaid.status, new URL(unpaid.headers.get('location')!, order.url).href]).toEqual([303, order.url]);
  for (const path of [
    '/portal/R-nothing/receipt',
    `/portal/${order.receiptId}/receipt?recipient=0x12`,
    '/portal/%00/receipt',
  ])
    expect((await fetch(shop.server.url + path)).status).toBe(404);
});

test('the page of an id that can be guessed is read-only without its key, and its printed receipt names no buyer', async () => {
  const merchant = await shop.merchant();
  const made = await shop.server.call('POST', '/api/receipts', {
    headers: merchant.auth,
    body: { id: '1001', lineItems: [{ label: 'Table 7', priceUsd: 12 }], ...BUYER },
  });
  expect(made.status).toBe(201);
  const url = `${shop.server.url}/portal/1001?recipient=${merchant.wallet}`;
  const stranger = await visit(browser, url);
  const refused: string[] = [];
  stranger.on('response', async (answer) => {
    if (answer.url().endsWith('/api/graphql') && (await answer.text()).includes('forbidden'))
      refused.push(answer.url());
  });
  await stranger.locator('#amount').waitFor();
  await stranger.getByRole('radio', { name: 'USDT' }).check();
  await stranger.locator('#amount', { hasText: 'USDT' }).waitFor();
  for (const absent of ['Pay with a test wallet', 'Pay with a test card', 'Save'])
    expect([absent, await stranger.getByRole('button', { name: absent }).count()]).toEqual([absent, 0]);
  await expectAccessible(stranger);

  const page = await payInFull({ receiptId: '1001', totalUsd: 12, url: made.body.paymentUrl, status: async () => '' });
  await reaches(stranger, 'completed');
  expect(refused).toEqual([]);
  await stranger.getByRole('link', { name: 'Print or save the receipt' }).click();
  await stranger.getByRole('heading', { name: 'Receipt', level: 1 }).waitFor();
  const text = await textOf(stranger);
  expect(text).toContain('Table 7');
  expect(text).not.toMatch(/Lovelace|ada@|London/);
  await page.getByRole('link', { name: 'Print or save the receipt' }).click();
  await page.getByRole('heading', { name: 'Receipt', level: 1 }).waitFor();
  expect(await textOf(page)).toContain('Ada Lovelace');
});

test('markup in names and addresses shows as text on the receipt', async () => {
  const bomb = '<img src=x onerror="document.title=\'owned\'">';
  const order = await shop.order(await shop.merchant(`Shop ${bomb}`), { firstName: bomb, transactionId: bomb });
  const page = await payInFull(order);
  await page.goto(receiptUrl(order));
  expect(await textOf(page)).toContain(bomb);
  expect(await page.locator('img[src="x"]').count()).toBe(0);
  expect(await page.title()).not.toBe('owned');
});

// Contract: orders.option-email
test('where no e-mail address is known the buyer may leave one, once; where the order gave one the page does not ask', async () => {
  const merchant = await shop.merchant();
  const [asked, given] = [await shop.order(merchant), await shop.order(merchant, { buyerEmail: 'ada@buyer.example' })];
  const quiet = await visit(browser, given.url);
  await quiet.locator('#amount').waitFor();
  expect(await quiet.getByLabel(/E-mail/).count()).toBe(0);
  expect(await quiet.content()).not.toContain('ada@buyer.example');

  const [page, late] = [await visit(browser, asked.url), await visit(browser, asked.url)];
  const field = page.getByLabel('Your e-mail address (optional)');
  // The browser takes this one, and the server does not.
  await field.fill('two..dots@buyer.example');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('This is not a valid e-mail address.').first().waitFor();
  await field.fill('no-address');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true);
  await expectAccessible(page);
  await field.fill('grace@buyer.example');
  await field.press('Enter');
  await page.locator('#email-note', { hasText: 'Saved.' }).waitFor();
  const { body } = await shop.server.call('GET', `/api/receipts/${asked.receiptId}`, { headers: merchant.auth });
  expect(body.billingAddress).toEqual({ email: 'grace@buyer.example' });
  await late.getByLabel('Your e-mail address (optional)').fill('late@buyer.example');
  await late.getByRole('button', { name: 'Save' }).click();
  await late.locator('#email-note', { hasText: 'This order already has an e-mail address.' }).waitFor();
  await page.reload();
  await page.locator('#amount').waitFor();
  expect(await page.getByLabel(/E-mail/).count()).toBe(0);
});
