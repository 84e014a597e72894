import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { deploymentTransaction } from '../../src/base/chain/create2.ts';
import { mintTestTokens } from '../../src/base/chain/local.ts';
import { localAccount } from '../../src/base/chain/local-accounts.ts';
import { createSender } from '../../src/base/chain/sender.ts';
import { accountFactory, accountOf, createAccountTransaction } from '../../src/base/chain/spend-permission-account.ts';
import { isDeployed } from '../../src/base/chain/splitter.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import type { TestAccount, TestMerchant } from '../support/server.ts';
import { makePlan, subscribe, subscriptionBody, walletOf } from '../support/subscriber.ts';
import { expectAccessible, expectWellMade, phone, reaches, recordStages, stageOf, visit } from './browser.ts';
import { openScene } from './scene.ts';
import { type InjectedOptions, injectWallet, WalletError } from './wallet.ts';

const { shop, browser } = await openScene();

const platform = localAccount('platform').address;

const pageOf = (planId: string) => `${shop.server.url}/subscribe/${planId}`;

/** The page of a plan in the browser of a customer. */
const open = (planId: string, account: TestAccount, wallet: InjectedOptions & { visit?: object } = {}) =>
  visit(browser, pageOf(planId), {
    ...wallet.visit,
    before: (page) => injectWallet(page, shop, account, { name: 'Rainy Day', ...wallet }),
  });

const subscriptionsOf = async (merchant: TestMerchant) => {
  const { body } = await shop.server.call('GET', `/api/subscriptions/status?merchant=${merchant.wallet}`, {
    headers: merchant.auth,
  });
  return body.subscriptions;
};

test('a plain wallet allows charges, signs, sees the next charge date, and cancels; the page has nothing but its token', async () => {
  const merchant = await shop.merchant();
  const plan = await makePlan(shop.server, merchant);
  const customer = await shop.buyer({ USDC: 100_000_000n });
  const page = await open(plan.planId, customer);
  expect(await stageOf(page)).toBe('offer');
  await expectWellMade(page);
  await page.getByRole('button', { name: 'Connect Rainy Day' }).click();
  await reaches(page, 'prepare');
  await page.getByText('Allow charges in USDC').first().waitFor();
  await expectWellMade(page);
  await page.getByRole('button', { name: 'Allow charges in USDC' }).click();
  await page.getByText('Charges in USDC are allowed').waitFor();
  await page.getByRole('button', { name: 'Subscribe for $14.50 every 30 days' }).click();
  await reaches(page, 'active');
  await page.locator('#next-charge').waitFor();

  const [made] = await subscriptionsOf(merchant);
  expect(made).toMatchObject({
    planId: plan.planId,
    customerWallet: walletOf(customer),
    status: 'active',
    priceUsd: 14.5,
  });
  expect(new URL(page.url()).searchParams.get('subscription')).toBe(made.subscriptionId);

  // After a reload the page finds the subscription by its address, or by the wallet.
  await page.reload();
  expect(await stageOf(page)).toBe('active');
  await page.goto(pageOf(plan.planId));
  await page.getByRole('button', { name: 'Connect Rainy Day' }).click();
  await reaches(page, 'active');

  await page.getByRole('button', { name: 'Cancel the subscription' }).click();
  await page.getByRole('heading', { name: 'Cancel this subscription?' }).waitFor();
  await expectWellMade(page);
  await page.getByRole('button', { name: 'Keep it' }).click();
  await page.getByRole('button', { name: 'Cancel the subscription' }).click();
  await page.getByRole('button', { name: 'Yes, cancel it' }).click();
  await reaches(page, 'cancelled');
  await expectWellMade(page);
  expect((await subscriptionsOf(merchant))[0]).toMatchObject({ status: 'cancelled', nextChargeAt: null });
  await page.getByRole('link', { name: 'Subscribe again' }).click();
  await reaches(page, 'prepare');
}, 240_000);

test('a signature goes all the way to money in the recipients’ wallets, and the open page tells of the charge', async () => {
  const merchant = await shop.merchant();
  const plan = await makePlan(shop.server, merchant);
  const customer = await shop.buyer({ USDC: 100_000_000n });
  const balances = () => Promise.all([merchant.wallet, platform].map((wallet) => shop.balance('USDC', wallet)));
  const before = await balances();
  const page = await open(plan.planId, customer);
  await page.getByRole('button', { name: 'Connect Rainy Day' }).click();
  await page.getByRole('button', { name: 'Allow charges in USDC' }).click();
  await page.getByText('Charges in USDC are allowed').waitFor();
  const stages = await recordStages(page);
  await page.getByRole('button', { name: /^Subscribe for/ }).click();
  await reaches(page, 'charging');
  await page.getByRole('heading', { name: 'Charging $14.50…' }).waitFor();
  expect(await page.locator('#next-charge').count()).toBe(0);
  expect(await page.getByText('You are subscribed').count()).toBe(0);
  // No run of all due subscriptions, and no reload: the page sees what the worker does within ten seconds.
  await reaches(page, 'active', 10_000);
  expect(await stages()).toEqual(['prepare', 'charging', 'active']);
  const said = 'You are subscribed. Thank you. $14.50 was charged for Kaldi Coffee Roasters.';
  await page.locator('#announcer', { hasText: said }).waitFor({ state: 'attached' });
  await page.getByText('$14.50 was charged for Kaldi Coffee Roasters. The next charge comes on').waitFor();
  await expectWellMade(page);
  const [made] = await subscriptionsOf(merchant);
  expect(made).toMatchObject({ chargeCount: 1, totalChargedUsd: 14.5, status: 'active', firstCharge: 'done' });
  expect(await shop.balance('USDC', walletOf(customer))).toBe(85_500_000n);
  // 9950 and 50 of 10000 of what arrived, once the split has passed it on.
  const grown = async () => (await balances()).map((now, i) => now - before[i]!);
  await expect.poll(grown, { timeout: 30_000 }).toEqual([14_427_500n, 72_500n]);
  await page.locator('#last-charge').waitFor();
  await page.getByText('$14.50 in 1 charge').waitFor();
  const nextDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' }).format(made.nextChargeAt);
  expect(await page.locator('#next-charge').innerText()).toContain(nextDay);
}, 240_000);

test('the page reports a failed charge and what is missing, and the wallet can fix it there', async () => {
  const merchant = await shop.merchant();
  const plan = await makePlan(shop.server, merchant);
  const customer = await shop.buyer({ USDC: 100_000_000n });
  const page = await open(plan.planId, customer);
  await page.getByRole('button', { name: 'Connect Rainy Day' }).click();
  await reaches(page, 'prepare');
  const stages = await recordStages(page);
  await page.getByRole('button', { name: /^Subscribe for/ }).click();
  await reaches(page, 'past_due');
  expect(await stages()).toEqual(['prepare', 'charging', 'past_due']);
  await page.getByRole('heading', { name: 'The first charge did not go through' }).waitFor();
  await page
    .locator('#failure', { hasText: 'Your wallet has too little money, or does not allow the charge.' })
    .waitFor();
  await page.getByRole('button', { name: 'Allow charges in USDC' }).waitFor();
  await expectWellMade(page);
  await page.getByRole('button', { name: 'Allow charges in USDC' }).click();
  await page.getByText('Charges in USDC are allowed').waitFor();
  const [made] = await subscriptionsOf(merchant);
  expect(made).toMatchObject({ status: 'past_due', chargeCount: 0, firstCharge: 'failed' });
});

test('the page reports what is missing and still allows subscribing; a rejected wallet request changes nothing', async () => {
  const merchant = await shop.merchant();
  const plan = await makePlan(shop.server, merchant, { period: 'WEEKLY' });
  const customer = await shop.buyer({ USDC: 500_000n });
  let declines = true;
  const page = await open(plan.planId, customer, {
    sign: async (typedData) => {
      if (!declines) return customer.signTypedData(typedData as never);
      declines = false;
      throw new WalletError(4001, 'User rejected the request.');
    },
  });
  await page.getByRole('button', { name: 'Connect Rainy Day' }).click();
  await page.getByText('Your wallet is 14 USDC short of the next charge.').waitFor();
  const subscribe = page.getByRole('button', { name: 'Subscribe for $14.50 every week' });
  await subscribe.click();
  await page.getByText('You declined the request in your wallet.').waitFor();
  await expectWellMade(page);
  expect(await subscriptionsOf(merchant)).toEqual([]);
  await subscribe.click();
  await reaches(page, 'past_due');
  await page.getByText('Your wallet is 14 USDC short of the next charge.').waitFor();
  await expectWellMade(page);
  // The same shows without a connected wallet.
  await page.reload();
  await page.getByText('Your wallet is 14 USDC short of the next charge.').waitFor();
  expect(await subscriptionsOf(merchant)).toHaveLength(1);
});

test('a price that changes under the open page is never signed for', async () => {
  const merchant = await shop.merchant();
  const plan = await makePlan(shop.server, merchant);
  const customer = await shop.buyer({ USDC: 100_000_000n });
  const page = await open(plan.planId, customer);
  await page.getByRole('button', { name: 'Connect Rainy Day' }).click();
  await reaches(page, 'prepare');
  const headers = await shop.server.signIn(merchant.account);
  await shop.server.call('PUT', '/api/subscriptions/plans', { headers, body: { planId: plan.planId, priceUsd: 99 } });
  await page.getByRole('button', { name: /^Subscribe for/ }).click();
  await page.getByText('The price of this plan has changed.').waitFor();
  expect(await subscriptionsOf(merchant)).toEqual([]);
});

/** A smart account of a customer, which does not list the manager as an owner yet. */
async function smartAccountOf(customer: TestAccount): Promise<Wallet> {
  const { chain } = shop.server.deps;
  const sender = createSender(chain, localAccount('buyer', 2).privateKey);
  const send = async (transaction: Parameters<typeof sender.send>[0]) => {
    const { hash } = await sender.send(transaction);
    await sender.waitFor(hash!);
  };
  if (!(await isDeployed(chain, accountFactory.address))) await send(deploymentTransaction(accountFactory));
  await send(createAccountTransaction([walletOf(customer)]));
  const account = accountOf([walletOf(customer)]);
  await mintTestTokens(chain, 'USDC', account, 100_000_000n);
  return account;
}

test('a smart account that batches allows charges and subscribes in one request, and is charged', async () => {
  const merchant = await shop.merchant();
  const plan = await makePlan(shop.server, merchant);
  const customer = await shop.buyer();
  const smartAccount = await smartAccountOf(customer);
  const asked: string[] = [];
  const page = await open(plan.planId, customer, {
    ...{ smartAccount, batches: true },
    onAsk: (method) => asked.push(method),
  });
  await page.getByRole('button', { name: 'Connect Rainy Day' }).click();
  await page.getByText('allows the charges and subscribes in one request').waitFor();
  await expectWellMade(page);
  expect(await page.getByRole('button', { name: /^Allow charges/ }).count()).toBe(0);
  await page.getByRole('button', { name: /^Subscribe for/ }).click();
  await reaches(page, 'active');
  const prompts = asked.filter((method) => /send|sign/i.test(method));
  expect(prompts).toEqual(['wallet_sendCalls']);
  const [made] = await subscriptionsOf(merchant);
  expect(made).toMatchObject({ customerWallet: smartAccount, status: 'active', chargeCount: 1 });
  expect(await shop.balance('USDC', smartAccount)).toBe(85_500_000n);
}, 240_000);

test('only the wallet that has subscribed can cancel', async () => {
  const merchant = await shop.merchant();
  const plan = await makePlan(shop.server, merchant);
  const [customer, stranger] = [await shop.buyer(), await shop.buyer()];
  const page = await open(plan.planId, customer);
  await page.getByRole('button', { name: 'Connect Rainy Day' }).click();
  await page.getByRole('button', { name: /^Subscribe for/ }).click();
  await reaches(page, 'past_due');
  const other = await visit(browser, page.url(), { before: (fresh) => injectWallet(fresh, shop, stranger) });
  await other.getByRole('button', { name: 'Cancel the subscription' }).click();
  await other.getByRole('button', { name: 'Yes, cancel it' }).click();
  await other.getByText('Choose the wallet that has subscribed').waitFor();
  expect((await subscriptionsOf(merchant))[0].status).toBe('past_due');
});

test('a customer who subscribed elsewhere finds and cancels the subscription by the wallet; no one else does, and no session stays open', async () => {
  const merchant = await shop.merchant();
  const plan = await makePlan(shop.server, merchant);
  const [customer, stranger] = [await shop.buyer(), await shop.buyer()];
  const made = await subscribe(shop.server, merchant, await subscriptionBody(shop.server, plan, { customer }));
  const { subscriptionId } = made.body.subscription;

  let declines = true;
  const page = await open(plan.planId, customer, {
    sign: async (typedData) => {
      if (!declines) return customer.signTypedData(typedData as never);
      declines = false;
      throw new WalletError(4001, 'User rejected the request.');
    },
  });
  await page.getByRole('button', { name: 'Connect Rainy Day' }).click();
  await reaches(page, 'prepare');
  const find = (on: Page) => on.getByRole('button', { name: 'Find a subscription of this wallet' }).click();
  await find(page);
  await page.getByText('You declined the request in your wallet.').waitFor();
  await find(page);
  await reaches(page, 'past_due');
  expect(new URL(page.url()).searchParams.get('subscription')).toBe(subscriptionId);
  expect(await page.context().cookies()).toEqual([]);
  // From now on this browser knows it.
  await page.goto(pageOf(plan.planId));
  await page.getByRole('button', { name: 'Connect Rainy Day' }).click();
  await reaches(page, 'past_due');

  const other = await open(plan.planId, stranger);
  await other.getByRole('button', { name: 'Connect Rainy Day' }).click();
  await find(other);
  await other.getByText('This wallet has no subscription to this plan.').waitFor();
  await expectWellMade(other);

  // Also of a plan that is not offered any more.
  const headers = await shop.server.signIn(merchant.account);
  await shop.server.call('DELETE', '/api/subscriptions/plans', { headers, body: { planId: plan.planId } });
  const late = await open(plan.planId, customer);
  expect(await stageOf(late)).toBe('closed');
  await late.getByRole('button', { name: 'Find my subscription' }).waitFor();
  await expectWellMade(late);
  await late.getByRole('button', { name: 'Find my subscription' }).click();
  await reaches(late, 'past_due');
  await late.getByRole('button', { name: 'Cancel the subscription' }).click();
  await late.getByRole('button', { name: 'Yes, cancel it' }).click();
  await reaches(late, 'cancelled');
  expect((await subscriptionsOf(merchant))[0].status).toBe('cancelled');
}, 240_000);

test('markup that a merchant writes into a plan shows as text and runs nowhere', async () => {
  const bomb = `' onerror='x' "><img src=x onerror="document.title='owned'"><script>document.title="owned"</script>&apos;`;
  const merchant = await shop.merchant(`Shop ${bomb}`, { theme: { primaryColor: '#7a1f5c' } });
  const plan = await makePlan(shop.server, merchant, { name: `Plan ${bomb}`, description: `About ${bomb}` });
  const page = await open(plan.planId, await shop.buyer());
  await page.locator('.brand').getByText(`Shop ${bomb}`).waitFor();
  await page.locator('.head').getByText(`Plan ${bomb}`).waitFor();
  await page.locator('.items').getByText(`About ${bomb}`).waitFor();
  await page.getByRole('button', { name: 'Connect Rainy Day' }).click();
  await reaches(page, 'prepare');
  expect(await page.locator('script:not([src]), img[src="x"], [onerror]').count()).toBe(0);
  expect(await page.title()).not.toBe('owned');
});

test('without its script the page says what the plan costs and what it needs; a plan that is gone or never was says so', async () => {
  const merchant = await shop.merchant();
  const plan = await makePlan(shop.server, merchant);
  const plain = await visit(browser, pageOf(plan.planId), { javaScriptEnabled: false });
  await plain.getByText('$14.50').first().waitFor();
  expect(await plain.getByText('Subscribing needs JavaScript and a wallet.').isVisible()).toBe(true);
  expect(await plain.getByRole('button').count()).toBe(0);

  const headers = await shop.server.signIn(merchant.account);
  await shop.server.call('DELETE', '/api/subscriptions/plans', { headers, body: { planId: plan.planId } });
  const closed = await visit(browser, pageOf(plan.planId));
  expect(await stageOf(closed)).toBe('closed');
  await expectWellMade(closed);

  const missing = await visit(browser, pageOf('plan_nothing'));
  await missing.getByRole('heading', { name: 'No plan here' }).waitFor();
  await expectWellMade(missing);
});

test('the subscribe page without a wallet offers a QR code, and on a phone a link that opens it in a wallet app', async () => {
  const plan = await makePlan(shop.server, await shop.merchant());
  const page = await visit(browser, pageOf(plan.planId));
  await page.getByRole('img', { name: 'QR code of the address of this page' }).waitFor();
  expect(await page.getByText('Open in your wallet app').isVisible()).toBe(false);
  await expectWellMade(page);

  const small = await visit(browser, pageOf(plan.planId), phone);
  await small.getByText('Open in your wallet app').click();
  const links = await small.locator('.apps a').evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href));
  const address = new URL(pageOf(plan.planId));
  expect(links.length).toBeGreaterThanOrEqual(2);
  for (const link of links) expect(decodeURIComponent(link)).toContain(`${address.host}${address.pathname}`);
  await expectAccessible(small);
}, 240_000);
