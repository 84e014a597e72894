import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openRelay } from '../../support/relay.ts';
import { startTestServer } from '../../support/server.ts';
import { expectWellMade, visit } from '../browser.ts';
import { openScene } from '../scene.ts';
import { injectWallet } from '../wallet.ts';
import { openInside, signIn } from './inside.ts';

const scene = await openScene();
const { shop, browser } = scene;

const BOMB = '<img src=x onerror="document.title=\'owned\'">';

const rowOf = (page: Page, receiptId: string) => page.locator(`[data-key="${receiptId}"]`);

test('a merchant watches an order being made, paid and split, without a reload; the old address leads there', async () => {
  const merchant = await shop.merchant('Kaldi', { name: `Kaldi ${BOMB}` });
  const earlier = await shop.order(merchant);
  const page = await openInside(scene, merchant.account, '/live/receipts');
  expect(new URL(page.url()).pathname).toBe('/console/live');
  await rowOf(page, earlier.receiptId).getByText('Created').waitFor();
  const { receiptId, totalUsd, url } = await shop.order(merchant);
  const row = rowOf(page, receiptId);
  await row.getByText('Stoneware mug × 2, Espresso beans, 250 g').waitFor({ timeout: 30_000 });
  expect(await row.getByText(`$${totalUsd.toFixed(2)}`).isVisible()).toBe(true);
  const loaded = await page.evaluate(() => performance.timeOrigin);

  const seen: string[] = [];
  await page.exposeFunction('sawStatus', (status: string) => void (seen.at(-1) !== status && seen.push(status)));
  await row.evaluate((element) => {
    const look = () =>
      (window as unknown as { sawStatus(s: string): void }).sawStatus((element as HTMLElement).dataset.status!);
    look();
    new MutationObserver(look).observe(element, { attributes: true });
  });
  const buyer = await visit(browser, url);
  await row.getByText('the buyer has opened the page').waitFor();
  await buyer.getByRole('button', { name: 'Pay with a test wallet' }).click();
  await row.getByText('Settled').waitFor({ timeout: 30_000 });
  const way = ['generated', 'pending', 'tx_mined', 'paid', 'completed'];
  // What follows within one drawing is drawn once; never is anything out of order.
  expect(way.filter((status) => seen.includes(status))).toEqual(seen);
  expect(seen.at(0)).toBe('generated');
  expect(await page.locator('.live-row').first().getAttribute('data-key')).toBe(receiptId);
  expect(await page.locator('.live-row').count()).toBe(2);
  expect(await page.evaluate(() => performance.timeOrigin)).toBe(loaded);
  expect(await page.locator('img, [onerror]').count()).toBe(0);
  await expectWellMade(page);
});

test('cut off and back, it goes on after the last change that it saw: what happened meanwhile is there, once', async () => {
  const relay = await openRelay('http://127.0.0.1:9');
  const server = await startTestServer({ env: { BASE_URL: relay.url.replace(/\/$/, '') } });
  relay.leadTo(server.url);
  const merchant = await server.merchant();
  const make = (id: string) =>
    server.call('POST', '/api/receipts', {
      headers: merchant.auth,
      body: { id, lineItems: [{ label: `Thing ${id}`, priceUsd: 5 }] },
    });
  const reports = (receiptId: string, status: string) =>
    server.call('POST', '/api/receipts/status', {
      headers: merchant.auth,
      body: { receiptId, status, wallet: merchant.wallet },
    });
  await make('a');
  // While it is cut off the browser complains, as it should.
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const page = await context.newPage();
  await injectWallet(page, shop, merchant.account);
  await page.goto(`${relay.url}console/live`);
  await signIn(page);
  await rowOf(page, 'a').waitFor();
  for (const id of ['b', 'c']) {
    await relay.cut();
    await page.getByText('Reconnecting…').waitFor({ timeout: 30_000 });
    await make(id);
    expect((await reports('a', id === 'b' ? 'link_opened' : 'checkout_initialized')).status).toBe(200);
    await relay.mend();
    await rowOf(page, id).waitFor({ timeout: 30_000 });
    await rowOf(page, 'a')
      .getByText(id === 'b' ? 'has opened the page' : 'is about to pay')
      .waitFor();
  }
  expect(await page.locator('.live-row').count()).toBe(3);
  await expect.poll(() => page.locator('.line').getAttribute('data-up')).toBe('true');
  await context.close();
  await server.stop();
});
