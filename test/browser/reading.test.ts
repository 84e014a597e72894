import { Readable } from 'node:stream';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { importUsers } from '../../src/domain/people/users/import.ts';
import { saveItem } from '../../src/domain/shop/catalog/test/requests.ts';
import { makePlan } from '../support/subscriber.ts';
import { expectWellMade, phone, reaches, visit } from './browser.ts';
import { openScene } from './scene.ts';
import { type InjectedOptions, injectWallet } from './wallet.ts';

const { shop, browser } = await openScene();

const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
const ARABIC = 'متجر القهوة (الرياض)';

/** A page in the browser of somebody with a wallet. */
async function open(
  path: string,
  wallet: InjectedOptions = {},
  account = null as null | Parameters<typeof injectWallet>[2],
) {
  const owner = account ?? (await shop.buyer({ USDC: 1_000_000_000n }));
  return visit(browser, new URL(path, shop.server.url).href, {
    reducedMotion: 'reduce',
    before: (page) => injectWallet(page, shop, owner, { name: 'Rainy Day', ...wallet }),
  });
}

const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent?.trim() || 'nothing');

/** Presses what is named, without a mouse. */
async function press(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name }).focus();
  await page.keyboard.press('Enter');
}

test('a name of eighty letters, one read from right to left and an amount of millions are whole on a phone, and push nothing aside', async () => {
  for (const name of [LONG, ARABIC]) {
    const merchant = await shop.merchant(name);
    const item = { sku: 'LONG', name: `${name} ${name}`, priceUsd: 9_876_543.21, stockQty: -1 };
    await saveItem(shop.server.deps, merchant.wallet, item);
    const order = await shop.order(merchant, { items: [{ sku: 'LONG', qty: 1 }] });
    const plan = await makePlan(shop.server, merchant, { name: item.name, description: item.name });
    for (const path of [order.url, `/subscribe/${plan.planId}`]) {
      const page = await open(path);
      await expectWellMade(page);
      const brand = page.locator('.brand bdi');
      const direction = await brand.evaluate((element) => getComputedStyle(element).direction);
      expect(direction).toBe(name === ARABIC ? 'rtl' : 'ltr');
    }
  }
  const order = await shop.order(await shop.merchant(), { items: [{ sku: 'MUG', qty: 100_000 }] });
  const page = await visit(browser, order.url, phone);
  const lines = (element: Element) =>
    element.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(element).lineHeight);
  expect(await page.locator('.total').innerText()).toMatch(/^\$2,\d{3},\d{3}\.\d\d$/);
  expect(Math.round(await page.locator('.total').evaluate(lines))).toBe(1);
});

test('amount and address are copied at a press, and a screen reader hears of it', async () => {
  const order = await shop.order(await shop.merchant());
  const page = await visit(browser, order.url, { permissions: ['clipboard-read', 'clipboard-write'] });
  for (const what of ['amount', 'address']) {
    await press(page, `Copy ${what}`);
    await page.getByText(`Copied the ${what}.`).waitFor({ state: 'attached' });
    const shown = await page.locator(what === 'amount' ? '#amount .exact' : '#address').innerText();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shown.trim());
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(`Copy ${what}`);
  }
});

test('who pays without a mouse keeps the focus from the choice of a wallet to the end, and no currency is crossed out meanwhile', async () => {
  const order = await shop.order(await shop.merchant());
  let confirm = () => {};
  const asked = new Promise<void>((resolve) => {
    confirm = resolve;
  });
  const account = await shop.buyer({ USDC: 1_000_000_000n });
  const page = await open(
    order.url,
    {
      send: async ({ to, data }) => {
        await asked;
        return shop.walletOf(account).sendTransaction({ to, data });
      },
    },
    account,
  );
  await page.evaluate(() => {
    const info = { uuid: 'second', name: 'Second Wallet', icon: '', rdns: 'second' };
    const detail = { info, provider: { request: () => new Promise(() => {}) } };
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  });
  await press(page, 'Pay with browser wallet');
  await press(page, 'Rainy Day');
  await page.getByText('Confirm in your wallet').first().waitFor();
  expect(await focused(page)).toBe('pay-wallet');
  // Ether may be: it is offered once the split is deployed.
  const crossedOut = page
    .locator('.segment span', { hasNotText: 'ETH' })
    .evaluateAll((all) => all.map((one) => getComputedStyle(one).textDecorationLine));
  expect(new Set(await crossedOut)).toEqual(new Set(['none']));
  confirm();
  await page
    .locator('[data-stage="sent"], [data-stage="seen"], [data-stage="paid"], [data-stage="completed"]')
    .waitFor();
  expect(await focused(page)).toBe('stage-title');
  await reaches(page, 'completed');
  expect(await focused(page)).toBe('stage-title');
  await page.getByText('Payment settled.').waitFor({ state: 'attached' });
});

test('who cancels a plan, or signs in and out, without a mouse is led on by the focus', async () => {
  const merchant = await shop.merchant();
  const plan = await makePlan(shop.server, merchant);
  const page = await open(`/subscribe/${plan.planId}`);
  await press(page, 'Connect Rainy Day');
  await reaches(page, 'prepare');
  expect(await focused(page)).toBe('stage-title');
  await press(page, /^Subscribe for/);
  await reaches(page, 'past_due');
  await press(page, 'Cancel the subscription');
  expect(await focused(page)).toBe('cancel-title');
  await press(page, 'Keep it');
  expect(await focused(page)).toBe('ask-cancel');
  await page.keyboard.press('Enter');
  await press(page, 'Yes, cancel it');
  await reaches(page, 'cancelled');
  expect(await focused(page)).toBe('stage-title');

  const inside = await open('/console', {}, merchant.account);
  await press(inside, 'Sign in with Rainy Day');
  await inside.getByRole('button', { name: 'Sign out' }).waitFor();
  expect(await focused(inside)).toBe('content');
  await press(inside, 'Sign out');
  await reaches(inside, 'signed-out');
  await expect.poll(() => focused(inside)).toBe('Sign in to your shop');
});

test('who asks for the last of many people without a mouse goes on with the first that came', async () => {
  const now = Date.now();
  const people = Array.from({ length: 70 }, (_, n) => ({
    wallet: `0x${String(n).padStart(40, '0')}`,
    displayName: `Person ${n}`,
    live: true,
    spacePublic: true,
    liveSince: now - n * 60_000,
    lastHeartbeat: now,
  }));
  const lines = people.map((person) => JSON.stringify(person)).join('\n');
  await importUsers(shop.server.deps, Readable.from([Buffer.from(lines)]));
  const page = await visit(browser, `${shop.server.url}/live`);
  await press(page, 'Show more');
  await expect.poll(() => page.locator('.person').count(), { timeout: 30_000 }).toBe(70);
  expect(await focused(page)).toBe('Person 60');
});

test('each page with a wallet reports a wallet that stays on another network', async () => {
  const merchant = await shop.merchant();
  const [order, plan] = [await shop.order(merchant), await makePlan(shop.server, merchant)];
  for (const [path, button] of [
    [order.url, 'Pay with Rainy Day'],
    [`/subscribe/${plan.planId}`, 'Connect Rainy Day'],
    ['/console', 'Sign in with Rainy Day'],
  ] as const) {
    const page = await open(path, { chainId: 1, changes: 'refuses' });
    await page.getByRole('button', { name: button }).click();
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toBe(
      'Your wallet could not change to the local test chain. Choose that network there, or add it, and try again.',
    );
  }
});

test('a page that was open for longer than its token goes on with a new one; one that is cut off says so', async () => {
  const order = await shop.order(await shop.merchant());
  const page = await visit(browser, order.url, { denied: /ERR_INTERNET_DISCONNECTED|WebSocket|401/ });
  await page.evaluate(() => document.querySelector('meta[name="page-token"]')?.setAttribute('content', 'worn out'));
  await page.locator('label', { hasText: 'USDT' }).click();
  await page.locator('#amount', { hasText: 'USDT' }).waitFor();
  await page.context().setOffline(true);
  await page.locator('label', { hasText: 'USDC' }).click();
  await page.getByText('The server cannot be reached at the moment.').waitFor();
  expect(await page.getByRole('radio', { name: 'USDT' }).isChecked()).toBe(true);
  await page.context().setOffline(false);
  await page.locator('label', { hasText: 'USDC' }).click();
  await page.locator('#amount', { hasText: 'USDC' }).waitFor();
});

test('an address where nothing is shows people a page and tells programs in the one form of every error', async () => {
  const page = await visit(browser, `${shop.server.url}/nothing/here`);
  await page.getByRole('heading', { name: 'No page here' }).waitFor();
  await expectWellMade(page);
  const response = await shop.server.call('GET', '/nothing/here');
  expect([response.status, response.body.error]).toEqual([404, 'not_found']);
});

test('what a page loads comes packed where that is understood', async () => {
  const order = await shop.order(await shop.merchant());
  const [asset] = /\/_next\/static\/portal[^"]+\.js/.exec(await (await fetch(order.url)).text()) ?? [];
  const load = (encoding: string) => fetch(shop.server.url + asset, { headers: { 'accept-encoding': encoding } });
  const [packed, plain] = [await load('br, gzip'), await load('identity')];
  expect(packed.headers.get('content-encoding')).toBe('gzip');
  expect(plain.headers.get('content-encoding')).toBe(null);
  expect(packed.headers.get('vary')).toBe('accept-encoding');
  expect(await packed.text()).toBe(await plain.text());
});
