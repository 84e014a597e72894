import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PAGES } from '../../../src/doors/pages/console/app/registry.ts';
import { newAccount } from '../../support/server.ts';
import { openScene } from '../scene.ts';
import { openInside } from './inside.ts';
import { openRecords } from './records.ts';

const operator = newAccount();
const scene = await openScene({ env: { PLATFORM_ADMINS: operator.address } });
const { shop } = scene;
const merchant = await shop.merchant();
const { addressOf } = await openRecords(shop, merchant);

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

/** What a page needs in its address beside the path. */
const QUERIES: Readonly<Record<string, string>> = {
  connect: '?name=Medusa&return_url=https://medusa.test/back&code_challenge=abc',
};

/** The address of an invitation to the shop. */
async function invitation(): Promise<string> {
  const headers = { ...(await shop.server.signIn(merchant.account)), origin: shop.server.url };
  const query = 'mutation { inviteMember(role: cashier, label: "Ada") { url } }';
  const { body } = await shop.server.call('POST', '/api/graphql', { headers, body: { query } });
  const { pathname, hash } = new URL(body.data.inviteMember.url);
  return pathname + hash;
}

test('no page of the console costs more than one request, with the frame and the session', async () => {
  const [ofShop, ofServer] = [
    await openInside(scene, merchant.account, '/console'),
    await openInside(scene, operator, '/console/operator'),
  ];
  const costs: Record<string, string[]> = {};
  for (const { name, path, permission } of PAGES) {
    const tab = await (permission === 'operator' ? ofServer : ofShop).context().newPage();
    costs[name] = documentsOf(tab);
    const address = name === 'join' ? await invitation() : addressOf(path) + (QUERIES[name] ?? '');
    await tab.goto(shop.server.url + address, { waitUntil: 'networkidle' });
    await tab.locator('h1:not([aria-busy="true"] *)').first().waitFor();
    await expect.poll(() => tab.locator('[aria-busy="true"]').count()).toBe(0);
    expect(await tab.getByRole('alert').count(), name).toBe(0);
    await tab.close();
  }
  const texts = Object.entries(costs).filter(([, sent]) => sent.length !== 1);
  expect(texts.map(([name, sent]) => [name, ...sent.map((text) => text.slice(0, 90))])).toEqual([]);
});

test('a page that is changed to costs one request at most', async () => {
  const page = await openInside(scene, merchant.account, '/console');
  await isRead(page, 'Home');
  const sent = documentsOf(page);
  const pages = PAGES.filter(({ icon, permission }) => icon !== null && permission !== 'operator');
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
