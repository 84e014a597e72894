import type { Page, Request } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Wallet } from '../../../src/base/core/wallet.ts';
import { expectWellMade, phone } from '../browser.ts';
import { openScene } from '../scene.ts';
import { openInside } from './inside.ts';

const scene = await openScene();
const { shop } = scene;
const merchant = await shop.merchant();
const session = { ...(await shop.server.signIn(merchant.account)), origin: shop.server.url };

async function ask(query: string) {
  const { body } = await shop.server.call('POST', '/api/graphql', { headers: session, body: { query } });
  expect(body.errors).toBeUndefined();
  return body.data;
}

const FIELDS = 'receiptId status totalUsd refundableUsd refundedUsd pricing { originalTotal }';
const read = async (id: string) => (await ask(`{ receipt(receiptId: "${id}") { ${FIELDS} } }`)).receipt;

/** A payment at the till in the currency of the shop, or another. */
async function sell(more = '') {
  const { createTerminalReceipt: receipt } = await ask(
    `mutation { createTerminalReceipt(input: { amount: 12.5 ${more} }) { ${FIELDS} } }`,
  );
  return receipt;
}

async function pay(receiptId: string): Promise<void> {
  const { quotePayment } = await ask(
    `mutation { quotePayment(receiptId: "${receiptId}", token: "USDC") { amount payTo } }`,
  );
  const amount = BigInt(quotePayment.amount);
  const buyer = await shop.buyer({ USDC: amount });
  await shop.transfer(buyer, 'USDC', quotePayment.payTo as Wallet, amount);
  await expect.poll(async () => (await read(receiptId)).status, { timeout: 60_000 }).toMatch(/paid|completed/);
}

/** Requests a refund; as it is in the list of refunds. */
async function requestRefund(receiptId: string, usd: number) {
  await ask(
    `mutation { refundReceipt(input: { receiptId: "${receiptId}", wallet: "${merchant.wallet}", usd: ${usd},
       buyer: "0x${'12'.repeat(20)}" }) { id } }`,
  );
  return (await ask('{ refunds(first: 1) { nodes { usd amount currency } } }')).refunds.nodes[0];
}

/** The statistics follow the receipts within seconds. */
const STATISTICS = { timeout: 30_000, interval: 1_000 };

/** The sales of today that the first page shows when it is loaded again. */
async function salesToday(page: Page): Promise<string | null> {
  await page.reload();
  await page.locator('.figures[aria-busy="false"]').waitFor();
  return page.locator('.figure', { hasText: 'Today' }).locator('.figure-value').textContent();
}

test('a shop that prices in euros reads its amounts in euros, and refunds in euros', async () => {
  await ask('mutation { updatePricingConfig(input: { nativeCurrency: EUR }) { nativeCurrency } }');
  const receipt = await sell();
  const euros = `€${receipt.pricing.originalTotal.toFixed(2)}`;
  await pay(receipt.receiptId);

  const page = await openInside(scene, merchant.account);
  await expect.poll(() => salesToday(page), STATISTICS).toBe(euros);
  await expectWellMade(page);

  await page.goto(`${shop.server.url}/console/receipts`);
  await page.locator('.receipt-row', { hasText: euros }).getByRole('link').click();
  await page.getByRole('heading', { level: 1, name: euros }).waitFor();
  await page.getByText(`$${receipt.totalUsd.toFixed(2)} at the exchange rate of its time`).waitFor();
  const lines = await page.locator('.lines .number').allTextContents();
  expect(lines).toEqual(expect.arrayContaining(['€12.50', euros]));
  expect(lines.join()).not.toContain('$');

  await page.getByRole('button', { name: 'Refund' }).click();
  const amount = page.getByLabel('Amount in EUR');
  // The styles of the buttons that open a dialog end at its edge.
  await page.setViewportSize(phone.viewport);
  const cross = (await page.getByRole('dialog').getByRole('button', { name: 'Close' }).boundingBox())!;
  const field = (await amount.boundingBox())!;
  expect(cross.x + cross.width).toBe(field.x + field.width + 12);
  expect(await amount.inputValue()).toBe(receipt.pricing.originalTotal.toFixed(2));
  await page.getByText(`At most ${euros}`).waitFor();
  // All of it is all of it, to the cent of the payment.
  await page.getByText(`Your wallet will send ${receipt.totalUsd} USDC`).waitFor();
  await amount.fill('5');
  const usd = Math.round((5 * receipt.totalUsd * 100) / receipt.pricing.originalTotal) / 100;
  await page.getByText(`Your wallet will send ${usd} USDC`).waitFor();
  await amount.fill((receipt.pricing.originalTotal + 0.01).toFixed(2));
  await page.getByText('Enter an amount up to what is left').waitFor();

  expect(await requestRefund(receipt.receiptId, usd)).toEqual({ usd, amount: 5, currency: 'EUR' });
  await page.goto(`${shop.server.url}/console/refunds`);
  await page.locator('.refund-row', { hasText: '€5.00' }).waitFor();
  await page.getByText('1 refund, €5.00').waitFor();
  await page.context().close();
});

/** A variable of one of the queries of a page: they share one request, which numbers their variables. */
const variableOf = (request: Request, name: string): unknown =>
  Object.entries(request.postDataJSON().variables).find(([each]) => each.replace(/_\d+$/, '') === name)?.[1];

test.each([
  ['UTC', 'Days begin at midnight UTC.', [0]],
  ['Pacific/Auckland', 'Days begin at midnight in Pacific/Auckland.', [12, 13]],
])('in %s today is the shop’s on the first page and in the list, wherever the reader is', async (zone, said, hours) => {
  await ask(`mutation { updateShopProfile(input: { timeZone: "${zone}" }) { id } }`);
  // In Los Angeles it is still the day before when this is read, so that a day of the reader would be another one.
  const page = await openInside(scene, merchant.account, '/console', { timezoneId: 'America/Los_Angeles' });
  const figures = page.waitForRequest((request) => request.postData()?.includes('receiptStats') ?? false);
  const leadText = async () => {
    await page.reload();
    await page.locator('.figures[aria-busy="false"]').waitFor();
    return page.locator('main').textContent();
  };
  // The statistics are counted in the days of the zone within seconds.
  await expect.poll(leadText, STATISTICS).toContain(said);
  expect(variableOf(await figures, 'to')).toBe('today');
  const day = new Date().toISOString().slice(0, 10);
  await page.clock.setFixedTime(new Date(`${day}T02:00:00Z`));
  await page.goto(`${shop.server.url}/console/receipts`);
  const listed = page.waitForRequest((request) => request.postData()?.includes('createdFrom') ?? false);
  await page.getByRole('combobox', { name: 'Period' }).selectOption('Today');
  const filter = variableOf(await listed, 'filter') as Record<string, number>;
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // Auckland is 13 hours ahead in summer, 12 in winter.
  expect(hours).toContain((midnight - filter.createdFrom!) / 3_600_000);
  expect(filter.createdTo).toBe(filter.createdFrom! + 86_400_000 - 1);
  await page.getByText(said).waitFor();
  await expectWellMade(page);
  await page.context().close();
});

test('receipts in another currency stand beside those in the currency of the shop', async () => {
  const dollars = await sell('currency: USD');
  await pay(dollars.receiptId);
  const page = await openInside(scene, merchant.account);
  await expect
    .poll(() => salesToday(page), STATISTICS)
    .toMatch(new RegExp(`^€\\d+\\.\\d\\d \\+ \\$${dollars.totalUsd.toFixed(2).replace('.', '\\.')}$`));
  await page.getByText('Sales by day, in US dollars').first().waitFor();
  await page.goto(`${shop.server.url}/console/receipts`);
  await page.locator('.receipt-row', { hasText: `$${dollars.totalUsd.toFixed(2)}` }).waitFor();
  await page.context().close();
});

test('the chart of these sales does not make the page wider, also before it is drawn again', async () => {
  const page = await openInside(scene, merchant.account);
  // The chart is never drawn again, as in the frame after the page was resized.
  await page.addInitScript(() => {
    window.ResizeObserver = class {
      observe() {}
      unobserve() {}
      disconnect() {}
    };
  });
  await page.setViewportSize({ width: 660, height: 900 });
  await page.reload();
  await page.locator('.chart canvas').waitFor();
  // The navigation comes to the side, and leaves the chart less than before.
  await page.setViewportSize({ width: 860, height: 900 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(860);
  await page.context().close();
});
