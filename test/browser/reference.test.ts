import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { routes } from '../../src/doors/rest/routes.ts';
import { makeReceipt } from '../support/receipt.ts';
import { openRelay } from '../support/relay.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { openBrowser, visit } from './browser.ts';

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer(), openBrowser()]);
});
afterAll(async () => {
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
  // The reference links to it, with the documentation of the schema beside the editor.
  await page.goto(`${server.url}/docs`);
  await page.getByRole('navigation', { name: 'References' }).getByRole('link', { name: 'GraphiQL' }).click();
  await page.getByRole('link', { name: 'Query', exact: true }).first().click();
  await page.getByRole('link', { name: 'siteConfig' }).first().waitFor();
  expect(asked.filter((url) => !url.startsWith(`${server.url}/`) && !/^(blob|data):/.test(url))).toEqual([]);
}, 240_000);

test('the GraphQL reference shows types and fields with their descriptions, also where GraphiQL is switched off, from its own server alone', async () => {
  const closed = await startTestServer({ env: { GRAPHIQL: 'off' } });
  onTestFinished(() => closed.stop());
  const asked: string[] = [];
  const page = await visit(browser, `${closed.url}/docs`, {
    before: async (fresh) => void fresh.on('request', (request) => asked.push(request.url())),
  });
  const links = page.getByRole('navigation', { name: 'References' });
  await links.getByRole('link', { name: 'GraphQL', exact: true }).click();
  await page.waitForURL(`${closed.url}/docs/graphql`);
  expect(await links.getByRole('link', { name: 'GraphiQL' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Query', exact: true }).first().click();
  await page.getByRole('link', { name: 'auditLog' }).first().click();
  await page.getByText('The audit log of the merchant, newest first by default.').waitFor();
  await page.getByRole('link', { name: 'AuditFilter' }).first().click();
  await page.getByText('Conditions on entries; all that are given must hold.').first().waitFor();
  // There is nothing to run here.
  expect(await page.getByRole('button', { name: /Execute/ }).count()).toBe(0);
  await page.waitForLoadState('networkidle');
  expect(asked.filter((url) => !url.startsWith(`${closed.url}/`) && !/^(blob|data):/.test(url))).toEqual([]);
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

test('an EventSource of a browser resumes by itself after its connection was cut, without a gap or a repeat', async () => {
  const merchant = await server.merchant();
  const session = await server.signIn(merchant.account);
  const receiptId = await makeReceipt(server, merchant);
  const report = (status: string) =>
    server.call('POST', '/api/receipts/status', {
      headers: merchant.auth,
      body: { receiptId, wallet: merchant.wallet, status },
    });
  const relay = await openRelay(server.url);
  const page = await visit(browser, `${relay.url}docs/errors`, {
    denied: /ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE/,
    before: async (fresh) => {
      const cookies = (session.cookie as string).split('; ').map((pair) => pair.split('=') as [string, string]);
      await fresh.context().addCookies(cookies.map(([name, value]) => ({ name, value, url: relay.url })));
    },
  });
  const seen: number[] = [];
  // The address asks for every event each time; only `Last-Event-ID` says where to resume.
  await page.exposeFunction('sawSeq', (seq: number) => void seen.push(seq));
  await page.evaluate((id) => {
    const search = new URLSearchParams({
      query: 'subscription ($id: ID!, $after: Int) { receiptStatus(receiptId: $id, afterSeq: $after) { seq } }',
      variables: JSON.stringify({ id, after: 0 }),
    });
    const source = new EventSource(`/api/graphql?${search}`);
    const { sawSeq } = window as unknown as { sawSeq(seq: number): void };
    source.addEventListener('next', (event) => sawSeq(JSON.parse(event.data).data.receiptStatus.seq));
  }, receiptId);
  await report('link_opened');
  await expect.poll(() => seen, { timeout: 30_000 }).toEqual([1, 2]);
  await relay.cut();
  await report('buyer_logged_in');
  await relay.mend();
  await report('checkout_initialized');
  await expect.poll(() => seen, { timeout: 30_000 }).toEqual([1, 2, 3, 4]);
}, 120_000);
