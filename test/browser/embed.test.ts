import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { build } from 'esbuild';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { WORDS } from '../../src/client/generated/words.ts';
import { root } from '../gates/sources.ts';
import { ask } from '../graphql/ask.ts';
import { chromiumArgs, findChromium } from '../support/services/chromium.ts';
import { expectAccessible, phone, type Visit, visit } from './browser.ts';
import { openScene } from './scene.ts';
import { injectWallet } from './wallet.ts';

const { shop } = await openScene();
const { server } = shop;

/** A browser without cookies of third parties. */
let browser: Browser;
beforeAll(async () => {
  const args = [...chromiumArgs, '--test-third-party-cookie-phaseout'];
  browser = await chromium.launch({ executablePath: findChromium(), args, timeout: 120_000 });
});
afterAll(() => browser?.close());

/** The strictest policy that docs/embed.md names. */
const policy = (ours: string) =>
  `default-src 'none'; script-src 'self' ${ours}; frame-src ${ours}; style-src 'self'; base-uri 'none'; form-action 'none'`;

const LISTEN = `
  window.events = [];
  for (const name of ['seen', 'paid', 'ended', 'closed'])
    document.addEventListener(name, ({ detail }) => events.push(name + ' ' + detail.receipt));
`;

/** A shop's page on another site, which shows the payment of a receipt as these attributes say. */
async function openPage(markup: string, script = LISTEN): Promise<string> {
  const html = `<!doctype html><html lang="en"><title>Shop</title><meta name="viewport" content="width=device-width">
    <main><h1>Your basket</h1>${markup}<p id="below">Below the payment</p></main>
    <script src="/page.js"></script><script src="${server.url}/embed.js"></script></html>`;
  const site = createServer(({ url }, response) => {
    response.setHeader('content-security-policy', policy(server.url));
    const isScript = url === '/page.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8');
    response.end(isScript ? script : url === '/thanks' ? '<title>Thanks</title><h1>Thank you</h1>' : html);
  });
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
  onTestFinished(() => void site.close());
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
}

const merchant = await shop.merchant();
async function list(...embedOrigins: string[]): Promise<void> {
  const query = 'mutation ($o: [String!]) { updateShopConfig(input: { embedOrigins: $o }) { embedOrigins } }';
  const { body } = await ask(server, await server.signIn(merchant.account), query, { o: embedOrigins });
  expect(body.data.updateShopConfig).toEqual({ embedOrigins });
}

async function ordered(body: object = {}): Promise<{ receiptId: string; checkoutToken: string }> {
  const items = [{ sku: 'MUG', qty: 1 }];
  const answer = await server.call('POST', '/api/orders', { headers: merchant.auth, body: { items, ...body } });
  return { receiptId: answer.body.receipt.receiptId, checkoutToken: answer.body.checkoutToken };
}

const tag = ({ receiptId, checkoutToken }: Awaited<ReturnType<typeof ordered>>, more = '', content = 'Pay now') =>
  `<quittance-checkout receipt="${receiptId}" token="${checkoutToken}" ${more}>${content}</quittance-checkout>`;

/** Sums how far the parts of a document move, in the page and in the frame. */
function countShift(): void {
  const counted = Object.assign(window, { shift: 0 });
  new PerformanceObserver((seen) => {
    const [painted] = performance.getEntriesByName('first-paint');
    // Chromium also reports what moves from a layout that waits for its stylesheet and is never painted.
    for (const entry of seen.getEntries())
      if (painted && entry.startTime >= painted.startTime)
        counted.shift += (entry as unknown as { value: number }).value;
  }).observe({ type: 'layout-shift', buffered: true });
}

/** Expects that next to nothing has moved, in the page and in the frame. */
async function expectStill(page: Page): Promise<void> {
  const shifts = await Promise.all(
    page.frames().map((one) => one.evaluate(() => (window as unknown as { shift: number }).shift)),
  );
  expect(shifts).toHaveLength(2);
  expect(Math.max(...shifts), String(shifts)).toBeLessThanOrEqual(0.05);
}

/** A page of a shop with a payment, whose origin is listed. */
async function embedded(more: string, options: Visit = {}, body: object = {}) {
  const order = await ordered(body);
  const site = await openPage(tag(order, more));
  await list(site);
  const before = async (opened: Page) => {
    await opened.addInitScript(countShift);
    await options.before?.(opened);
  };
  const page = await visit(browser, site, { ...options, before });
  const events = () => page.evaluate(() => (window as unknown as { events: string[] }).events);
  return { ...order, site, page, events, frame: page.frameLocator('iframe[title="Payment"]') };
}

/** Pays what the frame asks for, from another device. */
async function payFrom(frame: ReturnType<Page['frameLocator']>): Promise<void> {
  const buyer = await shop.buyer({ USDC: 1_000_000_000n });
  const [whole = '', fraction = ''] = (await frame.locator('#amount .exact').innerText()).split('.');
  const payTo = (await frame.locator('#address').innerText()).trim().toLowerCase();
  await shop.transfer(buyer, 'USDC', payTo as never, BigInt(whole + fraction.padEnd(6, '0')));
}

test('a payment in its place on a page with a strict policy is paid by code, tells its events, and shifts nothing', async () => {
  const { page, frame, events, receiptId } = await embedded('inline');
  await frame.locator('[data-stage="waiting"]').waitFor();
  await expectAccessible(page);
  await payFrom(frame);
  await frame.locator('[data-stage="completed"], [data-stage="paid"]').waitFor();
  await expect.poll(events).toEqual([`seen ${receiptId}`, `paid ${receiptId}`]);
  await expectStill(page);
  expect(await page.context().cookies()).toEqual([]);
  await expectAccessible(page);
}, 120_000);

test('a wallet of the shop’s page pays in a dialog of its page, by two presses, and the buyer returns to the shop', async () => {
  const account = await shop.buyer({ USDC: 1_000_000_000n });
  const returnUrl = 'http://127.0.0.1:9/thanks';
  const { page, frame, events, receiptId } = await embedded(
    '',
    {
      before: (opened) => injectWallet(opened, shop, account, { name: 'Parent Wallet', topOnly: true }),
      denied: /ERR_/,
    },
    { returnUrl },
  );
  await page.getByRole('button', { name: 'Pay now' }).click();
  await frame.locator('[data-stage="waiting"]').waitFor();
  await expectAccessible(page);
  await expectStill(page);
  expect(await frame.getByRole('button', { name: /test wallet/i }).count()).toBe(0);
  const left = page.waitForRequest((request) => request.url().startsWith(returnUrl), { timeout: 90_000 });
  await frame.locator('[data-action="pay-wallet"]').click();
  await frame.locator('[data-stage="completed"], [data-stage="paid"]').waitFor();
  await expect.poll(events).toEqual([`seen ${receiptId}`, `paid ${receiptId}`]);
  expect((await left).isNavigationRequest()).toBe(true);
}, 120_000);

test('Escape, the button and Back close the dialog, also from within the frame, and its opener has the focus again', async () => {
  const { page, frame, events, receiptId, site } = await embedded('', phone);
  const opener = page.getByRole('button', { name: 'Pay now' });
  const closed = () => page.locator('dialog').waitFor({ state: 'detached' });
  const open = async () => {
    await opener.click();
    await frame.locator('[data-stage="waiting"]').waitFor();
  };
  await open();
  await page.keyboard.press('Escape');
  await closed();
  expect(await opener.evaluate((element) => element === document.activeElement)).toBe(true);
  await open();
  await frame.locator('summary').first().focus();
  await page.keyboard.press('Escape');
  await closed();
  await open();
  await page.getByRole('button', { name: 'Close' }).click();
  await closed();
  await open();
  await page.goBack();
  await closed();
  expect(new URL(page.url()).origin).toBe(site);
  expect(await events()).toEqual(Array(4).fill(`closed ${receiptId}`));
}, 120_000);

test('the button, the dialog and the form have the language of the element, and the form changes it in its place', async () => {
  const order = await ordered();
  const site = await openPage(tag(order, 'lang="ar"', ''));
  await list(site);
  const page = await visit(browser, site);
  await page.getByRole('button', { name: WORDS.ar.pay, exact: true }).click();
  await page.getByRole('dialog', { name: WORDS.ar.payment }).waitFor();
  const frame = page.frameLocator(`iframe[title="${WORDS.ar.payment}"]`);
  await frame.locator('html[lang="ar"][dir="rtl"] [data-stage="waiting"]').waitFor();
  await expectAccessible(page);
  await frame.locator('nav a[hreflang="fr"]').click();
  await frame.locator('html[lang="fr"][dir="ltr"] [data-stage="waiting"]').waitFor();
  expect(page.url()).toBe(`${site}/`);
  await frame.locator('details:has(#address) > summary').click();
  await payFrom(frame);
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { events: string[] }).events), { timeout: 60_000 })
    .toEqual([`seen ${order.receiptId}`, `paid ${order.receiptId}`]);
  await page.getByRole('button', { name: WORDS.ar.close }).click();
  await page.locator('dialog').waitFor({ state: 'detached' });
}, 120_000);

test('a receipt that ends while it is shown tells the page so', async () => {
  const { frame, events, receiptId } = await embedded('inline');
  await frame.locator('[data-stage="waiting"]').waitFor();
  const session = await server.signIn(merchant.account);
  const query = `mutation { voidReceipt(receiptId: "${receiptId}") { status } }`;
  await server.call('POST', '/api/graphql', { headers: session, body: { query } });
  await expect.poll(events).toEqual([`ended ${receiptId}`]);
}, 120_000);

test('no page of an origin that is not listed shows the payment', async () => {
  const order = await ordered();
  const site = await openPage(tag(order, 'inline'));
  await list('https://shop.example');
  const page = await visit(browser, site, { denied: /frame-ancestors|Framing/ });
  await expect
    .poll(() => Promise.all(page.frames().map((one) => one.url())))
    .toEqual([`${site}/`, expect.stringMatching(/^chrome-error:/)]);
});

/** What a channel of the frame carries, as anyone may send it to a window. */
const FORGED = [
  { type: 'stage', stage: 'paid' },
  { type: 'go', url: 'https://evil.test/' },
  { type: 'escape' },
  { type: 'call', id: 1, wallet: 'uuid-Parent Wallet', method: 'eth_sendTransaction', params: [{}] },
  { type: 'call', id: 2, wallet: 'page', method: 'personal_sign', params: [] },
  { type: 'answer', id: 1, result: ['0x0'] },
  { type: 'wallet', info: { uuid: 'x', name: 'Evil', icon: '', rdns: '' } },
  { type: 'quittance' },
];

test('of 1,000 messages that the page or a foreign one forges none is accepted, by the page, the frame or a wallet', async () => {
  const account = await shop.buyer({ USDC: 1_000_000_000n });
  const asked: string[] = [];
  const order = await ordered();
  const site = await openPage(tag(order, 'inline'));
  await list(site);
  const evil = await visit(browser, await openPage(''));
  const context = evil.context();
  const opened = context.waitForEvent('page');
  await evil.evaluate(() => Object.assign(window, { victim: window.open('about:blank') }));
  const page = await opened;
  await injectWallet(page, shop, account, { name: 'Parent Wallet', topOnly: true, onAsk: (m) => void asked.push(m) });
  await page.goto(site);
  // From the foreign page: to the shop's page and, before and after its greeting, to the frame.
  const forge = () =>
    evil.evaluate((messages) => {
      const { victim } = window as unknown as { victim: Window };
      const greetings: MessagePort[] = [];
      for (let n = 0; n < 16; n++)
        for (const message of messages) {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => greetings.push(port1);
          victim.postMessage(message, '*');
          victim.frames[0]?.postMessage(message, '*', [port2]);
        }
      Object.assign(window, { greetings });
    }, FORGED);
  await forge();
  const frame = page.frameLocator('iframe[title="Payment"]');
  await frame.getByText('Pay with Parent Wallet').waitFor();
  await forge();
  const before = asked.length;
  // From the shop's own page, whose frame has its channel already.
  await page.evaluate((messages) => {
    const inner = document.querySelector('iframe')!.contentWindow!;
    for (let n = 0; n < 95; n++)
      for (const message of messages) {
        window.postMessage(message, '*');
        inner.postMessage(message, '*', [new MessageChannel().port2]);
      }
  }, FORGED);
  // The frame answers after all of them.
  await frame.locator('input[value="ETH"]').check();
  await expect.poll(() => frame.locator('#amount').innerText()).toContain('ETH');
  expect(await page.evaluate(() => (window as unknown as { events: string[] }).events)).toEqual([]);
  expect(await evil.evaluate(() => (window as unknown as { greetings: unknown[] }).greetings.length)).toBe(0);
  expect(asked.slice(before)).toEqual([]);
  expect(await frame.getByText('Evil').count()).toBe(0);
  expect(page.url()).toBe(`${site}/`);
}, 120_000);

test('a wallet is asked for nothing but what a payment needs, whatever the frame asks', async () => {
  const account = await shop.buyer({ USDC: 1_000_000_000n });
  const asked: string[] = [];
  const { page, frame } = await embedded('inline', {
    before: (opened) =>
      injectWallet(opened, shop, account, { name: 'Parent Wallet', topOnly: true, onAsk: (m) => void asked.push(m) }),
  });
  await frame.getByText('Pay with Parent Wallet').waitFor();
  const inner = page.frames().find((one) => one.url().includes('/embed/'))!;
  const refused = await inner.evaluate(async () => {
    const methods = ['personal_sign', 'eth_sign', 'wallet_requestPermissions', 'wallet_sendCalls'];
    const seen = new Promise<{ request(call: object): Promise<unknown> }>((done) =>
      window.addEventListener('eip6963:announceProvider', (event) => done((event as CustomEvent).detail.provider)),
    );
    window.dispatchEvent(new Event('eip6963:requestProvider'));
    const provider = await seen;
    return Promise.all(methods.map((method) => provider.request({ method, params: [] }).catch(({ code }) => code)));
  });
  expect(refused).toEqual([4200, 4200, 4200, 4200]);
  expect(asked.filter((method) => !/^eth_(?:accounts|chainId)$/.test(method))).toEqual([]);
}, 120_000);

test('a card pays from within the frame: its page and the way back have the whole tab', async () => {
  const { page, frame } = await embedded('inline');
  await frame.getByRole('button', { name: 'Pay with a test card' }).click();
  await page.waitForURL('**/onramp/sandbox/*');
  await page.getByRole('button', { name: /^Pay \$/ }).click();
  await page.waitForURL('**/portal/*');
  await page.locator('[data-stage="completed"]').waitFor();
}, 120_000);

test('on a phone the dialog has the whole screen, leads to apps of wallets with the whole tab, and is paid', async () => {
  const { page, frame, events, receiptId } = await embedded('', { ...phone, denied: /registered handler/ });
  await page.getByRole('button', { name: 'Pay now' }).tap();
  await frame.locator('[data-stage="waiting"]').waitFor();
  const { width, height } = (await page.locator('dialog').boundingBox())!;
  expect([width, height]).toEqual([phone.viewport.width, phone.viewport.height]);
  await expectAccessible(page);
  const inner = page.frames().find((one) => one.url().includes('/embed/'))!;
  expect(await inner.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  const targets = await inner.evaluate(() =>
    [...document.querySelectorAll<HTMLAnchorElement>('a[href]')].map((link) => {
      link.addEventListener('click', (event) => event.preventDefault(), { once: true });
      link.click();
      return [new URL(link.href).pathname === location.pathname, link.target];
    }),
  );
  expect(targets.filter(([isHere, target]) => target === (isHere ? '_top' : ''))).toEqual([]);
  // The app of a wallet gets the address of the link and nothing else, and pays what it says.
  const app = frame.locator('[data-action="open-wallet"]');
  await app.tap();
  const [, payTo, amount] = /^ethereum:0x\w+@\d+\/transfer\?address=(0x\w{40})&uint256=(\d+)$/.exec(
    (await app.getAttribute('href'))!,
  )!;
  const buyer = await shop.buyer({ USDC: 1_000_000_000n });
  await shop.transfer(buyer, 'USDC', payTo!.toLowerCase() as never, BigInt(amount!));
  await expect.poll(events, { timeout: 60_000 }).toEqual([`seen ${receiptId}`, `paid ${receiptId}`]);
  await expectStill(page);
}, 120_000);

test('the component for React shows a payment in its place, reports it, and goes with its page', async () => {
  const order = await ordered();
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { createElement, render } from 'preact';
        import { useEffect, useRef } from 'preact/hooks';
        import { checkoutFor } from './src/client/react.ts';
        window.events = [];
        const Checkout = checkoutFor({ createElement, useEffect, useRef });
        const props = ${JSON.stringify({ url: server.url, receipt: order.receiptId, token: order.checkoutToken })};
        const app = document.getElementById('app');
        render(createElement(Checkout, { ...props, onEvent: (event) => events.push(event) }), app);
        window.leave = () => render(null, app);`,
      resolveDir: root,
      loader: 'ts',
    },
    bundle: true,
    write: false,
  });
  const site = await openPage('<div id="app"></div>', outputFiles[0]!.text);
  await list(site);
  const page = await visit(browser, site);
  const frame = page.frameLocator('iframe[title="Payment"]');
  await frame.locator('[data-stage="waiting"]').waitFor();
  await payFrom(frame);
  const events = () => page.evaluate(() => (window as unknown as { events: string[] }).events);
  await expect.poll(events, { timeout: 60_000 }).toEqual(['seen', 'paid']);
  await page.evaluate(() => (window as unknown as { leave(): void }).leave());
  expect(await page.locator('iframe').count()).toBe(0);
  // The library runs what cleans up after the removal.
  await expect.poll(events).toEqual(['seen', 'paid', 'closed']);
}, 120_000);
