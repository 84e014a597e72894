import { afterAll, expect, test } from 'vitest';
import { mintTestTokens } from '../../src/chain/local.ts';
import { startTestChain } from '../../src/chain/test/anvil.ts';
import { LOCAL_CHAIN_ID, SLOW_CHAIN_ID } from '../../src/core/local-chains.ts';
import { parseWallet } from '../../src/core/wallet.ts';
import { newAccount } from '../support/server.ts';
import { reaches, visit } from './browser.ts';
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
  await page.getByText('On the network').locator('..').getByText('the second local test chain').waitFor();
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
  await page.getByRole('button', { name: 'Sign instead' }).waitFor();
  await page.locator('#token-USDT').check();
  await page.locator('#amount', { hasText: 'USDT' }).waitFor();
  expect(await page.getByRole('button', { name: 'Sign instead' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Pay with Fox Wallet' }).count()).toBe(1);
});
