import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { payFromTestWallet } from '../../../src/base/chain/local.ts';
import type { Wallet } from '../../../src/base/core/wallet.ts';
import { ReceiptAddressSchema } from '../../../src/domain/sales/receipts/address.entity.ts';
import { newMember } from '../../support/members.ts';
import { until } from '../../support/program.ts';
import { expectWellMade } from '../browser.ts';
import { openScene } from '../scene.ts';
import { openInside } from './inside.ts';

const scene = await openScene({
  env: { RELEASE_REQUESTS_PER_DAY: '3', SWEEP_MAX_COST_PCT: '0' },
});
const { shop } = scene;
const merchant = await shop.merchant();
const headers = await shop.server.signIn(merchant.account);

async function run(query: string, variables: object = {}) {
  const { body } = await shop.server.call('POST', '/api/graphql', { headers, body: { query, variables } });
  expect(body.errors).toBeUndefined();
  return body.data;
}

/** An order that is paid straight to the split and final, so that its shares wait to be released. */
async function paidOrder(): Promise<string> {
  const { receiptId } = await shop.order(merchant, { buyerEmail: 'grace@navy.mil' });
  const id = receiptId;
  const to = merchant.split as Wallet;
  const hash = await payFromTestWallet(shop.server.deps.chain, { token: 'USDC', to, amount: 100_000_000n });
  const query =
    'mutation ($hash: Hex!, $id: ID!) { assignTransfer(transactionHash: $hash, receiptId: $id) { status } }';
  await until(async () => {
    const { body } = await shop.server.call('POST', '/api/graphql', {
      headers,
      body: { query, variables: { hash, id } },
    });
    return !body.errors;
  });
  await until(async () => {
    const { payouts } = await run('query ($id: ID!) { payouts(filter: { receiptId: $id }) { nodes { amount } } }', {
      id,
    });
    return payouts.nodes.some(({ amount }: { amount: string | null }) => amount !== null);
  });
  return receiptId;
}

const REFUSED = {
  errors: [{ message: 'The database is temporarily unavailable', extensions: { code: 'datastore_unavailable' } }],
};

const rows = (page: Page) => page.locator('.payout-row');

test('a merchant sees what waits and why, releases it, and sees it paid out without a reload', async () => {
  const page = await openInside(scene, merchant.account);
  await page.getByRole('link', { name: 'Payouts' }).first().click();
  await page.getByText('No payout yet').waitFor();
  await expectWellMade(page);

  const receiptId = await paidOrder();
  await rows(page).first().waitFor();
  const recipients = await rows(page).count();
  expect(await rows(page).first().getByRole('link').first().getAttribute('href')).toContain(receiptId);
  expect(await rows(page).first().textContent()).toContain('not worth a release yet');
  // Each row names the buyer, and each recipient that is known.
  for (const row of await rows(page).all()) expect(await row.textContent()).toContain('grace@navy.mil');
  await rows(page).getByText('The operator of this server').waitFor();
  await page.getByText('It waits until it is worth its release').waitFor();
  await page.getByRole('button', { name: 'Release now' }).click();
  const dialog = page.getByRole('dialog', { name: /^Release .* USDC now/ });
  await dialog.getByText('The server sends').waitFor();
  await dialog.getByText('3 of 3 such transactions in 24 hours are left').waitFor();
  await expectWellMade(page);
  await dialog.getByRole('button', { name: 'Release now' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await expect.poll(() => page.locator('.payout-row', { hasText: 'Paid out' }).count()).toBe(recipients);
  await expect.poll(() => page.locator('.batch').count()).toBe(0);

  await page.getByRole('link', { name: 'Waiting' }).click();
  await page.getByText('Nothing waits').waitFor();
  await page.getByRole('link', { name: 'Paid out' }).click();
  await rows(page).first().locator('.payout-to').click();
  await expect.poll(() => rows(page).count()).toBe(1);
  await page.reload();
  await expect.poll(() => rows(page).count()).toBe(1);
  await expectWellMade(page);
  await page.getByRole('link', { name: 'Show all payouts' }).click();
  await expect.poll(() => rows(page).count()).toBe(recipients);
});

test('a bookkeeper reads payouts and has no button; a cashier has no such page', async () => {
  await paidOrder();
  const bookkeeper = await newMember(shop.server, merchant.wallet as Wallet, 'bookkeeper');
  const page = await openInside(scene, bookkeeper.account, '/console/payouts');
  await rows(page).first().waitFor();
  await page.locator('.batch').waitFor();
  expect(await page.getByRole('button', { name: 'Release now' }).count()).toBe(0);
  const cashier = await newMember(shop.server, merchant.wallet as Wallet, 'cashier');
  const other = await openInside(scene, cashier.account, '/console/till');
  expect(await other.getByRole('link', { name: 'Payouts' }).count()).toBe(0);
});

test('an error says what to do, and the list is read again', async () => {
  const page = await openInside(scene, merchant.account);
  // The list may be read again by itself: it is refused until the button is pressed.
  const pressed = () => page.evaluate(() => 'pressed' in document.documentElement.dataset);
  await page.route('**/api/graphql', async (route) =>
    route.request().postData()?.includes('payouts(') && !(await pressed())
      ? route.fulfill({ json: REFUSED })
      : route.fallback(),
  );
  await page.goto(`${shop.server.url}/console/payouts`);
  await page.getByText('The database is temporarily unavailable').first().waitFor();
  await page.evaluate(() =>
    addEventListener('click', () => document.documentElement.setAttribute('data-pressed', ''), { capture: true }),
  );
  await page.getByRole('button', { name: /again/i }).first().click();
  await rows(page).first().waitFor();
});

test('money at a receipt’s address waits visibly, and the merchant’s own wallet collects and pays it out', async () => {
  const { receiptId } = await shop.order(merchant);
  const em = shop.server.deps.db.orm.em.fork();
  const { address } = await em.findOneOrFail(ReceiptAddressSchema, { receiptId });
  // Gas for its own transactions.
  await payFromTestWallet(shop.server.deps.chain, { token: 'ETH', to: merchant.wallet, amount: 10n ** 17n });
  const page = await openInside(scene, merchant.account, '/console/payouts');
  await payFromTestWallet(shop.server.deps.chain, { token: 'USDC', to: address, amount: 100_000_000n });
  await page.getByText('It is still at the addresses of the receipts.').waitFor();
  await expect.poll(() => page.getByText('still at the receipt’s address').count()).toBeGreaterThan(0);
  await expectWellMade(page);
  const own = page.getByRole('list', { name: 'Collect with your own wallet' });
  await own.getByText('At 1 address of receipts').waitFor();
  await own.getByRole('button', { name: /Collect 100 USDC/ }).click();
  await own.getByText('The payouts follow once it has its confirmations.').waitFor();
  await expect
    .poll(
      async () => {
        const { payouts } = await run('query ($id: ID!) { payouts(filter: { receiptId: $id }) { nodes { state } } }', {
          id: receiptId,
        });
        return payouts.nodes.every(({ state }: { state: string }) => state === 'released');
      },
      { timeout: 30_000 },
    )
    .toBe(true);
  await expect.poll(() => own.count()).toBe(0);
});
