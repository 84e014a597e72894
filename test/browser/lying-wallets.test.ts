import { expect, test } from 'vitest';
import { makePlan } from '../support/subscriber.ts';
import { reaches, visit } from './browser.ts';
import { openScene } from './scene.ts';
import { type InjectedOptions, injectWallet } from './wallet.ts';

// A wallet that says it has changed its network may be on another one. What it sends there is lost.

const { shop, browser } = await openScene();

const STAYED =
  'Your wallet could not change to the local test chain. Choose that network there, or add it, and try again.';

/** A page in the browser of a buyer whose wallet is on another network. */
async function open(path: string, changes: InjectedOptions['changes']) {
  const account = await shop.buyer({ USDC: 1_000_000_000n });
  let asked: string[] = [];
  const sent: { chainId?: string }[] = [];
  const page = await visit(browser, path.startsWith('http') ? path : `${shop.server.url}${path}`, {
    before: async (fresh) => {
      const send: InjectedOptions['send'] = (wanted) => {
        sent.push(wanted as { chainId?: string });
        const { to, data, value } = wanted;
        return shop.walletOf(account).sendTransaction({ to, data, value: value && BigInt(value) });
      };
      asked = await injectWallet(fresh, shop, account, { name: 'Fox Wallet', chainId: 1, changes, send });
    },
  });
  return { page, sent, asked: () => asked };
}

test.each(['lies', 'returns'] as const)('a wallet that %s about its network is not asked to pay', async (changes) => {
  const order = await shop.order(await shop.merchant());
  const { page, asked } = await open(order.url, changes);
  await page.getByRole('button', { name: 'Pay with Fox Wallet' }).click();
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('alert').innerText()).toBe(STAYED);
  expect(asked()).toContain('wallet_switchEthereumChain');
  expect(asked()).not.toContain('eth_sendTransaction');
  expect(['generated', 'pending']).toContain(await order.status());
});

test('a wallet that changes its network a moment later pays, and its transaction names the chain', async () => {
  const order = await shop.order(await shop.merchant());
  const { page, sent } = await open(order.url, 'late');
  await page.getByRole('button', { name: 'Pay with Fox Wallet' }).click();
  await reaches(page, 'completed');
  expect(sent.map(({ chainId }) => chainId)).toEqual(['0x7a69']);
});

test('a wallet that goes back to its own network is not asked to allow charges', async () => {
  const plan = await makePlan(shop.server, await shop.merchant());
  const { page, asked } = await open(`/subscribe/${plan.planId}`, 'returns');
  await page.getByRole('button', { name: 'Connect Fox Wallet' }).click();
  await reaches(page, 'prepare');
  await page.getByRole('button', { name: 'Allow charges in USDC' }).click();
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('alert').innerText()).toBe(STAYED);
  expect(asked()).not.toContain('eth_sendTransaction');
});
