import type { Hash } from 'viem';
import { expect, test } from 'vitest';
import { localAccount } from '../../src/chain/local-accounts.ts';
import type { Wallet } from '../../src/core/wallet.ts';
import { reaches, readRequest, recordStages, visit } from './browser.ts';
import { openScene } from './scene.ts';
import { injectWallet, WalletError } from './wallet.ts';

const { shop, browser } = await openScene();

const platform = localAccount('platform').address;

/** What the merchant and the platform have on the chain; `grown` says by how much since. */
async function holdings(symbol: string, merchant: Wallet) {
  const read = () => Promise.all([merchant, platform].map((wallet) => shop.balance(symbol, wallet)));
  const before = await read();
  return { grown: async () => (await read()).map((now, i) => now - before[i]!) };
}

/** 9950 and 50 of 10000 of what arrived, each rounded down: a fresh splitter keeps what is left of a unit. */
const sharesOf = (amount: bigint) => [(amount * 9950n) / 10_000n, (amount * 50n) / 10_000n];

// Contract: service.checkout, service.split-shares
test('a browser wallet pays what the page asks for, and the page follows to the end without a reload', async () => {
  const merchant = await shop.merchant();
  const order = await shop.order(merchant);
  const account = await shop.buyer({ USDC: 1_000_000_000n });
  let asked: string[] = [];
  const page = await visit(browser, order.url, {
    before: async (fresh) => {
      asked = await injectWallet(fresh, shop, account, { name: 'Fox Wallet', chainId: 1 });
    },
  });
  const stages = await recordStages(page);
  const { amount, payTo } = await readRequest(page, 6);
  const holding = await holdings('USDC', merchant.wallet);
  await page.getByRole('button', { name: 'Pay with Fox Wallet' }).click();
  await reaches(page, 'completed');

  // The chain is read after the switch, and once more before the transaction.
  const [connect, read, change, send] = [
    ...['eth_requestAccounts', 'eth_chainId', 'wallet_switchEthereumChain', 'eth_sendTransaction'],
  ];
  expect(asked).toEqual([connect, read, change, read, read, send]);
  expect(payTo.toLowerCase()).toBe(merchant.split);
  expect(await stages()).toEqual(expect.arrayContaining(['waiting', 'seen', 'paid', 'completed']));
  expect(await holding.grown()).toEqual(sharesOf(amount));
  expect(await order.status()).toBe('completed');
});

test('a plain transfer of exactly the shown amount, from a wallet that the page knows nothing of, pays the receipt', async () => {
  const merchant = await shop.merchant();
  const order = await shop.order(merchant);
  const account = await shop.buyer({ USDT: 1_000_000_000n });
  const page = await visit(browser, order.url);
  await page.getByRole('radio', { name: 'USDT' }).check();
  await page.locator('#amount', { hasText: 'USDT' }).waitFor();
  const stages = await recordStages(page);
  const { amount, payTo } = await readRequest(page, 6);
  const holding = await holdings('USDT', merchant.wallet);
  await shop.transfer(account, 'USDT', payTo.toLowerCase() as Wallet, amount);
  await reaches(page, 'completed');

  expect(await stages()).toEqual(['waiting', 'seen', 'paid', 'completed']);
  expect(await holding.grown()).toEqual(sharesOf(amount));
});

test('the open page says at once that money arrived which does not match, and still takes the exact amount', async () => {
  const merchant = await shop.merchant();
  const order = await shop.order(merchant);
  const account = await shop.buyer({ USDC: 1_000_000_000n });
  const page = await visit(browser, order.url);
  const { amount, payTo } = await readRequest(page, 6);
  await shop.transfer(account, 'USDC', payTo.toLowerCase() as Wallet, amount - 1_000_000n);
  await page.getByText('A payment arrived whose amount, token or network does not match').waitFor();
  await page.reload();
  await page.getByText('A payment arrived whose amount, token or network does not match').waitFor();
  await shop.transfer(account, 'USDC', payTo.toLowerCase() as Wallet, amount);
  await reaches(page, 'completed');
  await page.locator('#unmatched').waitFor({ state: 'detached' });
});

test('two orders of one shop, open side by side, are each paid by their own transfer', async () => {
  const merchant = await shop.merchant();
  const orders = [await shop.order(merchant), await shop.order(merchant)];
  const pages = await Promise.all(orders.map(({ url }) => visit(browser, url)));
  const [first, second] = await Promise.all(pages.map((page) => readRequest(page, 6)));
  const account = await shop.buyer({ USDC: 1_000_000_000n });
  expect(first!.amount).not.toBe(second!.amount);
  await shop.transfer(account, 'USDC', merchant.split, second!.amount);
  await reaches(pages[1]!, 'completed');

  expect(await pages[0]!.locator('[data-stage]').getAttribute('data-stage')).toBe('waiting');
});

test('the test wallet of a local chain pays with one click, and the page says at once that it was sent', async () => {
  const merchant = await shop.merchant();
  const order = await shop.order(merchant);
  const page = await visit(browser, order.url);
  const stages = await recordStages(page);
  const { amount } = await readRequest(page, 6);
  const holding = await holdings('USDC', merchant.wallet);
  await page.getByRole('button', { name: 'Pay with a test wallet' }).click();
  await reaches(page, 'completed');

  expect((await stages()).filter((stage) => stage !== 'sent')).toEqual(['waiting', 'seen', 'paid', 'completed']);
  expect(await holding.grown()).toEqual(sharesOf(amount));
});

test('ether pays too once the splitter is on the chain, at a price that the page holds and counts down', async () => {
  const merchant = await shop.merchant();
  const order = await shop.order(merchant);
  await expect.poll(() => shop.isDeployed(merchant.split), { timeout: 30_000 }).toBe(true);
  const account = await shop.buyer();
  const page = await visit(browser, order.url);
  const offersEther = async () => {
    await page.reload();
    return page.getByRole('radio', { name: 'ETH' }).isEnabled();
  };
  await expect.poll(offersEther, { timeout: 30_000 }).toBe(true);
  await page.getByRole('radio', { name: 'ETH' }).check();
  await page.locator('#amount', { hasText: 'ETH' }).waitFor();
  expect(await page.locator('[data-expires]').innerText()).toMatch(/^1[45]:\d\d$/);
  const { amount } = await readRequest(page, 18);
  const holding = await holdings('ETH', merchant.wallet);
  await shop.transfer(account, 'ETH', merchant.split, amount);
  await reaches(page, 'completed');

  expect(await holding.grown()).toEqual(sharesOf(amount));
});

test('a buyer who rejects the wallet request sees that nothing was sent, and can still pay', async () => {
  const order = await shop.order(await shop.merchant());
  const account = await shop.buyer({ USDC: 1_000_000_000n });
  let declines = true;
  const page = await visit(browser, order.url, {
    before: (fresh) =>
      injectWallet(fresh, shop, account, {
        send: async ({ to, data }) => {
          if (declines) throw new WalletError(4001, 'User rejected the request.');
          return shop.walletOf(account).sendTransaction({ to, data });
        },
      }),
  });
  const pay = page.getByRole('button', { name: 'Pay with browser wallet' });
  await pay.click();
  await page.getByRole('alert').getByText('You declined the request in your wallet. Nothing was sent').waitFor();
  declines = false;
  await pay.click();
  await reaches(page, 'completed');
});

test('too little is not lost: once the merchant assigns it, the page asks for the rest, and the two together pay', async () => {
  const merchant = await shop.merchant();
  const order = await shop.order(merchant);
  const account = await shop.buyer({ USDC: 1_000_000_000n });
  const sent = 10_000_000n;
  let sending: Promise<Hash> | undefined;
  const send = () => (sending = shop.transfer(account, 'USDC', merchant.split, sent));
  const page = await visit(browser, order.url, { before: (fresh) => injectWallet(fresh, shop, account, { send }) });
  const stages = await recordStages(page);
  const whole = await readRequest(page, 6);
  const holding = await holdings('USDC', merchant.wallet);
  await page.getByRole('button', { name: 'Pay with browser wallet' }).click();
  await reaches(page, 'sent');
  expect(await shop.assign(merchant, order, await sending!)).toBe('tx_mismatch');
  await reaches(page, 'short');
  await page.getByRole('heading', { name: /USDC still to pay/ }).waitFor();
  await expect.poll(async () => (await readRequest(page, 6)).amount).toBeLessThan(whole.amount);
  const rest = await readRequest(page, 6);
  const missing = whole.amount - sent;
  expect(rest.amount).toBeGreaterThanOrEqual(missing);
  expect(rest.amount).toBeLessThan(missing + 10_000n);
  await shop.transfer(account, 'USDC', merchant.split, rest.amount);
  await reaches(page, 'completed');

  expect((await stages()).filter((stage) => stage !== 'sent')).toEqual([
    'waiting',
    'short',
    'seen',
    'paid',
    'completed',
  ]);
  expect(await holding.grown()).toEqual(sharesOf(sent + rest.amount));
});

test('a transaction that the network reverts is shown as failed in words for the buyer, and the next try pays', async () => {
  const order = await shop.order(await shop.merchant());
  const account = await shop.buyer();
  const page = await visit(browser, order.url, {
    before: (fresh) =>
      injectWallet(fresh, shop, account, {
        name: 'Empty Wallet',
        send: ({ to, data }) => shop.walletOf(account).sendTransaction({ to, data, gas: 100_000n }),
      }),
  });
  await page.getByRole('button', { name: 'Pay with Empty Wallet' }).click();
  await reaches(page, 'failed');
  await page.locator('.lead', { hasText: 'The network did not accept the payment.' }).waitFor();
  await page.getByRole('link', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'Pay with a test wallet' }).click();
  await reaches(page, 'completed');
});
