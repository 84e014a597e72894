import { afterAll, beforeAll, expect, test } from 'vitest';
import { newAccount, startTestServer, type TestServer } from '../../support/server.ts';
import { desktop, expectWellMade, phone, reaches } from '../browser.ts';
import { openScene } from '../scene.ts';
import { openInside, openSignedOut } from './inside.ts';

const operator = newAccount();
const scene = await openScene({ env: { PLATFORM_ADMINS: operator.address } });
const { shop, browser } = scene;

/** Servers on the same database that register merchants in the two other ways. */
let inviting: TestServer;
let closed: TestServer;
beforeAll(async () => {
  const { databaseUrl } = shop.server.deps.settings;
  const more = { RPC_URL: shop.rpcUrl, PLATFORM_ADMINS: operator.address };
  [inviting, closed] = await Promise.all([
    startTestServer({ databaseUrl, env: { ...more, SIGNUP: 'invite' } }),
    startTestServer({ databaseUrl, env: { ...more, SIGNUP: 'closed' } }),
  ]);
});
afterAll(() => Promise.all([inviting.stop(), closed.stop()]));

const on = (server: TestServer) => ({ browser, shop: { server, walletOf: shop.walletOf } });

/** A picture of one pixel. */
const PICTURE = {
  name: 'logo.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
};

const PARTNER = `0x${'b7'.repeat(20)}`;

test.each([
  ['a phone', phone],
  ['a desktop', desktop],
])('on %s, a wallet without a shop registers one and takes every step to its first order', async (_, look) => {
  const page = await openSignedOut(scene, newAccount(), '/console', look);
  const step = (name: string) => page.getByRole('heading', { level: 2, name }).waitFor();
  const looksRight = async () => {
    await expectWellMade(page);
    await page.setViewportSize(look.viewport);
  };
  const click = (name: string) => page.getByRole('button', { name, exact: true }).click();
  await page.getByRole('button', { name: 'Sign in with browser wallet' }).click();
  await reaches(page, 'no-shop');
  // The wallet that is signed in is not offered again.
  expect(await page.getByRole('button', { name: 'Sign in with browser wallet' }).count()).toBe(0);
  await click('Register the shop');
  await page.getByText('Give your shop a name').waitFor();
  await looksRight();
  await page.getByLabel('Name of the shop').fill('Mill & Loaf');
  await click('Register the shop');

  // The name is known. What buyers also read is asked first.
  await step('Name and contact');
  expect(await page.getByLabel('Name of the shop').inputValue()).toBe('Mill & Loaf');
  await page.getByLabel('E-mail for buyers').fill('bread@example.com');
  await click('Save and go on');
  await step('Logo');
  await page.getByLabel('Choose a picture').setInputFiles(PICTURE);
  await click('Save and go on');
  await step('Colours');
  await page.getByLabel('Signs and marks', { exact: true }).fill('#8a2f1f');
  await click('Save and go on');

  // A step is left, and taken up again by its address.
  await step('Who is paid');
  await page.getByRole('link', { name: 'Not now' }).click();
  await step('First product');
  await page.goto(`${shop.server.url}/console`);
  await page.getByRole('list', { name: 'Finish setting up your shop' }).waitFor();
  await page.getByRole('list', { name: 'Finish setting up your shop' }).getByText('Who is paid').click();
  await page.waitForURL(/step=split/);
  await step('Who is paid');
  await click('Add a recipient');
  await page.getByLabel('Recipient 1: wallet').fill('not a wallet');
  await page.getByLabel('Recipient 1: %').fill('10');
  await click('Set up the shares');
  await page.getByText('A wallet is 0x followed by').waitFor();
  await looksRight();
  await page.getByLabel('Recipient 1: wallet').fill(PARTNER);
  await page.getByText('89.5 %').waitFor();
  await click('Set up the shares');

  await step('First product');
  await page.getByLabel('Name', { exact: true }).fill('Rye loaf');
  await page.getByLabel('Price in USD').fill('6.40');
  await click('Add product');
  await step('First key');
  await click('Issue a key');
  await expect.poll(() => page.locator('.secret').innerText()).toMatch(/\w{16,}/);
  await click('I have stored it');
  await step('Test order');
  await click('Order one Rye loaf');
  await page.getByRole('link', { name: 'Open the payment page' }).waitFor();
  await page.locator('.line-total').getByText('$6.43').waitFor();
  await looksRight();
  await page.getByRole('link', { name: 'Go on', exact: true }).click();
  await step('Your shop can be paid');
  await page.getByText('7 of 7 done').waitFor();
  // Nothing of the setup is left on the first page.
  await page.getByRole('link', { name: 'Go to the first page' }).click();
  await page.getByRole('heading', { name: 'Needs you' }).waitFor();
  await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
  expect(await page.getByText('Finish setting up your shop').count()).toBe(0);
  // The shares can be read and changed later.
  await page.goto(`${shop.server.url}/console/start?step=split`);
  await expect.poll(() => page.getByLabel('Recipient 1: wallet').inputValue()).toBe(PARTNER);
  await page.getByLabel('Recipient 1: %').fill('20');
  await click('Change the shares');
  await click('Sign and change');
  await step('Your shop can be paid');
});

test('a server that is closed says whom to ask, with the address to send', async () => {
  const account = newAccount();
  const page = await openSignedOut(on(closed), account, '/console', phone);
  await page.getByRole('button', { name: 'Sign in with browser wallet' }).click();
  await page.getByText('Only the operator of this server registers shops.').waitFor();
  await page.getByText(account.address.toLowerCase()).waitFor();
  expect(await page.getByRole('button', { name: 'Register the shop' }).count()).toBe(0);
  await expectWellMade(page);
});

test('an operator invites with a link, and its code registers one shop', async () => {
  const headers = await inviting.signIn(operator);
  const query = 'mutation { inviteMerchant(note: "Mill") { code } }';
  const { body } = await inviting.call('POST', '/api/graphql', { headers, body: { query } });
  const { code } = body.data.inviteMerchant;
  const join = async (path: string) => {
    const page = await openSignedOut(on(inviting), newAccount(), path);
    await page.getByRole('button', { name: 'Sign in with browser wallet' }).click();
    await page.getByLabel('Name of the shop').fill('Mill & Loaf');
    return { page, register: () => page.getByRole('button', { name: 'Register the shop' }).click() };
  };
  const first = await join('/console');
  await first.register();
  await first.page.getByText('Enter the code that the operator gave you').waitFor();
  await first.page.getByLabel('Invitation code').fill('qm_wrong');
  await first.register();
  await first.page.getByText('unknown, used or expired').waitFor();
  await expectWellMade(first.page);
  const second = await join(`/console/register#${code}`);
  await second.register();
  await second.page.getByRole('heading', { name: 'Set up your shop' }).waitFor();
  const third = await join(`/console/register#${code}`);
  await third.register();
  await third.page.getByText('unknown, used or expired').waitFor();
});

test('a member of another shop registers its own, and is inside it with nothing of the other', async () => {
  const other = await shop.merchant('Kaldi');
  const account = newAccount();
  const wallet = account.address.toLowerCase();
  await shop.server.deps.db.orm.em
    .fork()
    .getConnection()
    .execute(
      'insert into merchant_members (merchant, wallet, role, label, created_at, added_by) values (?, ?, ?, null, ?, ?)',
      [other.wallet, wallet, 'bookkeeper', Date.now(), other.wallet],
    );
  const page = await openInside(scene, account, '/console/account');
  await page.getByRole('link', { name: 'Register a shop of your own' }).click();
  await page.getByLabel('Name of the shop').fill('Own Loaf');
  await expectWellMade(page);
  await page.getByRole('button', { name: 'Register the shop' }).click();
  await page.getByRole('heading', { name: 'Set up your shop' }).waitFor();
  await page.locator('.side').getByText('Owner').waitFor();
  expect(await page.content()).not.toContain('Kaldi');
});
