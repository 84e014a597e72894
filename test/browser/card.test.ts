import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { expectAccessible, phone, reaches, recordStages, visit } from './browser.ts';
import { openInside } from './console/inside.ts';
import { openScene } from './scene.ts';
import { injectWallet, WalletError } from './wallet.ts';

const { shop, browser } = await openScene();

const BUYER = { firstName: 'Ada', lastName: 'Lovelace', buyerEmail: 'ada@example.com' };

/** The merchant's own site, to be returned to. */
async function openSite() {
  const visits: string[] = [];
  const site = http.createServer((request, response) => {
    if (request.url !== '/favicon.ico') visits.push(`${request.headers.referer ?? ''} ${request.url}`);
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<title>Shop</title><link rel="icon" href="data:,">Thank you');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    site.closeAllConnections();
    site.close();
  });
  return { url: `http://127.0.0.1:${(site.address() as AddressInfo).port}`, visits };
}

test('a card pays: the portal leads to the provider, the provider back, and the page follows to the end', async () => {
  const merchant = await shop.merchant();
  const order = await shop.order(merchant, BUYER);
  const page = await visit(browser, order.url);
  await page.getByRole('button', { name: 'Pay with a test card' }).click();
  await page.waitForURL('**/onramp/sandbox/*');
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(/Charged to your card\s+\$66\.\d\d/);
  await page.getByText('Ada Lovelace').waitFor();
  await page.getByRole('button', { name: /^Pay \$66/ }).click();
  await page.waitForURL('**/portal/*');
  await reaches(page, 'completed');
  expect(await order.status()).toBe('completed');
  // Its owner reads that a card paid, and what it was charged.
  const owner = await openInside({ shop, browser }, merchant.account, `/console/receipts/${order.receiptId}`);
  const payment = owner.locator('.section', { has: owner.getByRole('heading', { name: 'Payment' }) });
  await payment.getByText('Card', { exact: true }).waitFor();
  await payment.getByText(/^\$66\.\d\d$/).waitFor();
});

test('a card that is declined is explained to the buyer, and a wallet pays after it', async () => {
  const order = await shop.order(await shop.merchant());
  const account = await shop.buyer({ USDC: 1_000_000_000n });
  const page = await visit(browser, order.url, {
    before: (fresh) => injectWallet(fresh, shop, account, { name: 'Fox Wallet' }),
  });
  await page.getByText('Other ways to pay').click();
  await page.getByRole('button', { name: 'Pay with a test card' }).click();
  await page.getByLabel('How it fails').selectOption('PORTAL_PAY_INSUFFICIENT_FUNDS');
  await page.getByRole('button', { name: 'Let it fail' }).click();
  await page.waitForURL('**/portal/*');
  await reaches(page, 'failed');
  await page.locator('.lead', { hasText: 'There is not enough money on the card.' }).waitFor();
  await expectAccessible(page);
  expect(await order.status()).toBe('failed');

  const stages = await recordStages(page);
  await page.getByRole('link', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'Pay with Fox Wallet' }).click();
  await reaches(page, 'completed');
  expect((await stages())[0]).toBe('failed');
  expect(await order.status()).toBe('completed');
});

test('a buyer who cancels at the provider is back where he was, and may take the card after all', async () => {
  const order = await shop.order(await shop.merchant());
  const page = await visit(browser, order.url);
  await page.getByRole('button', { name: 'Pay with a test card' }).click();
  await page.getByRole('button', { name: /Cancel and go back/ }).click();
  await page.waitForURL('**/portal/*');
  await reaches(page, 'failed');
  await page.locator('.lead', { hasText: 'The payment was cancelled.' }).waitFor();
  await page.getByRole('link', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'Pay with a test card' }).click();
  await page.getByRole('button', { name: /^Pay \$/ }).click();
  await reaches(page, 'completed');
});

test('a buyer who goes back without a word finds the checkout still open', async () => {
  const order = await shop.order(await shop.merchant());
  const page = await visit(browser, order.url);
  await page.getByRole('button', { name: 'Pay with a test card' }).click();
  await page.waitForURL('**/onramp/sandbox/*');
  const provider = page.url();
  await page.goBack();
  await page.getByRole('button', { name: /with a test card/ }).click();
  await page.waitForURL('**/onramp/sandbox/*');
  expect(page.url()).toBe(provider);
});

// Contract: webhooks.redirect, orders.option-redirect
test('the merchant’s redirect address reaches the provider’s session alone: who has paid is sent there, the portal knows nothing of it', async () => {
  const site = await openSite();
  const order = await shop.order(await shop.merchant(), { redirectUrl: `${site.url}/thanks?order=7` });
  const page = await visit(browser, order.url);
  const markup: string[] = [];
  page.on('response', async (response) => {
    if (/\/(portal|api)\//.test(response.url())) markup.push(await response.text().catch(() => ''));
  });
  await page.reload();
  await page.getByRole('button', { name: 'Pay with a test card' }).click();
  await page.waitForURL('**/onramp/sandbox/*');
  await page.getByRole('button', { name: /^Pay \$/ }).click();
  await page.waitForURL(`${site.url}/**`);
  expect(site.visits).toEqual([' /thanks?order=7']);

  const portal = await visit(browser, order.url);
  await reaches(portal, 'completed');
  markup.push(await portal.content());
  expect(markup.length).toBeGreaterThan(1);
  expect(markup.join('')).not.toContain(site.url);
  expect(portal.url()).toBe(order.url);
});

test('a rejected wallet request is reported to the merchant and shown to the buyer', async () => {
  const order = await shop.order(await shop.merchant());
  const account = await shop.buyer({ USDC: 1_000_000_000n });
  const page = await visit(browser, order.url, {
    before: (fresh) =>
      injectWallet(fresh, shop, account, {
        send: async () => {
          throw new WalletError(4001, 'User rejected the request.');
        },
      }),
  });
  await page.getByRole('button', { name: 'Pay with browser wallet' }).click();
  await page.getByRole('alert').getByText('You declined the request in your wallet.').waitFor();
  await expect.poll(() => order.status()).toBe('failed');
  await reaches(page, 'waiting');
  await page.getByText('Other ways to pay').click();
  await page.getByRole('button', { name: 'Pay with a test wallet' }).click();
  await reaches(page, 'completed');
});

test.each([
  ['desktop', {}],
  ['phone', phone],
])('the sandbox’s page is accessible on a %s, open and over', async (_name, device) => {
  const order = await shop.order(await shop.merchant());
  const page = await visit(browser, order.url, device);
  await page.getByRole('button', { name: 'Pay with a test card' }).click();
  await page.waitForURL('**/onramp/sandbox/*');
  await expectAccessible(page);
  const provider = page.url();
  await page.getByRole('button', { name: /^Pay \$/ }).click();
  await reaches(page, 'completed');
  await page.goto(provider);
  await page.getByText('Paid with the test card').waitFor();
  await expectAccessible(page);
});
