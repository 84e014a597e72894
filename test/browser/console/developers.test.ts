import { expect, test } from 'vitest';
import { newAccount } from '../../support/server.ts';
import { walletOf } from '../../support/subscriber.ts';
import { expectWellMade, phone } from '../browser.ts';
import { openScene } from '../scene.ts';
import { countClicks, goTo, openInside, PLACES } from './inside.ts';

const scene = await openScene();
const { shop } = scene;
const merchant = await shop.merchant();

const statusWith = async (key: string) =>
  (await shop.server.call('GET', '/api/receipts?limit=1', { headers: { 'Ocp-Apim-Subscription-Key': key } })).status;

const orderWith = async (key: string) =>
  (
    await shop.server.call('POST', '/api/orders', {
      headers: { 'Ocp-Apim-Subscription-Key': key },
      body: { items: [{ sku: 'MUG', qty: 1 }], taxRate: 0 },
    })
  ).status;

for (const { where, options, most } of PLACES)
  test(`on ${where} a merchant issues a key that works, replaces it, and revokes it`, async () => {
    const page = await openInside(scene, merchant.account, '/console', options);
    const clicks = await countClicks(page);
    await goTo(page, 'Developers');
    await page.getByRole('link', { name: 'Issue a key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(`Web shop on ${where}`);
    if (options !== phone) await expectWellMade(page);
    await dialog.getByRole('button', { name: 'Issue a key' }).click();
    const shown = page.locator('.secret');
    await shown.waitFor();
    const key = (await shown.textContent())!;
    expect(await clicks()).toBeLessThanOrEqual(most);
    expect(await statusWith(key)).toBe(200);
    // "Web shop" is chosen at first: a key for it can sell.
    expect(await orderWith(key)).toBe(200);
    if (options !== phone) await expectWellMade(page);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.reload();
    expect(await page.content()).not.toContain(key);
    await page.getByRole('link', { name: `Web shop on ${where}` }).click();
    await page.getByRole('dialog').getByText('Read receipts').waitFor();
    await page.getByRole('button', { name: 'Replace the key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replace the key' }).click();
    await shown.waitFor();
    const second = (await shown.textContent())!;
    expect([await statusWith(key), await statusWith(second)]).toEqual([200, 200]);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.goto(`${shop.server.url}/console`);
    const before = await clicks();
    await goTo(page, 'Developers');
    await page.locator('.key-row', { hasText: where }).filter({ hasText: 'Replaced' }).getByRole('link').click();
    await page.getByRole('button', { name: 'Revoke the key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke the key' }).click();
    await page.locator('.key-row', { hasText: where }).filter({ hasText: 'Revoked' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect((await clicks()) - before).toBeLessThanOrEqual(most);
    expect([await statusWith(key), await statusWith(second)]).toEqual([401, 200]);
  });

test('a purpose of a key is offered to those who may issue all of it; the rest is chosen right by right', async () => {
  const page = await openInside(scene, merchant.account, '/console/developers?do=issue');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Web shop' }).waitFor();
  expect(await dialog.locator('.choice strong').allTextContents()).toEqual([
    'Web shop',
    'Shop system',
    'Accounting',
    'Read only',
    'Choose yourself',
  ]);
  expect(await dialog.getByRole('checkbox').count()).toBe(0);
  await dialog.getByRole('radio', { name: 'Choose yourself' }).check();
  await dialog.getByRole('checkbox', { name: 'Search users' }).check();
  await expectWellMade(page);
  await dialog.getByRole('button', { name: 'Issue a key' }).click();
  const key = (await page.locator('.secret').textContent())!;
  expect([await statusWith(key), await orderWith(key)]).toEqual([403, 403]);
  await page.getByRole('button', { name: 'I have stored it' }).click();

  const member = newAccount();
  await shop.server.deps.db.orm.em
    .fork()
    .getConnection()
    .execute(
      'insert into merchant_members (merchant, wallet, role, label, created_at, added_by) values (?, ?, ?, null, ?, ?)',
      [merchant.wallet, walletOf(member), 'developer', Date.now(), merchant.wallet],
    );
  const theirs = await openInside(scene, member, '/console/developers?do=issue');
  await theirs.getByRole('radio', { name: 'Choose yourself' }).waitFor();
  expect(await theirs.getByRole('radio', { name: 'Web shop' }).count()).toBe(0);
});

test('a request that failed appears on the page by itself, with its code and its correlation id', async () => {
  const other = await shop.merchant();
  const page = await openInside(scene, other.account, '/console/developers');
  await page.getByText('No request has failed').waitFor();
  await expectWellMade(page);
  const headers = { ...other.auth, 'x-correlation-id': 'the-one-that-failed' };
  await shop.server.call('GET', '/api/receipts/status?receiptId=x', { headers });
  const row = page.locator('.failed-row', { hasText: 'the-one-that-failed' });
  await row.getByText('GET /api/receipts/status').waitFor();
  expect(await row.getByRole('link').getAttribute('href')).toBe('/docs/errors#not_found');
  await expectWellMade(page);
});

test('the reference opens with a key that was just issued, takes one that is typed, and stores neither', async () => {
  const page = await openInside(scene, merchant.account, '/console/developers');
  await page.getByRole('link', { name: 'Issue a key' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Issue a key' }).click();
  const key = (await page.locator('.secret').textContent())!;
  const opened = page.context().waitForEvent('page');
  await page.getByRole('button', { name: 'Try it in the reference' }).click();
  const reference = await opened;
  const typed = reference.locator('.scalar-password-input');
  await expect.poll(() => typed.first().inputValue(), { timeout: 120_000 }).toBe(key);
  const send = async () => {
    const operation = reference.locator('[id$="tag/receipts/GET/api/receipts"]');
    await operation.locator('.show-api-client-button').first().click();
    const button = reference.getByRole('button', { name: /^Send(?! Request)/ }).last();
    const answered = reference.waitForResponse((response) => new URL(response.url()).pathname === '/api/receipts');
    await button.click();
    const status = (await answered).status();
    await reference.keyboard.press('Escape');
    await button.waitFor({ state: 'hidden' });
    return status;
  };
  await reference.evaluate(() => {
    location.hash = '#tag/receipts/GET/api/receipts';
  });
  expect(await send()).toBe(200);
  await typed.first().fill('qk_of_nobody');
  expect(await send()).toBe(401);
  const stored = await reference.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie]));
  expect([stored.includes(key), stored.includes('qk_of_nobody')]).toEqual([false, false]);
}, 240_000);
