import { afterAll, expect, test } from 'vitest';
import { mintTestTokens } from '../../src/base/chain/local.ts';
import { startTestChain } from '../../src/base/chain/test/anvil.ts';
import { LOCAL_CHAIN_ID, SLOW_CHAIN_ID } from '../../src/base/core/local-chains.ts';
import { parseWallet } from '../../src/base/core/wallet.ts';
import { newAccount } from '../support/server.ts';
import { makePlan, walletOf } from '../support/subscriber.ts';
import { expectWellMade, reaches, visit } from './browser.ts';
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

test('the network of a connected wallet comes first, and a buyer without ether pays there with a signature', async () => {
  const order = await shop.order(await shop.merchant());
  const account = newAccount();
  await mintTestTokens(second.chain, 'USDC', parseWallet(account.address)!, 1_000_000_000n);
  let asked: string[] = [];
  const page = await visit(browser, order.url, {
    before: async (fresh) => {
      asked = await injectWallet(fresh, shop, account, { name: 'Fox Wallet', chainId: SLOW_CHAIN_ID });
    },
  });
  const first = page.locator('input[name=token]').first();
  await expect.poll(() => first.getAttribute('value'), { timeout: 30_000 }).toBe(`USDC@${SLOW_CHAIN_ID}`);
  await first.check();
  await page.locator('.field', { hasText: 'Network' }).getByText('the second local test chain').waitFor();
  await page.getByText('Other ways to pay').click();
  await page.getByRole('button', { name: 'Sign instead: no network fee' }).click();
  await reaches(page, 'completed');
  expect(asked).toContain('eth_signTypedData_v4');
  expect(asked).not.toContain('eth_sendTransaction');
  expect(await order.status()).toBe('completed');
});

test('a signature is not asked for in a token without such transfers', async () => {
  const order = await shop.order(await shop.merchant());
  const page = await visit(browser, order.url, {
    before: (fresh) => injectWallet(fresh, shop, newAccount(), { name: 'Fox Wallet' }),
  });
  await page.getByText('Other ways to pay').click();
  await page.getByRole('button', { name: 'Sign instead' }).waitFor();
  await page.getByRole('radio', { name: 'USDT', exact: true }).check();
  await page.locator('#amount', { hasText: 'USDT' }).waitFor();
  expect(await page.getByRole('button', { name: 'Sign instead' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Pay with Fox Wallet' }).count()).toBe(1);
});

test('a plan on both networks: the wallet’s own network is chosen, and the wallet signs for the one that the customer picks', async () => {
  const merchant = await shop.merchant();
  const paymentTokens = [LOCAL_CHAIN_ID, SLOW_CHAIN_ID].map((chainId) => ({ chainId, token: 'USDC' }));
  const plan = await makePlan(shop.server, merchant, { paymentTokens });
  const account = newAccount();
  await mintTestTokens(second.chain, 'USDC', walletOf(account), 100_000_000n);
  const signedFor: number[] = [];
  const page = await visit(browser, `${shop.server.url}/subscribe/${plan.planId}`, {
    reducedMotion: 'reduce',
    before: (fresh) =>
      injectWallet(fresh, shop, account, {
        ...{ name: 'Fox Wallet', chainId: SLOW_CHAIN_ID },
        sign: (typedData) => {
          signedFor.push(Number((typedData as { domain: { chainId: number } }).domain.chainId));
          return account.signTypedData(typedData as never);
        },
      }),
  });
  await page.getByRole('button', { name: 'Connect Fox Wallet' }).click();
  await reaches(page, 'prepare');
  await expect.poll(() => page.locator(`[id="token-USDC@${SLOW_CHAIN_ID}"]`).isChecked()).toBe(true);
  await page.getByText('There is enough USDC').waitFor();
  await expectWellMade(page);
  await page.locator(`[id="token-USDC@${LOCAL_CHAIN_ID}"]`).check();
  await page.getByText('Not enough USDC yet').waitFor();
  await page.locator(`[id="token-USDC@${SLOW_CHAIN_ID}"]`).check();
  await page.getByText('There is enough USDC').waitFor();
  await page.getByRole('button', { name: /^Subscribe for/ }).click();
  await reaches(page, 'past_due');
  await page.locator('#network', { hasText: 'the second local test chain' }).waitFor();
  await page.getByRole('button', { name: 'Cancel the subscription' }).click();
  await page.getByRole('button', { name: 'Yes, cancel it' }).click();
  await reaches(page, 'cancelled');
  expect(signedFor).toEqual([SLOW_CHAIN_ID, SLOW_CHAIN_ID]);
});

test('a wallet on another network is asked to switch before it signs for a plan', async () => {
  const merchant = await shop.merchant();
  const plan = await makePlan(shop.server, merchant, { paymentTokens: [{ chainId: SLOW_CHAIN_ID, token: 'USDC' }] });
  let asked: string[] = [];
  const page = await visit(browser, `${shop.server.url}/subscribe/${plan.planId}`, {
    before: async (fresh) => {
      asked = await injectWallet(fresh, shop, newAccount(), { name: 'Fox Wallet' });
    },
  });
  await page.getByRole('button', { name: 'Connect Fox Wallet' }).click();
  await reaches(page, 'prepare');
  await page.getByRole('button', { name: /^Subscribe for/ }).click();
  await reaches(page, 'past_due');
  expect(asked.indexOf('wallet_switchEthereumChain')).toBeGreaterThan(-1);
  expect(asked.indexOf('wallet_switchEthereumChain')).toBeLessThan(asked.indexOf('eth_signTypedData_v4'));
});
