import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { reaches, visit } from './browser.ts';
import { openScene } from './scene.ts';

const { shop, browser } = await openScene();

const small = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

/** How many letters of an element stand in each of its lines. */
const lettersByLine = (page: Page, selector: string): Promise<number[]> =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const lines = new Map<number, number>();
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode())
        for (let n = 0; n < (node.textContent ?? '').length; n += 1) {
          const range = document.createRange();
          range.setStart(node, n);
          range.setEnd(node, n + 1);
          const { top, width } = range.getBoundingClientRect();
          if (width > 0) lines.set(Math.round(top / 8), (lines.get(Math.round(top / 8)) ?? 0) + 1);
        }
      return [...lines.values()];
    });

test('an amount and its symbol stay on one line at 360 px, and an address fills its lines evenly, on a phone, a tablet and a desktop', async () => {
  const order = await shop.order(await shop.merchant(), { items: [{ sku: 'MUG', qty: 20_000 }] });
  for (const viewport of [small.viewport, { width: 768, height: 1024 }, { width: 1280, height: 900 }]) {
    const page = await visit(browser, order.url, { viewport });
    if (viewport.width < 600) await page.getByText(/^Send .* USDC$/).click();
    expect(await lettersByLine(page, '#amount')).toHaveLength(1);
    const address = await lettersByLine(page, '#address');
    expect(address.reduce((sum, letters) => sum + letters, 0)).toBe(42);
    expect(new Set(address).size).toBe(1);
    expect(await page.getByText('Copy', { exact: true }).first().isVisible()).toBe(true);
    if (viewport.width > 1_000) {
      // Side by side, the left part has no gap.
      const [head, items] = [await page.locator('.head').boundingBox(), await page.locator('.items').boundingBox()];
      expect(Math.abs(items!.y - head!.y - head!.height)).toBeLessThan(3);
    }
  }
}, 240_000);

test('a settled page at 360 px keeps amounts whole, shows what was paid, and writes every date in one style and zone', async () => {
  const order = await shop.order(await shop.merchant());
  const page = await visit(browser, order.url, { ...small, timezoneId: 'America/New_York' });
  await page.getByText(/^Send .* USDC$/).click();
  await page.getByText('See the items').click();
  const asked = (await page.locator('#amount').innerText()).trim();
  await page.getByRole('button', { name: 'Pay with a test wallet' }).click();
  await reaches(page, 'completed', 60_000);
  await page.getByRole('heading', { name: 'Where the payment went' }).waitFor();
  expect(await page.locator('.exact-paid').innerText()).toBe(asked);
  for (const price of await page.locator('.price, .exact-paid').all())
    expect(
      await price.evaluate((element) => element.getClientRects().length + Math.round(element.scrollWidth / 1e6)),
    ).toBe(1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  const times = await page.locator('time').allInnerTexts();
  expect(times.length).toBeGreaterThanOrEqual(4);
  const zones = times.map((time) => /^(?:\d{1,2} [A-Z][a-z]{2,3} \d{4}, )?\d\d:\d\d (\S+)$/.exec(time)?.[1] ?? time);
  expect(new Set(zones)).toEqual(new Set([zones[0]]));
  expect(zones[0]).toMatch(/^(E[SD]T|GMT-[45])$/);
}, 240_000);
