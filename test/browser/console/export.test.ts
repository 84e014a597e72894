import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectWellMade } from '../browser.ts';
import { openScene } from '../scene.ts';
import { countClicks, goTo, openInside, PLACES, voidAsMerchant } from './inside.ts';

/** The middle of the month before this one, and of the one before that. */
const monthsAgo = (months: number): number => {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 15, 12);
};

let at: number | null = null;
const scene = await openScene({ clock: () => at ?? Date.now() });
const { shop } = scene;
const merchant = await shop.merchant();
const email = (name: string) => ({ buyerEmail: `${name}@shop.test` });
at = monthsAgo(2);
await shop.order(merchant, email('earlier'));
at = monthsAgo(1);
const adas = await shop.order(merchant, email('ada'));
at += 60_000;
const lastMonth = [adas, await shop.order(merchant, { ...email('grace'), transactionId: '=cart' })];
await voidAsMerchant(shop.server, merchant, lastMonth[1]!.receiptId);
at = null;
await shop.order(merchant, email('today'));

type Cells = Record<string, string>;

/** Chooses the download in the open dialog; the name and the text of the file. */
async function download(page: Page) {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog').getByRole('link', { name: 'Download' }).click(),
  ]);
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') };
}

test.each(PLACES)('on $where the receipts of last month are exported, and no others', async ({ options, most }) => {
  const page = await openInside(scene, merchant.account, '/console', options);
  const clicks = await countClicks(page);
  await goTo(page, 'Receipts');
  await page.getByRole('combobox', { name: 'Period' }).selectOption('Last month');
  const rows = page.getByRole('list', { name: 'Receipts' }).getByRole('listitem');
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('dialog', { name: 'Export what is shown' }).waitFor();
  await expectWellMade(page);
  const { name, text } = await download(page);
  expect(await clicks()).toBeLessThanOrEqual(most);
  // The period is in the name, not the day of the download.
  const [month] = new Date(monthsAgo(1)).toISOString().split('-15T');
  expect(name).toMatch(new RegExp(`^receipts-${month}-01-to-${month}-\\d\\d\\.csv$`));
  const exported: Cells[] = parse(text, { columns: true });
  const wanted = lastMonth.toReversed();
  expect(exported.map(({ receiptId, totalUsd }) => [receiptId, totalUsd])).toEqual(
    wanted.map(({ receiptId, totalUsd }) => [receiptId, totalUsd.toFixed(2)]),
  );
  expect(exported.map(({ buyerEmail, transactionId }) => [buyerEmail, transactionId])).toEqual([
    ['grace@shop.test', "'=cart"],
    ['ada@shop.test', ''],
  ]);
  expect(exported.map(({ createdAt }) => Date.parse(createdAt!) - monthsAgo(1))).toEqual([60_000, 0]);
});

test('what a search shows is exported as lines in the chosen format', async () => {
  const page = await openInside(scene, merchant.account, '/console/receipts?q=grace&show=failed');
  await expect.poll(() => page.getByRole('list', { name: 'Receipts' }).getByRole('listitem').count()).toBe(1);
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('combobox', { name: 'One row for each' }).selectOption('Line of a receipt');
  await page.getByRole('combobox', { name: 'Format' }).selectOption('JSON lines, for programs');
  const { name, text } = await download(page);
  expect(name).toMatch(/^receipt-lines-[\d-]+\.jsonl$/);
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { receiptId: string; amountUsd: number });
  expect(new Set(lines.map(({ receiptId }) => receiptId))).toEqual(new Set([lastMonth[1]!.receiptId]));
  const cents = lines.reduce((sum, { amountUsd }) => sum + Math.round(amountUsd * 100), 0);
  expect(cents).toBe(Math.round(lastMonth[1]!.totalUsd * 100));
});

test('an export without a receipt is a sentence, not an empty file', async () => {
  const page = await openInside(scene, merchant.account, '/console/receipts?q=nothing-like-this');
  await page.getByText('No receipt matches').waitFor();
  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('there is nothing to export').waitFor();
  expect(await dialog.getByRole('link', { name: 'Download' }).count()).toBe(0);
  await expectWellMade(page);
});

test('a shop whose days are those of UTC exports its times in UTC, wherever the reader is', async () => {
  const page = await openInside(scene, merchant.account, '/console/receipts?do=export', {
    timezoneId: 'Pacific/Auckland',
  });
  await page.getByText('Times are in the zone UTC.').waitFor();
  const { text } = await download(page);
  const exported: Cells[] = parse(text, { columns: true });
  expect(exported.map(({ createdAt }) => createdAt?.slice(-1))).toEqual(exported.map(() => 'Z'));
});
