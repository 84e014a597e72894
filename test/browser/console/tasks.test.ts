import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { mintTestTokens } from '../../../src/chain/local.ts';
import type { Wallet } from '../../../src/core/wallet.ts';
import { expectWellMade } from '../browser.ts';
import { openScene } from '../scene.ts';
import type { Order } from '../shop.ts';
import { openInside } from './inside.ts';

const scene = await openScene();
const { shop } = scene;
const merchant = await shop.merchant();

/** The console after signing in, and a hand whose clicks are counted. */
async function begin(path?: string) {
  const page = await openInside(scene, merchant.account, path);
  let clicks = 0;
  return {
    page,
    async click(role: 'link' | 'button', name: string | RegExp): Promise<void> {
      clicks += 1;
      await page.getByRole(role, { name }).first().click();
    },
    clicks: () => clicks,
  };
}

/** Pays an order by a plain transfer of the amount that its page asks for. */
async function pay(order: Order): Promise<void> {
  const answer = await shop.server.call('POST', '/api/graphql', {
    headers: await sessionHeaders(),
    body: {
      query: `mutation { quotePayment(receiptId: "${order.receiptId}", token: "USDC") { amount payTo } }`,
    },
  });
  const { amount, payTo } = answer.body.data.quotePayment;
  const buyer = await shop.buyer({ USDC: BigInt(amount) });
  await shop.transfer(buyer, 'USDC', payTo as Wallet, BigInt(amount));
  await expect.poll(() => order.status(), { timeout: 60_000 }).toMatch(/recipient_validated|completed/);
}

const sessionHeaders = async () => ({
  ...(await shop.server.signIn(merchant.account)),
  origin: shop.server.url,
});

async function found(page: Page, receiptId: string): Promise<void> {
  await page.locator(`a[href$="/${receiptId}"]`).waitFor({ timeout: 30_000 });
}

test('an order is found by its buyer’s e-mail address', async () => {
  const wanted = await shop.order(merchant, { buyerEmail: 'ada@lovelace.dev' });
  const other = await shop.order(merchant, { buyerEmail: 'grace@navy.mil' });
  const { page, click, clicks } = await begin();
  await click('link', 'Receipts');
  await found(page, other.receiptId);
  await page.keyboard.press('/');
  await page.keyboard.type('ada@love');
  await page.locator(`a[href$="/${other.receiptId}"]`).waitFor({ state: 'detached' });
  await found(page, wanted.receiptId);
  // The address carries the search.
  await expect.poll(() => page.url()).toContain('q=ada%40love');
  await page.reload();
  await found(page, wanted.receiptId);
  await click('link', /Stoneware mug/);
  await page.getByRole('heading', { level: 1, name: `$${wanted.totalUsd.toFixed(2)}` }).waitFor();
  await page.getByText('ada@lovelace.dev').waitFor();
  expect(clicks()).toBeLessThanOrEqual(4);
  await expectWellMade(page);
});

test('a paid order is refunded from the wallet in one go, and the proof registers itself', async () => {
  const order = await shop.order(merchant, { buyerEmail: 'linus@kernel.org' });
  await pay(order);
  await fund();
  const { page, click, clicks } = await begin();
  await click('link', 'Receipts');
  await click('link', /Stoneware mug/);
  await click('button', 'Refund');
  const dialog = page.getByRole('dialog', { name: 'Refund' });
  await dialog.getByText(`Your wallet will send ${order.totalUsd} USDC to 0x`).waitFor();
  await expectWellMade(page);
  await click('button', 'Send from wallet');
  await page.locator('.page-head .status', { hasText: 'Refunded' }).waitFor({ timeout: 60_000 });
  expect(clicks()).toBeLessThanOrEqual(4);
  await page.getByText('Refunded in full').waitFor();
  await expectWellMade(page);
});

test('money that pays no receipt is assigned to the receipt that it was meant for', async () => {
  const order = await shop.order(merchant, { buyerEmail: 'margaret@apollo.space' });
  const answer = await shop.server.call('POST', '/api/graphql', {
    headers: await sessionHeaders(),
    body: { query: `mutation { quotePayment(receiptId: "${order.receiptId}", token: "USDC") { amount } }` },
  });
  const rounded = (BigInt(answer.body.data.quotePayment.amount) / 1_000_000n) * 1_000_000n + 1_000_000n;
  const buyer = await shop.buyer({ USDC: rounded });
  await shop.transfer(buyer, 'USDC', merchant.split, rounded);
  const { page, click, clicks } = await begin();
  await click('link', /transfer pays no receipt/);
  await page.getByText('It may belong to').waitFor();
  await page.getByText('margaret@apollo.space').waitFor();
  await expectWellMade(page);
  await click('button', 'Assign');
  const dialog = page.getByRole('dialog', { name: 'Assign this money?' });
  await dialog.getByText(`will count as a payment of ${order.receiptId}`).waitFor();
  await dialog.getByRole('button', { name: 'Assign' }).click();
  await page.getByText('All money has found its receipt').waitFor();
  expect(clicks() + 1).toBeLessThanOrEqual(4);
  await expect.poll(() => order.status(), { timeout: 60_000 }).toMatch(/recipient_validated|completed/);
});

test('requested refunds are sent together, in one request of a wallet that can', async () => {
  const orders = [await shop.order(merchant), await shop.order(merchant)];
  for (const order of orders) await pay(order);
  await fund();
  for (const { receiptId } of orders) {
    const body = { receiptId, wallet: merchant.wallet, buyer: `0x${'12'.repeat(20)}`, usd: 5 };
    const headers = await sessionHeaders();
    const { status } = await shop.server.call('POST', '/api/receipts/refund', { headers, body });
    expect(status).toBe(200);
  }
  const { page, click } = await begin();
  await click('link', 'Refunds');
  await page.getByText('2 refunds, $10.00').waitFor();
  await expectWellMade(page);
  await click('button', 'Send 2 refunds');
  await page.getByText('No refund waits to be sent').waitFor({ timeout: 60_000 });
  await click('link', 'Sent');
  for (const { receiptId } of orders) await found(page, receiptId);
});

test('an open receipt is voided after the console has said what that does', async () => {
  const order = await shop.order(merchant);
  const { page } = await begin(`/console/receipts/${order.receiptId}`);
  await page.getByRole('button', { name: 'Void' }).click();
  const dialog = page.getByRole('dialog', { name: 'Void this receipt?' });
  await dialog.getByText('This cannot be undone.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await order.status()).toBe('generated');
  await page.getByRole('button', { name: 'Void' }).click();
  await dialog.getByRole('button', { name: 'Void' }).click();
  await page.locator('.page-head .status', { hasText: 'Failed' }).waitFor();
  expect(await order.status()).toBe('failed');
});

/** Gives the merchant's wallet what it sends back. */
async function fund(): Promise<void> {
  const { chain } = shop.server.deps;
  await mintTestTokens(chain, 'USDC', merchant.wallet, 1_000_000_000n);
  await shop.giveGas(merchant.wallet);
}
