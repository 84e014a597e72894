import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { mintTestTokens } from '../../../src/base/chain/local.ts';
import type { Wallet } from '../../../src/base/core/wallet.ts';
import { expectWellMade } from '../browser.ts';
import { openScene } from '../scene.ts';
import type { Order } from '../shop.ts';
import { type ConsoleVisit, countClicks, goTo, openInside, PLACES } from './inside.ts';

const scene = await openScene();
const { shop } = scene;
const merchant = await shop.merchant();

/** The console after signing in, and the clicks from then on. */
async function begin(path?: string, options: ConsoleVisit = {}) {
  const page = await openInside(scene, merchant.account, path, options);
  const click = (role: 'link' | 'button', name: string | RegExp) => page.getByRole(role, { name }).first().click();
  return { page, click, clicks: await countClicks(page) };
}

/** Pays an order by a plain transfer of the amount that its page asks for. */
async function pay(order: Order, seller = merchant): Promise<void> {
  const answer = await shop.server.call('POST', '/api/graphql', {
    headers: await sessionHeaders(seller),
    body: {
      query: `mutation { quotePayment(receiptId: "${order.receiptId}", token: "USDC") { amount payTo } }`,
    },
  });
  const { amount, payTo } = answer.body.data.quotePayment;
  const buyer = await shop.buyer({ USDC: BigInt(amount) });
  await shop.transfer(buyer, 'USDC', payTo as Wallet, BigInt(amount));
  await expect.poll(() => order.status(), { timeout: 60_000 }).toMatch(/recipient_validated|completed/);
}

const sessionHeaders = async (seller = merchant) => ({
  ...(await shop.server.signIn(seller.account)),
  origin: shop.server.url,
});

async function found(page: Page, receiptId: string): Promise<void> {
  await page.locator(`a[href$="/${receiptId}"]`).waitFor({ timeout: 30_000 });
}

test.each(PLACES)('on $where an order is found by its buyer’s e-mail address', async ({ options, most }) => {
  const wanted = await shop.order(merchant, { buyerEmail: 'ada@lovelace.dev' });
  const other = await shop.order(merchant, { buyerEmail: 'grace@navy.mil' });
  const { page, click, clicks } = await begin('/console', options);
  await goTo(page, 'Receipts');
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
  expect(await clicks()).toBeLessThanOrEqual(most);
  await expectWellMade(page);
});

test.each(PLACES)(
  'on $where a paid order is refunded from the wallet in one go, and the proof registers itself',
  async ({ options, most }) => {
    const order = await shop.order(merchant, { buyerEmail: 'linus@kernel.org' });
    await pay(order);
    await fund();
    const { page, click, clicks } = await begin('/console', options);
    await goTo(page, 'Receipts');
    await click('link', /Stoneware mug/);
    // What collects from the receipt's address without this server.
    await page.getByRole('button', { name: 'Copy the record' }).waitFor();
    expect(await page.getByRole('link', { name: 'Collect by hand' }).getAttribute('href')).toBe('/collect');
    await expectWellMade(page);
    await click('button', 'Refund');
    const dialog = page.getByRole('dialog', { name: 'Refund' });
    await dialog.getByText(`Your wallet will send ${order.totalUsd} USDC to 0x`).waitFor();
    await expectWellMade(page);
    await dialog.getByLabel('Note').fill('one mug was broken');
    // The shop's wallet got its share only, and pays the whole back.
    await dialog
      .getByText(/USDC of this payment came to your wallet, and [\d.]+ USDC go out: [\d.]+ USDC more/)
      .waitFor();
    await click('button', 'Send from wallet');
    await page.locator('.page-head .status', { hasText: 'Refunded' }).waitFor({ timeout: 60_000 });
    expect(await clicks()).toBeLessThanOrEqual(most);
    await page.locator('.history').getByText('Refunded', { exact: true }).waitFor();
    await page.getByText('one mug was broken').waitFor();
    const mail = await page.getByRole('link', { name: 'Send by e-mail' }).getAttribute('href');
    expect(decodeURIComponent(mail!)).toMatch(new RegExp(`^mailto:linus@kernel.org\\?.*/${order.receiptId}/receipt`));
    await expectWellMade(page);
  },
);

test('the refund of a payment by several wallets lists each with its sum, and goes to the chosen one', async () => {
  const order = await shop.order(merchant, { buyerEmail: 'alan@bletchley.uk' });
  const query = `mutation { quotePayment(receiptId: "${order.receiptId}", token: "USDC") { amount payTo } }`;
  const answer = await shop.server.call('POST', '/api/graphql', { headers: await sessionHeaders(), body: { query } });
  const { amount, payTo } = answer.body.data.quotePayment;
  const part = 20_000_000n;
  const rest = BigInt(amount) - part;
  const buyers = [await shop.buyer({ USDC: part }), await shop.buyer({ USDC: rest })] as const;
  await shop.transfer(buyers[0], 'USDC', payTo as Wallet, part);
  await shop.transfer(buyers[1], 'USDC', payTo as Wallet, rest);
  await expect.poll(() => order.status(), { timeout: 60_000 }).toMatch(/recipient_validated|completed/);
  const { page, click } = await begin(`/console/receipts/${order.receiptId}`);
  await click('button', 'Refund');
  const dialog = page.getByRole('dialog', { name: 'Refund' });
  await dialog.getByText('Several wallets have paid').waitFor();
  const sender = dialog.getByRole('radio', { name: ': 20 USDC' });
  await sender.click();
  const to = await dialog.getByLabel('To this wallet').inputValue();
  expect(to).toBe(buyers[0].address.toLowerCase());
  await dialog.getByText(`to ${to.slice(0, 6)}`).waitFor();
  await expectWellMade(page);
});

test.each(PLACES)(
  'on $where money that pays no receipt is assigned to the receipt that it was meant for',
  async ({ options, most }) => {
    const order = await shop.order(merchant, { buyerEmail: 'margaret@apollo.space' });
    const id = order.receiptId;
    const query = `mutation {
    quotePayment(receiptId: "${id}", token: "USDC") { amount payTo }
    voidReceipt(receiptId: "${id}") { status }
  }`;
    const answer = await shop.server.call('POST', '/api/graphql', { headers: await sessionHeaders(), body: { query } });
    const { amount, payTo } = answer.body.data.quotePayment;
    const buyer = await shop.buyer({ USDC: BigInt(amount) });
    await shop.transfer(buyer, 'USDC', payTo, BigInt(amount));
    const { page, click, clicks } = await begin('/console', options);
    await click('link', /transfer pays no receipt/);
    await page.getByText('It may belong to').waitFor();
    await page.getByText('margaret@apollo.space').waitFor();
    await expectWellMade(page);
    await click('button', 'Assign');
    const dialog = page.getByRole('dialog', { name: 'Assign this money?' });
    await dialog.getByText('That pays the receipt.').waitFor();
    await dialog.getByRole('button', { name: 'Assign' }).click();
    await page.getByText('All money has found its receipt').waitFor();
    expect(await clicks()).toBeLessThanOrEqual(most);
    await expect.poll(() => order.status(), { timeout: 60_000 }).toMatch(/recipient_validated|completed/);
  },
);

test('unmatched money is assigned to a receipt that is searched for, after what it would do is shown, and taken back', async () => {
  const wanted = await shop.order(merchant, { buyerEmail: 'hedy@lamarr.org', firstName: 'Hedy', lastName: 'Lamarr' });
  const lost = await shop.order(merchant, {});
  const query = `mutation {
    quotePayment(receiptId: "${lost.receiptId}", token: "USDC") { payTo }
    voidReceipt(receiptId: "${lost.receiptId}") { status }
  }`;
  const answer = await shop.server.call('POST', '/api/graphql', { headers: await sessionHeaders(), body: { query } });
  const buyer = await shop.buyer({ USDC: 7_000_000n });
  await shop.transfer(buyer, 'USDC', answer.body.data.quotePayment.payTo, 7_000_000n);
  const { page, click } = await begin('/console/unmatched');
  const card = page.locator('.transfer', { hasText: '7 USDC' });
  await expect
    .poll(async () => {
      await page.goto(`${shop.server.url}/console/unmatched`);
      await page.locator('.transfer, .empty').first().waitFor();
      return card.count();
    })
    .toBe(1);
  await card.getByRole('button', { name: /^Assign to (a|another) receipt/ }).click();
  const dialog = page.getByRole('dialog');
  const assign = dialog.getByRole('button', { name: 'Assign', exact: true });
  expect(await assign.isDisabled()).toBe(true);
  await dialog.getByRole('searchbox').fill('hedy@lamarr.org');
  await dialog.getByRole('radio', { name: /Hedy Lamarr/ }).check();
  const missing = (Number(wanted.totalUsd) - 7).toFixed(2);
  await dialog.getByText(`Then $${missing} are still missing.`).waitFor();
  await dialog.getByRole('region', { name: 'This money' }).getByText('7 USDC').waitFor();
  await expectWellMade(page);
  await assign.click();
  await dialog.waitFor({ state: 'detached' });
  await page.goto(`${shop.server.url}/console/receipts/${wanted.receiptId}`);
  await page.getByText('Partly paid').first().waitFor();
  expect(await page.getByText('nothing has arrived yet').count()).toBe(0);
  // The history names the person who assigned, and no machine.
  await page.locator('.history li', { hasText: 'Partly paid' }).getByText('You').waitFor();
  await click('button', 'Take the assignment back');
  await page.getByRole('dialog').getByRole('button', { name: 'Take the assignment back' }).click();
  await page.locator('.page-head .status', { hasText: 'Waiting' }).waitFor();
  await page.getByText('nothing has arrived yet').waitFor();
  await page.goto(`${shop.server.url}/console/unmatched`);
  await card.waitFor();
});

test.each([
  { name: 'one by one by a wallet that cannot send them together', batches: false, asks: { eth_sendTransaction: 2 } },
  { name: 'in one request by a wallet that can', batches: true, asks: { wallet_sendCalls: 1 } },
])('requested refunds are sent together, $name', async ({ batches, asks }) => {
  // A wallet that sends several calls at once has code of its own from then on.
  const seller = await shop.merchant();
  const ada = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };
  const orders = [await shop.order(seller, ada), await shop.order(seller)];
  for (const order of orders) await pay(order, seller);
  await fund(seller);
  const headers = await sessionHeaders(seller);
  for (const { receiptId } of orders) {
    const body = { receiptId, wallet: seller.wallet, buyer: `0x${'12'.repeat(20)}`, usd: 5 };
    const { status } = await shop.server.call('POST', '/api/receipts/refund', { headers, body });
    expect(status).toBe(200);
  }
  const asked: Record<string, number> = {};
  const onAsk = (method: string) => {
    if (/sendTransaction|sendCalls/.test(method)) asked[method] = (asked[method] ?? 0) + 1;
  };
  const page = await openInside(scene, seller.account, '/console/refunds', { wallet: { batches, onAsk } });
  await page.getByText('2 refunds, $10.00').waitFor();
  await page.getByRole('link', { name: 'Ada Lovelace · ada@example.com' }).waitFor();
  await page.getByRole('link', { name: '0x121212…121212' }).waitFor();
  await expectWellMade(page);
  await page.getByRole('button', { name: 'Send 2 refunds' }).click();
  await page.getByText('No refund waits to be sent').waitFor({ timeout: 60_000 });
  await page.getByRole('link', { name: 'Sent' }).click();
  for (const { receiptId } of orders) await found(page, receiptId);
  expect(asked).toEqual(asks);
  const query = '{ refunds { nodes { transactionHashes } } }';
  const { body } = await shop.server.call('POST', '/api/graphql', { headers, body: { query } });
  const hashes = body.data.refunds.nodes.map((one: { transactionHashes: string[] }) => one.transactionHashes[0]);
  expect(hashes).toHaveLength(2);
  expect(new Set(hashes).size).toBe(batches ? 1 : 2);
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
  await page.locator('.page-head .status', { hasText: 'Ended' }).waitFor();
  await page.locator('.history').getByText('Ended', { exact: true }).first().waitFor();
  expect(await page.getByText('Failed', { exact: true }).count()).toBe(0);
  expect(await order.status()).toBe('failed');
});

/** Gives the wallet of a merchant what it sends back. */
async function fund({ wallet } = merchant): Promise<void> {
  const { chain } = shop.server.deps;
  await mintTestTokens(chain, 'USDC', wallet, 1_000_000_000n);
  await shop.giveGas(wallet);
}
