import { expect, test } from 'vitest';
import { localAccount } from '../../src/base/chain/local-accounts.ts';
import { LOCAL_CHAIN_ID } from '../../src/base/core/local-chains.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { claimTypedData } from '../../src/domain/payments/matching/claim.ts';
import { expectWellMade, reaches, readRequest, recordStages, stageOf, visit } from './browser.ts';
import { openScene } from './scene.ts';
import { injectWallet, WalletError } from './wallet.ts';

const { shop, browser } = await openScene();

/** Submits a sender's claim with the token of the page. */
const claim = async (variables: object) => {
  const token = document.querySelector<HTMLMetaElement>('meta[name="page-token"]')?.content;
  const query = `mutation($receiptId: ID!, $transactionHash: Hex!, $signer: Wallet!, $signature: Hex!) {
    submitTransaction(receiptId: $receiptId, transactionHash: $transactionHash, signer: $signer, signature: $signature) {
      status
    }
  }`;
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  await fetch('/api/graphql', { method: 'POST', headers, body: JSON.stringify({ query, variables }) });
};

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
  expect(payTo.toLowerCase()).not.toBe(merchant.split);
  expect(await stages()).toEqual(expect.arrayContaining(['waiting', 'seen', 'paid', 'completed']));
  expect(await holding.grown()).toEqual(sharesOf(amount));
  expect(await order.status()).toBe('completed');
});

test('a plain transfer of the shown amount, which has no odd digits, pays the receipt from a wallet unknown to the page', async () => {
  const merchant = await shop.merchant();
  const order = await shop.order(merchant);
  const account = await shop.buyer({ USDT: 1_000_000_000n });
  const page = await visit(browser, order.url);
  await page.getByRole('radio', { name: 'USDT' }).check();
  await page.locator('#amount', { hasText: `${order.totalUsd.toFixed(2)} USDT` }).waitFor();
  const stages = await recordStages(page);
  const { amount, payTo } = await readRequest(page, 6);
  const holding = await holdings('USDT', merchant.wallet);
  await shop.transfer(account, 'USDT', payTo.toLowerCase() as Wallet, amount);
  await reaches(page, 'completed');

  expect(await stages()).toEqual(['waiting', 'seen', 'paid', 'completed']);
  expect(await holding.grown()).toEqual(sharesOf(amount));
});

test('a part counts at once: the page asks for the rest, which another token pays', async () => {
  const merchant = await shop.merchant();
  const order = await shop.order(merchant);
  const account = await shop.buyer({ USDC: 1_000_000_000n, USDT: 1_000_000_000n });
  const page = await visit(browser, order.url);
  const stages = await recordStages(page);
  const { amount, payTo } = await readRequest(page, 6);
  const holding = [await holdings('USDC', merchant.wallet), await holdings('USDT', merchant.wallet)];
  await shop.transfer(account, 'USDC', payTo.toLowerCase() as Wallet, amount - 23_400_000n);
  await page.getByRole('heading', { name: '23.40 USDC are missing' }).waitFor();
  await page.locator('#amount', { hasText: '23.40 USDC' }).waitFor();
  await expectWellMade(page);
  await page.getByRole('radio', { name: 'USDT' }).check();
  await page.locator('#amount', { hasText: '23.40 USDT' }).waitFor();
  const rest = await readRequest(page, 6);
  expect(rest).toEqual({ amount: 23_400_000n, payTo });
  await shop.transfer(account, 'USDT', rest.payTo.toLowerCase() as Wallet, rest.amount);
  await reaches(page, 'completed');

  expect(await stages()).toEqual(['waiting', 'short', 'seen', 'paid', 'completed']);
  expect(await page.locator('#surplus').count()).toBe(0);
  expect(await Promise.all(holding.map(({ grown }) => grown()))).toEqual([
    sharesOf(amount - 23_400_000n),
    sharesOf(23_400_000n),
  ]);
  expect(await page.locator('.exact-paid').innerText()).toBe(`$${order.totalUsd.toFixed(2)}`);
  await page.getByRole('link', { name: 'Print or save the receipt' }).click();
  await page.getByText(`${(order.totalUsd - 23.4).toFixed(2)} USDC + 23.40 USDT`).waitFor();
});

test('too much pays, and the page shows what the shop can send back', async () => {
  const order = await shop.order(await shop.merchant());
  const account = await shop.buyer({ USDC: 1_000_000_000n });
  const page = await visit(browser, order.url);
  const { amount, payTo } = await readRequest(page, 6);
  await shop.transfer(account, 'USDC', payTo.toLowerCase() as Wallet, amount + 6_220_000n);
  await reaches(page, 'completed');
  const surplus = page.locator('#surplus', { hasText: '$6.22' });
  await surplus.waitFor();
  await page.reload();
  await surplus.waitFor();
  await expectWellMade(page);
});

test('two orders of one price, open side by side, are each paid at their own address', async () => {
  const merchant = await shop.merchant();
  const orders = [await shop.order(merchant), await shop.order(merchant)];
  const pages = await Promise.all(orders.map(({ url }) => visit(browser, url)));
  const [first, second] = await Promise.all(pages.map((page) => readRequest(page, 6)));
  const account = await shop.buyer({ USDC: 1_000_000_000n });
  expect(first!.amount).toBe(second!.amount);
  await shop.transfer(account, 'USDC', second!.payTo.toLowerCase() as Wallet, second!.amount);
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

test('ether pays too, at a price that the page holds and counts down', async () => {
  const merchant = await shop.merchant();
  const order = await shop.order(merchant);
  const account = await shop.buyer();
  const page = await visit(browser, order.url);
  await page.getByRole('radio', { name: 'ETH' }).check();
  await page.locator('#amount', { hasText: 'ETH' }).waitFor();
  expect(await page.locator('[data-expires]').innerText()).toMatch(/^1[45]:\d\d$/);
  expect(await page.locator('#amount .exact').innerText()).toMatch(/^0\.\d{2,6}$/);
  const { amount, payTo } = await readRequest(page, 18);
  const holding = await holdings('ETH', merchant.wallet);
  await shop.transfer(account, 'ETH', payTo.toLowerCase() as Wallet, amount);
  await reaches(page, 'completed');

  expect(await holding.grown()).toEqual(sharesOf(amount));
});

test('where code stands at the address, ether is asked for at a fresh one, and both addresses count', async () => {
  const merchant = await shop.merchant();
  const [earlier, order] = [await shop.order(merchant), await shop.order(merchant)];
  const used = await visit(browser, earlier.url);
  await used.getByRole('button', { name: 'Pay with a test wallet' }).click();
  await reaches(used, 'completed');

  const account = await shop.buyer({ USDC: 1_000_000_000n, USDT: 1n });
  const page = await visit(browser, order.url);
  const first = await readRequest(page, 6);
  await page.locator('#address-code').waitFor();
  await shop.transfer(account, 'USDT', first.payTo.toLowerCase() as Wallet, 1n);
  await shop.collect(account, merchant, order, 'USDT');
  await page.getByRole('radio', { name: 'ETH' }).check();
  await page.locator('#address-changed').waitFor();
  const fresh = await readRequest(page, 18);
  expect(fresh.payTo.toLowerCase()).not.toBe(first.payTo.toLowerCase());
  expect(await page.locator('#address-code').isVisible()).toBe(false);
  await expectWellMade(page);

  await shop.transfer(account, 'USDC', first.payTo.toLowerCase() as Wallet, first.amount - 10_000_000n);
  await page.getByRole('heading', { name: 'ETH are missing' }).waitFor();
  await expect.poll(async () => (await readRequest(page, 18)).amount).toBeLessThan(fresh.amount);
  const rest = await readRequest(page, 18);
  expect(rest.payTo).toBe(fresh.payTo);
  await shop.transfer(account, 'ETH', rest.payTo.toLowerCase() as Wallet, rest.amount);
  await reaches(page, 'completed');
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
  await page.getByText('Other ways to pay').click();
  await page.getByRole('button', { name: 'Pay with a test wallet' }).click();
  await reaches(page, 'completed');
});

test('money that was sent straight to the split pays once its sender signs that it is meant for the receipt', async () => {
  const merchant = await shop.merchant();
  const order = await shop.order(merchant);
  const account = await shop.buyer({ USDC: 1_000_000_000n });
  const page = await visit(browser, order.url);
  const { amount } = await readRequest(page, 6);
  const transactionHash = await shop.transfer(account, 'USDC', merchant.split, amount);
  await expect.poll(() => shop.unmatched(merchant), { timeout: 30_000 }).toEqual([transactionHash]);
  expect(await stageOf(page)).toBe('waiting');

  const facts = { merchant: merchant.wallet, receiptId: order.receiptId, transactionHash };
  const signature = await account.signTypedData(claimTypedData(LOCAL_CHAIN_ID, facts) as never);
  await page.evaluate(claim, { ...facts, signature, signer: account.address });
  await reaches(page, 'completed');
  expect(await shop.unmatched(merchant)).toEqual([]);
});
