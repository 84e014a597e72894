import { expect, test } from 'vitest';
import type { Wallet } from '../../../src/base/core/wallet.ts';
import { countReceipts } from '../../../src/domain/reports/statistics/count.ts';
import type { ReceiptKey } from '../../../src/domain/sales/receipts/read.ts';
import { expectWellMade } from '../browser.ts';
import { openScene } from '../scene.ts';
import { openInside, PLACES } from './inside.ts';

const DAY_MS = 86_400_000;
const scene = await openScene();
const { shop } = scene;
const { db } = shop.server.deps;
const merchant = await shop.merchant();

const made: ReceiptKey[] = [];

/** An order that was paid some days ago, and of which some cents went back. Its total. */
async function sold(daysAgo: number, qty: number, refundedCents = 0): Promise<number> {
  const order = await shop.order(merchant, { items: [{ sku: 'BEANS', qty }] });
  const { receiptId } = order;
  const headers = { ...(await shop.server.signIn(merchant.account)), origin: shop.server.url };
  const query = `mutation { quotePayment(receiptId: "${receiptId}", token: "USDC") { amount payTo } }`;
  const { body } = await shop.server.call('POST', '/api/graphql', { headers, body: { query } });
  const { amount, payTo } = body.data.quotePayment;
  const buyer = await shop.buyer({ USDC: BigInt(amount) });
  await shop.transfer(buyer, 'USDC', payTo as Wallet, BigInt(amount));
  await expect.poll(() => order.status(), { timeout: 60_000 }).toBe('completed');
  await db.orm.em.fork().execute(
    `update receipts set created_at = created_at - ?::int8, closed_at = closed_at - ?::int8,
       refunded_cents = ? where id = ?`,
    [daysAgo * DAY_MS, daysAgo * DAY_MS, refundedCents, receiptId],
  );
  made.push({ merchant: merchant.wallet, receiptId });
  return order.totalUsd;
}

const usd = (amount: number) => `$${amount.toFixed(2)}`;

test('Home says net, gross and refunded, compares with last week and last year, and names the days of its chart', async () => {
  const today = await sold(0, 3, 1_000);
  const lastWeek = await sold(7, 2);
  const lastYear = await sold(364, 1, 500);
  for (const { options } of PLACES) {
    const page = await openInside(scene, merchant.account, '/console', { ...options, locale: 'en-US' });
    const figure = (name: string) => page.locator('.figure', { hasText: name });
    // The server may count a receipt beside this, as it was before its days were changed.
    const netToday = async () => {
      await db.transaction((uow) => countReceipts(uow, made));
      await page.reload();
      await page.locator('.figures[aria-busy="false"]').waitFor();
      return figure('Today').locator('.figure-value').innerText();
    };
    await expect.poll(netToday, { timeout: 30_000 }).toBe(usd(today - 10));
    const notes = ['1 payment', `net of ${usd(today)}, $10.00 refunded`, `${usd(lastWeek)} a week ago`];
    expect(await figure('Today').locator('.soft').innerText()).toBe(
      [...notes, `${usd(lastYear - 5)} a year ago`].join(' · '),
    );
    await figure('Last 7 days')
      .getByText(usd(today - 10))
      .waitFor();
    expect(await figure('Last 7 days').locator('.soft').innerText()).toContain(
      `${usd(lastWeek)} the week before · ${usd(lastYear - 5)} in this week of last year`,
    );
    const now = Math.floor(Date.now() / DAY_MS);
    const days = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short', timeZone: 'UTC' });
    const range = days.formatRange((now - 13) * DAY_MS, now * DAY_MS);
    const words = (text: string) => text.replaceAll(/\s/g, ' ');
    expect(words(await page.locator('.chart-card .figure-name').innerText())).toBe(words(`Sales by day: ${range}`));
    // The table for screen readers has the numbers of the chart.
    const shown = await page.locator('.chart-card td').allTextContents();
    expect([shown.length, shown.at(-1), shown.at(-8)]).toEqual([14, usd(today - 10), usd(lastWeek)]);
    await page.locator('.chart canvas').waitFor();
    await expectWellMade(page);
  }
});
