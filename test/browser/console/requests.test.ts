import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PAGES } from '../../../src/doors/pages/console/app/registry.ts';
import { openScene } from '../scene.ts';
import { openInside } from './inside.ts';

const scene = await openScene();
const { shop } = scene;
const merchant = await shop.merchant();

const { receiptId } = await shop.order(merchant);
const records = [{ name: 'receipt', path: `/console/receipts/${receiptId}` }];

/** The documents that the page sends to the API from now on. */
function documentsOf(page: Page): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/graphql')) sent.push(request.postData() ?? '');
  });
  return sent;
}

/** Waits for the title of a page, and for what it reads. */
async function isRead(page: Page, title: string): Promise<void> {
  await page.waitForFunction((wanted) => document.title.startsWith(wanted), title);
  await expect.poll(() => page.locator('main [aria-busy="true"]').count()).toBe(0);
}

const opened = PAGES.filter(
  ({ path, permission }) => !path.includes(':') && permission !== 'operator' && path !== '/console/join',
);

test('no page of the console costs more than one request, with the frame and the session', async () => {
  const page = await openInside(scene, merchant.account, '/console');
  const costs: Record<string, string[]> = {};
  for (const { name, path } of [...opened, ...records]) {
    await page.goto('about:blank');
    const tab = await page.context().newPage();
    costs[name] = documentsOf(tab);
    await tab.goto(shop.server.url + path, { waitUntil: 'networkidle' });
    await tab.locator('main h1').first().waitFor();
    await tab.close();
  }
  expect(Object.entries(costs).filter(([, sent]) => sent.length !== 1)).toEqual([]);
});

test('a page that is changed to costs one request at most', async () => {
  const page = await openInside(scene, merchant.account, '/console');
  await isRead(page, 'Home');
  const sent = documentsOf(page);
  const pages = opened.filter(({ icon }) => icon !== null);
  for (const { path, title } of pages) {
    await page.locator(`.side .nav a[href="${path}"]`).click();
    await isRead(page, title());
  }
  const names = sent.map((text) => /query (\w+)|mutation (\w+)/.exec(text)?.[0] ?? text.slice(0, 90));
  expect(sent.length, names.join(', ')).toBeLessThanOrEqual(pages.length);
});

test('a limit that is reached is a line over the page, which goes on by itself', async () => {
  const page = await openInside(scene, merchant.account, '/console/receipts', { denied: /429/ });
  await isRead(page, 'Receipts');
  let refused = 0;
  await page.route('**/api/graphql', async (route) => {
    if (refused++ > 0) return route.continue();
    const errors = [
      { message: 'Rate limit exceeded', extensions: { code: 'rate_limited', resetAt: Date.now() + 1_500 } },
    ];
    return route.fulfill({ status: 429, json: { errors } });
  });
  await page.reload();
  await page.getByText('The page goes on by itself').waitFor();
  expect(await page.locator('.side .nav').isVisible()).toBe(true);
  await isRead(page, 'Receipts');
  await expect.poll(() => page.locator('.line').textContent()).toBe('');
  expect(await page.getByText('Rate limit exceeded').count()).toBe(0);
  expect(refused).toBeGreaterThan(1);
});
