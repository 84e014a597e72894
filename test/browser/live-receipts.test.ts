import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openRelay } from '../support/relay.ts';
import { newAccount, startTestServer, type TestAccount } from '../support/server.ts';
import { expectWellMade, reaches, visit } from './browser.ts';
import { openScene } from './scene.ts';
import { type InjectedOptions, injectWallet, WalletError } from './wallet.ts';

const { shop, browser } = await openScene();

const BOMB = '<img src=x onerror="document.title=\'owned\'">';

/** The page, in a browser that has this account's wallet. */
const open = (account: TestAccount, options: InjectedOptions = {}) =>
  visit(browser, `${shop.server.url}/live/receipts`, {
    reducedMotion: 'reduce',
    before: (page) => injectWallet(page, shop, account, options),
  });

async function signIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign in with browser wallet' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

const rowOf = (page: Page, receiptId: string) => page.locator(`[data-key="${receiptId}"]`);

test('a merchant signs in with its wallet and watches an order being made, paid and split, without a reload', async () => {
  const merchant = await shop.merchant('Kaldi', { name: `Kaldi ${BOMB}` });
  const earlier = await shop.order(merchant);
  const page = await open(merchant.account);
  await expectWellMade(page);
  await signIn(page);
  const { receiptId, totalUsd, url } = await (async () => {
    await rowOf(page, earlier.receiptId).getByText('Created').waitFor();
    return shop.order(merchant);
  })();
  const row = rowOf(page, receiptId);
  await row.getByText('Stoneware mug × 2, Espresso beans, 250 g').waitFor({ timeout: 30_000 });
  expect(await row.getByText(`$${totalUsd.toFixed(2)}`).isVisible()).toBe(true);
  expect(new URL((await row.getByRole('link').getAttribute('href'))!, url).href).toBe(url);
  const loaded = await page.evaluate(() => performance.timeOrigin);

  const seen: string[] = [];
  await page.exposeFunction('sawStatus', (status: string) => void (seen.at(-1) !== status && seen.push(status)));
  await row.evaluate((element) => {
    const look = () =>
      (window as unknown as { sawStatus(s: string): void }).sawStatus((element as HTMLElement).dataset.status!);
    look();
    new MutationObserver(look).observe(element, { attributes: true });
  });
  const buyer = await visit(browser, url, { reducedMotion: 'reduce' });
  await row.getByText('the buyer has opened the page').waitFor();
  await buyer.getByRole('button', { name: 'Pay with a test wallet' }).click();
  await row.getByText('Settled').waitFor({ timeout: 30_000 });
  const way = ['generated', 'pending', 'tx_mined', 'paid', 'completed'];
  // What follows within one drawing is drawn once; never is anything out of order.
  expect(way.filter((status) => seen.includes(status))).toEqual(seen);
  expect(seen.at(0)).toBe('generated');
  expect(seen.length).toBeGreaterThanOrEqual(4);
  expect(await page.locator('.receipt').first().getAttribute('data-key')).toBe(receiptId);
  expect(await page.locator('.receipt').count()).toBe(2);
  expect(await page.evaluate(() => performance.timeOrigin)).toBe(loaded);
  await expectWellMade(page);

  await page.getByText(`Kaldi ${BOMB}`).waitFor();
  expect(await page.locator('#desk img, [onerror]').count()).toBe(0);
  // Loaded again it is still signed in; signed out, nothing is left, and nothing comes back.
  await page.reload();
  await rowOf(page, receiptId).getByText('Settled').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await reaches(page, 'door');
  expect(await page.locator('.receipt').count()).toBe(0);
  expect(await page.content()).not.toContain(receiptId);
  await page.reload();
  await reaches(page, 'door');
});

test('another wallet sees nothing of it: one without a shop has none, and another shop has its own receipts', async () => {
  const [merchant, other] = [await shop.merchant(), await shop.merchant('Other Shop')];
  const order = await shop.order(merchant);
  const stranger = await open(newAccount());
  await stranger.getByRole('button', { name: 'Sign in with browser wallet' }).click();
  await reaches(stranger, 'no-shop');
  await expectWellMade(stranger);
  const theirs = await open(other.account);
  await signIn(theirs);
  await theirs.getByText('No receipt yet.').waitFor();
  const own = await shop.order(other);
  await rowOf(theirs, own.receiptId).waitFor({ timeout: 30_000 });
  await shop.order(merchant);
  const last = await shop.order(other);
  await rowOf(theirs, last.receiptId).waitFor();
  expect(await theirs.locator('.receipt').count()).toBe(2);
  for (const page of [stranger, theirs]) expect(await page.content()).not.toContain(order.receiptId);
  await stranger.getByRole('button', { name: 'Sign out' }).click();
  await reaches(stranger, 'door');
});

test('a session that is ended elsewhere takes the receipts off the page and says so; one can sign in again', async () => {
  const merchant = await shop.merchant();
  const order = await shop.order(merchant);
  // The browser notes that the page was refused, as it should be.
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const page = await context.newPage();
  await injectWallet(page, shop, merchant.account);
  await page.goto(`${shop.server.url}/live/receipts`);
  await signIn(page);
  await rowOf(page, order.receiptId).waitFor();
  const { deps } = shop.server;
  await deps.orm.em
    .fork()
    .getConnection()
    .execute('update sessions set revoked_at = ? where wallet = ?', [Date.now(), merchant.wallet]);
  await reaches(page, 'ended', 10_000);
  expect(await page.locator('.receipt').count()).toBe(0);
  await expectWellMade(page);
  await signIn(page);
  await rowOf(page, order.receiptId).waitFor();
  await context.close();
});

test('a wallet that declines, or signs with another key, does not get in', async () => {
  const merchant = await shop.merchant();
  const answers = [
    () => Promise.reject(new WalletError(4001, 'User rejected the request.')),
    (typedData: unknown) => newAccount().signTypedData(typedData as never),
  ];
  const page = await open(merchant.account, { sign: (typedData) => answers.shift()!(typedData) });
  await page.getByRole('button', { name: 'Sign in with browser wallet' }).click();
  await page.getByText('You declined the request in your wallet.').waitFor();
  await expectWellMade(page);
  await page.getByRole('button', { name: 'Sign in with browser wallet' }).click();
  await page.getByText('The signature does not match this wallet and challenge').waitFor();
  expect(await page.locator('.receipt').count()).toBe(0);
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
  await page.goto(`${relay.url}live/receipts`);
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
  expect(await page.locator('.receipt').count()).toBe(3);
  await expect.poll(() => page.locator('#line').isVisible()).toBe(false);
  await context.close();
  await server.stop();
});
