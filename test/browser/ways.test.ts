import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { startTestChain } from '../../src/base/chain/test/anvil.ts';
import { LOCAL_CHAIN_ID, SLOW_CHAIN_ID } from '../../src/base/core/local-chains.ts';
import { newAccount } from '../support/server.ts';
import { desktop, expectAccessible, expectWellMade, phone, reaches, visit } from './browser.ts';
import { openScene } from './scene.ts';
import { injectWallet } from './wallet.ts';

const second = await startTestChain([], SLOW_CHAIN_ID);
afterAll(() => second.stop());
const { shop, browser } = await openScene({
  env: {
    CHAIN_ID: String(LOCAL_CHAIN_ID),
    CHAINS: JSON.stringify([{ chainId: SLOW_CHAIN_ID, rpcUrl: second.rpcUrl, confirmations: 0 }]),
  },
});

const fox = (page: Page) => injectWallet(page, shop, newAccount(), { name: 'Fox Wallet' });
const heightOf = (page: Page) => page.evaluate(() => document.documentElement.scrollHeight);

/** The sum of the moves that the reader did not cause. */
const shiftOf = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        const add = (list: PerformanceEntryList) => {
          for (const entry of list as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
            if (!entry.hadRecentInput) sum += entry.value;
        };
        const observer = new PerformanceObserver((list) => add(list.getEntries()));
        observer.observe({ type: 'layout-shift', buffered: true });
        requestAnimationFrame(() =>
          requestAnimationFrame(() => {
            add(observer.takeRecords());
            resolve(sum);
          }),
        );
      }),
  );

/** The buttons that are seen, from top to bottom. */
const buttonsOf = (page: Page) =>
  page.locator('#stage .button:visible').evaluateAll((all) => all.map((one) => one.textContent?.trim()));

test('a phone does not see seven ways to pay at once, nor a code that only another device can scan, on a page of 1,100 pixels', async () => {
  const order = await shop.order(await shop.merchant());
  for (const before of [undefined, fox]) {
    const page = await visit(browser, order.url, { ...phone, before });
    await page.locator('.script-only:visible').first().waitFor();
    if (before) await page.getByRole('button', { name: 'Pay with Fox Wallet' }).waitFor();
    expect(await heightOf(page)).toBeLessThanOrEqual(1_100);
    expect(await page.locator('#stage .button.primary:visible').count()).toBe(1);
    expect((await buttonsOf(page)).length).toBe(3);
    expect(await page.locator('.qr svg').isVisible()).toBe(false);
    expect(await shiftOf(page)).toBeLessThan(0.01);
    await expectAccessible(page);
  }
});

test('what a phone folds is a tap away, and stays open while the page goes on', async () => {
  const order = await shop.order(await shop.merchant());
  const page = await visit(browser, order.url, { ...phone, before: fox });
  await page.getByText('Other ways to pay').click();
  await page.getByText(/^Send .* USDC$/).click();
  await page.getByText('See the items').click();
  await page.getByText('Add your e-mail address').click();
  for (const name of ['Pay with a test wallet', 'Pay with a test card', 'Sign instead', 'Copy amount', 'Copy address'])
    expect(await page.getByRole('button', { name }).isVisible()).toBe(true);
  expect(await page.getByRole('link', { name: 'Open in your wallet app' }).isVisible()).toBe(true);
  expect(await page.getByLabel('Your e-mail address').isVisible()).toBe(true);
  await page.getByText('Stoneware mug').waitFor();
  const [copy, code] = [page.getByRole('button', { name: 'Copy address' }), page.locator('.qr')];
  expect((await code.boundingBox())!.y).toBeGreaterThan((await copy.boundingBox())!.y);
  await page.getByText('Does your wallet not read the code?').click();
  expect(await page.locator('.plain-qr').isVisible()).toBe(true);
  await expectWellMade(page);
  await page.getByRole('radio', { name: 'USDT', exact: true }).check();
  await page.locator('#amount', { hasText: 'USDT' }).waitFor();
  expect(await page.getByRole('button', { name: 'Pay with a test wallet' }).isVisible()).toBe(true);
  await page.getByRole('button', { name: 'Pay with a test wallet' }).click();
  await reaches(page, 'completed');
});

test('a desktop shows the code for the phone at once, and folds only what is left of the other ways', async () => {
  const order = await shop.order(await shop.merchant());
  for (const before of [undefined, fox]) {
    const page = await visit(browser, order.url, { ...desktop, before });
    if (before) await page.getByRole('button', { name: 'Pay with Fox Wallet' }).waitFor();
    expect(await page.locator('.qr svg').isVisible()).toBe(true);
    expect(await page.locator('.line').first().isVisible()).toBe(true);
    expect((await buttonsOf(page)).length).toBe(2);
    expect(await shiftOf(page)).toBeLessThan(0.01);
  }
});

test('with more than four tokens the network is a step of its own, by keyboard and without the script too', async () => {
  const order = await shop.order(await shop.merchant());
  const page = await visit(browser, order.url);
  const networks = page.getByRole('group', { name: 'Network' }).getByRole('radio');
  const network = page.locator('.field', { hasText: 'Network' }).locator('dd').first();
  expect(await page.locator('input[name=symbol]').count()).toBeGreaterThan(2);
  expect(await networks.count()).toBe(2);
  await networks.nth(1).check();
  await network.getByText('second').waitFor();
  await page.getByRole('radio', { name: 'USDC', exact: true }).focus();
  await page.keyboard.press('ArrowLeft');
  await page.locator('#amount', { hasText: 'EURC' }).waitFor();
  await page.keyboard.press('ArrowLeft');
  await page.locator('#amount', { hasText: 'ETH' }).waitFor();
  await network.getByText('second').waitFor();
  expect(await networks.nth(1).isChecked()).toBe(true);
  // A currency that is not taken there is on the network where it is.
  await page.keyboard.press('ArrowLeft');
  await page.locator('#amount', { hasText: 'USDT' }).waitFor();
  expect(await networks.count()).toBe(1);

  const plain = await visit(browser, order.url, { ...phone, javaScriptEnabled: false });
  await plain.getByRole('radio', { name: 'ETH', exact: true }).check();
  await plain.getByRole('radio', { name: /^the second local test chain/ }).check();
  await plain.getByRole('button', { name: 'Show this amount' }).click();
  await plain.getByText(/^Send .* ETH$/).click();
  await plain.locator('#amount', { hasText: 'ETH' }).waitFor();
  await plain.locator('.field', { hasText: 'Network' }).getByText('the second local test chain').waitFor();
  expect(await plain.locator('.qr svg').isVisible()).toBe(true);
  expect(await plain.getByRole('link', { name: 'Open in your wallet app' }).isVisible()).toBe(true);
});
