import { expect, onTestFinished, test } from 'vitest';
import { listPauses, resumePayments } from '../../../src/domain/payments/quotes/pauses.ts';
import { suspendMerchant } from '../../../src/domain/shop/merchants/suspend.ts';
import { newAccount } from '../../support/server.ts';
import { expectWellMade } from '../browser.ts';
import { openScene } from '../scene.ts';
import { openInside } from './inside.ts';

const operator = newAccount();
// The wallet of this key is empty, which is an alarm.
const scene = await openScene({
  env: { PLATFORM_ADMINS: operator.address, SPENDER_PRIVATE_KEY: `0x${'5e'.repeat(32)}` },
});
const { shop } = scene;
const merchant = await shop.merchant('Kaldi Coffee');

test('an operator without a shop sees who is behind and what to do, and nothing of a shop', async () => {
  const page = await openInside(scene, operator);
  await page.waitForURL(`${shop.server.url}/console/operator`);
  const alarms = page.getByRole('list', { name: 'Needs you' });
  await alarms.getByText('Send native coins to the wallet').waitFor();
  await page.getByText('Charges subscriptions').waitFor();
  await page.getByText('0 ETH', { exact: true }).waitFor();
  await page.getByRole('list', { name: 'Queues' }).getByText('webhooks').waitFor();
  await page.getByText('Every endpoint answers.').waitFor();
  await expectWellMade(page);
  expect(await page.locator('.side .nav a').allTextContents()).toEqual(['Server']);
});

test('a suspended shop says so on its first page, and leads to the entry that says why', async () => {
  const suspended = await shop.merchant('Mill & Co');
  await suspendMerchant(shop.server.deps, suspended.wallet, 'papers are missing');
  const page = await openInside(scene, suspended.account);
  await page.getByRole('link', { name: 'suspended your shop: buyers cannot pay' }).click();
  await page.getByRole('heading', { name: 'Audit log' }).waitFor();
  await page.getByRole('link', { name: 'Shop suspended' }).click();
  await page.getByText('papers are missing').waitFor();
});

test('an operator finds a shop, suspends it with a reason, and resumes it; its orders follow', async () => {
  await shop.merchant('Mill & Loaf');
  await shop.merchant('Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft');
  const order = () =>
    shop.server.call('POST', '/api/orders', { headers: merchant.auth, body: { items: [{ sku: 'MUG', qty: 1 }] } });
  const page = await openInside(scene, operator, '/console/operator');
  await page.getByRole('link', { name: 'Shops', exact: true }).click();
  await page.getByText('Mill & Loaf').waitFor();
  await expectWellMade(page);
  await page.getByRole('searchbox', { name: 'Search shops' }).fill('kaldi');
  await page.getByText('Mill & Loaf').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Suspend: Kaldi Coffee' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('New orders, receipts, quotes, subscriptions and charges are refused').waitFor();
  await dialog.getByRole('button', { name: 'Suspend' }).click();
  await dialog.getByText('Say why').waitFor();
  expect((await order()).status).toBe(200);
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('report of fraud');
  await dialog.getByRole('button', { name: 'Suspend' }).click();
  await page.getByText('report of fraud').waitFor();
  const refused = await order();
  expect([refused.status, refused.body.error]).toEqual([403, 'merchant_suspended']);
  await page.getByRole('combobox', { name: 'State' }).selectOption('Suspended');
  await page.waitForURL(/state=suspended/);
  await page.getByText('report of fraud').waitFor();
  await expectWellMade(page);
  await page.getByRole('button', { name: 'Resume: Kaldi Coffee' }).click();
  await dialog.getByText('The shop takes orders and charges again at once.').waitFor();
  await dialog.getByRole('button', { name: 'Resume' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('combobox', { name: 'State' }).selectOption('All shops');
  await page.getByRole('button', { name: 'Suspend: Kaldi Coffee' }).waitFor();
  expect((await order()).status).toBe(200);

  await page.getByRole('link', { name: 'Invite a shop' }).click();
  await dialog.getByRole('textbox', { name: 'For whom' }).fill('Ada');
  await dialog.getByRole('button', { name: 'Make a link' }).click();
  await expect.poll(() => page.locator('.secret').innerText()).toMatch(/\/console\/register#qm_.+/);
});

test('an operator pauses a token with a reason, sees the pause, and ends it', async () => {
  const { chain } = shop.server.deps;
  const paused = async () => (await listPauses(shop.server.deps.db)).map(({ token, reason }) => [token, reason]);
  onTestFinished(() => resumePayments(shop.server.deps, { chainId: chain.chainId, token: 'USDT' }).then(() => {}));
  const page = await openInside(scene, operator, '/console/operator');
  await page.getByText('Every token of every chain is offered.').waitFor();
  await page.getByRole('button', { name: 'Pause payments' }).click();
  const dialog = page.getByRole('dialog');
  const places = dialog.getByRole('combobox', { name: 'What to pause' });
  expect(await places.locator('option').allTextContents()).toEqual([
    'Every token on the local test chain',
    ...chain.tokens.map(({ symbol }) => `${symbol} on the local test chain`),
  ]);
  await places.selectOption('USDT on the local test chain');
  await dialog.getByRole('button', { name: 'Pause payments' }).click();
  await dialog.getByText('Say why').waitFor();
  expect(await paused()).toEqual([]);
  await expectWellMade(page);
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('depeg');
  await dialog.getByRole('button', { name: 'Pause payments' }).click();
  await dialog.waitFor({ state: 'detached' });
  const row = page.getByRole('list', { name: 'Paused payments' }).getByRole('listitem');
  await row.getByText('USDT on the local test chain').waitFor();
  await row.getByText('depeg').waitFor();
  expect(await paused()).toEqual([['USDT', 'depeg']]);
  await expectWellMade(page);
  await page.getByRole('button', { name: 'Resume: USDT on the local test chain' }).click();
  await dialog.getByText('Buyers can pay there again at once.').waitFor();
  await dialog.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('Every token of every chain is offered.').waitFor();
  expect(await paused()).toEqual([]);
});

test('an operator who also reads the books of a shop sees low gas on the first page, and links only to what it may open', async () => {
  const database = shop.server.deps.db.orm.em.fork().getConnection();
  await database.execute(
    'insert into merchant_members (merchant, wallet, role, label, created_at, added_by) values (?, ?, ?, null, ?, ?)',
    [merchant.wallet, operator.address.toLowerCase(), 'bookkeeper', Date.now(), merchant.wallet],
  );
  await database.execute(
    `insert into webhook_deliveries (id, merchant, receipt_id, seq, url, event, body, state, created_at)
     values ('failed', ?, 'none', 1, 'https://shop.test/hook', 'paid', '{}', 'failed', ?)`,
    [merchant.wallet, Date.now()],
  );
  const page = await openInside(scene, operator);
  const needs = page.getByRole('list', { name: 'Needs you' });
  // A bookkeeper has no page of webhooks.
  await needs.getByText('1 webhook was not delivered').waitFor();
  expect(await needs.getByRole('link', { name: /webhook/ }).count()).toBe(0);
  await needs.getByRole('link', { name: '1 wallet of the server is low on gas' }).click();
  await page.waitForURL(`${shop.server.url}/console/operator`);
});

test('no other wallet has the pages of the operator, by navigation, by key or by address', async () => {
  const page = await openInside(scene, merchant.account, '/console/operator/merchants', { denied: /403/ });
  await page.getByText('Your role does not include this page').waitFor();
  expect(await page.locator('.side .nav').getByText('Server').count()).toBe(0);
  await page.getByRole('link', { name: 'Home' }).first().click();
  await page.waitForURL(`${shop.server.url}/console`);
  await page.keyboard.press('g');
  await page.keyboard.press('v');
  expect(page.url()).toBe(`${shop.server.url}/console`);
  // The server refuses too, whatever the page asks.
  const headers = await shop.server.signIn(merchant.account);
  for (const query of [
    '{ platform { merchants { nodes { wallet } } } }',
    `mutation { suspendMerchant(wallet: "${merchant.wallet}", reason: "x") { wallet } }`,
    `mutation { resumeMerchant(wallet: "${merchant.wallet}") { wallet } }`,
    'mutation { inviteMerchant { code } }',
  ]) {
    const { body } = await shop.server.call('POST', '/api/graphql', { headers, body: { query } });
    expect(body.errors[0].extensions).toMatchObject({ code: 'forbidden' });
  }
});
