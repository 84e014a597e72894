import { expect, test } from 'vitest';
import type { Wallet } from '../../src/core/wallet.ts';
import { configuredRates } from '../../src/fx/usd-per-token.ts';
import { reserveQuote } from '../../src/payments/quote-payment.ts';
import type { TestMerchant } from '../support/server.ts';
import { expectWellMade, reaches, readRequest, stageOf, visit } from './browser.ts';
import { openScene } from './scene.ts';

const DAY_MS = 24 * 3_600_000;

const { shop, browser } = await openScene();

/**
 * Two orders that are asked for the same amount: the first one ten days ago, unpaid, and the present one, whose page is
 * open. All other amounts of the price are held.
 */
async function reusedAmount() {
  const merchant = await shop.merchant();
  const [first, second] = [await order(merchant), await order(merchant)];
  const { deps } = shop.server;
  const then = { ...deps, readRate: configuredRates(deps), clock: () => Date.now() - 10 * DAY_MS };
  const quote = await reserveQuote(then, { merchant: merchant.wallet, receiptId: first.receiptId, token: 'USDC' });
  const base = Math.floor(Number(quote.amount) / 10_000) * 10_000;
  await deps.orm.em.fork().execute(
    `insert into quotes (merchant, id, receipt_id, chain_id, pay_to, token, amount, usd, usd_per_unit, created_at, expires_at)
     select ?, 'q' || n, 'other' || n, 31337, ?, 'USDC', n, '1', '1', 0, ?::int8 from generate_series(?::int, ?::int) n
         on conflict do nothing`,
    [merchant.wallet, merchant.split, Date.now(), base + 1, base + 9_999],
  );
  const page = await visit(browser, second.url);
  const { amount, payTo } = await readRequest(page, 6);
  expect(String(amount)).toBe(quote.amount);
  const pay = async () => {
    const buyer = await shop.buyer({ USDC: 1_000_000_000n });
    await shop.transfer(buyer, 'USDC', payTo.toLowerCase() as Wallet, amount);
    return buyer.address.toLowerCase();
  };
  return { merchant, first, second, page, quote, pay };
}

/** A price of less than $20, which has 9,999 amounts. */
const order = (merchant: TestMerchant) => shop.order(merchant, { items: [{ sku: 'BEANS', qty: 1 }] });

async function ask(merchant: TestMerchant, query: string, variables: object = {}) {
  const headers = await shop.server.signIn(merchant.account);
  const { body } = await shop.server.call('POST', '/api/graphql', { headers, body: { query, variables } });
  expect(body.errors).toBeUndefined();
  return body.data;
}

const unmatchedOf = async (merchant: TestMerchant) => {
  const { unmatchedTransfers } = await ask(
    merchant,
    '{ unmatchedTransfers { nodes { transactionHash reason candidates { receiptId } } } }',
  );
  return unmatchedTransfers.nodes as { transactionHash: string; reason: string; candidates: { receiptId: string }[] }[];
};

test('a plain transfer of an amount that an earlier buyer was asked for pays the receipt once its buyer says so', async () => {
  const { second, first, page, quote, pay } = await reusedAmount();
  const sender = await pay();
  await page.getByText(`A payment of ${quote.display} USDC from ${sender.slice(0, 8)}…`).waitFor();
  expect(await second.status()).toBe('generated');
  await expectWellMade(page);
  await page.getByRole('button', { name: 'Yes' }).click();
  await reaches(page, 'completed');
  expect([await second.status(), await first.status()]).toEqual(['completed', 'generated']);
});

test('without an answer, or with No, it stays unmatched with both candidates, and the merchant assigns it', async () => {
  const { merchant, first, second, page, pay } = await reusedAmount();
  await pay();
  await page.locator('#claim').waitFor();
  const [unmatched] = await unmatchedOf(merchant);
  expect(unmatched!.reason).toBe('ambiguous');
  const candidates = unmatched!.candidates.map(({ receiptId }) => receiptId);
  expect(candidates.slice(0, 2)).toEqual([second.receiptId, first.receiptId]);

  // The question is there on the next visit, too.
  await page.reload();
  await page.getByRole('button', { name: 'No' }).click();
  await page.locator('#claim').waitFor({ state: 'detached' });
  expect(await stageOf(page)).toBe('waiting');
  expect(await unmatchedOf(merchant)).toHaveLength(1);

  const assign =
    'mutation ($hash: Hex!, $id: ID!) { assignTransfer(transactionHash: $hash, receiptId: $id) { status } }';
  await ask(merchant, assign, { hash: unmatched!.transactionHash, id: first.receiptId });
  await expect.poll(first.status, { timeout: 60_000 }).toBe('completed');
  expect(await second.status()).toBe('generated');
  expect(await unmatchedOf(merchant)).toEqual([]);
});

test('a payment from the page’s own wallet is credited without a question', async () => {
  const { page, second } = await reusedAmount();
  await page.evaluate(() => {
    const look = () => document.getElementById('claim') && Object.assign(window, { asked: true });
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
  });
  await page.getByRole('button', { name: 'Pay with a test wallet' }).click();
  await reaches(page, 'completed');
  expect(await page.evaluate(() => 'asked' in window)).toBe(false);
  expect(await second.status()).toBe('completed');
});
