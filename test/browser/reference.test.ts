import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { routes } from '../../src/rest/routes.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { launchBrowser, visit } from './browser.ts';

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

test('the root address redirects to the API reference, which shows every route, loads only from its own server and respects its policy', async () => {
  const asked: string[] = [];
  const page = await visit(browser, server.url, {
    before: async (fresh) => void fresh.on('request', (request) => asked.push(request.url())),
  });
  expect(page.url()).toBe(`${server.url}/docs`);
  await page.getByRole('heading', { name: 'Quittance' }).first().waitFor();
  for (const { summary } of routes) {
    await page.getByRole('link', { name: summary }).or(page.getByText(summary)).first().waitFor({ state: 'attached' });
  }
  await page.getByText('Create or update a product').first().click();
  await page.getByText('/api/inventory').first().waitFor();
  await page.waitForLoadState('networkidle');
  expect(asked.length).toBeGreaterThan(3);
  expect(asked.filter((url) => !url.startsWith(`${server.url}/`))).toEqual([]);
}, 240_000);

test('GraphiQL loads from its own server alone', async () => {
  const asked: string[] = [];
  const page = await visit(browser, `${server.url}/api/graphql`, {
    before: async (fresh) => void fresh.on('request', (request) => asked.push(request.url())),
  });
  await page.locator('.graphiql-container, .graphiql-query-editor').first().waitFor({ timeout: 60_000 });
  expect(asked.filter((url) => !url.startsWith(`${server.url}/`) && !/^(blob|data):/.test(url))).toEqual([]);
}, 240_000);

test('the reference has short names in its menu, and the header key is the chosen way to authenticate', async () => {
  for (const { summary } of routes) expect(summary.length, summary).toBeLessThanOrEqual(32);
  const page = await visit(browser, `${server.url}/docs`);
  await page.getByText('SubscriptionKey').first().waitFor();
  expect(await page.getByText('No authentication selected').count()).toBe(0);
}, 240_000);

test('a deep link leads to its operation, and draws no ring around the whole of it', async () => {
  const page = await visit(browser, `${server.url}/docs#tag/orders/POST/api/orders`);
  await page.getByRole('heading', { name: 'Create an order' }).first().waitFor();
  const focused = await page.waitForFunction(() => {
    const { activeElement } = document;
    if (!activeElement || activeElement === document.body) return null;
    const { outlineStyle, boxShadow } = getComputedStyle(activeElement);
    return { element: activeElement.cloneNode(false) as Element, outlineStyle, boxShadow };
  });
  const ring = await focused.evaluate((found) => ({ ...found!, element: found!.element.outerHTML }));
  expect([ring.outlineStyle, ring.boxShadow], ring.element).toEqual(['none', 'none']);
}, 60_000);

test('the viewer comes packed where that is understood, to be kept for ever, and only under the address of its bytes', async () => {
  const page = await server.call('GET', '/docs');
  const [path = ''] = /\/_next\/static\/viewer\.[0-9A-F]{8}\.js/.exec(page.body) ?? [];
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self';");
  for (const [accepted, encoding] of [
    ['gzip', 'gzip'],
    ['identity', null],
  ] as const) {
    const viewer = await server.call('GET', path, { headers: { 'accept-encoding': accepted } });
    expect(viewer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(viewer.headers.get('content-encoding')).toBe(encoding);
    expect(viewer.body).toContain('createApiReference');
  }
  expect((await server.call('GET', '/_next/static/viewer.00000000.js')).status).toBe(404);
});
