import { beforeAll, expect, test } from 'vitest';
import { localAccount } from '../../../src/base/chain/local-accounts.ts';
import { registerMerchant } from '../../../src/domain/shop/merchants/register.ts';
import { hasTestWallet } from '../../../src/doors/pages/console/mount.ts';
import { newAccount } from '../../support/server.ts';
import { expectWellMade, phone, reaches, visit } from '../browser.ts';
import { openScene } from '../scene.ts';
import { WalletError } from '../wallet.ts';
import { openInside, openSignedOut, signIn } from './inside.ts';

const scene = await openScene();
const { shop, browser } = scene;
let receiptId: string;
const merchant = await shop.merchant('Kaldi', { name: 'Kaldi <img src=x onerror=alert(1)>' });
beforeAll(async () => {
  ({ receiptId } = await shop.order(merchant));
});

const rowOf = (id: string) => `a[href$="/${id}"]`;

test('a merchant signs in where it wanted to go, stays signed in after a reload, and leaves nothing when it signs out', async () => {
  const page = await openSignedOut(scene, merchant.account, '/console/receipts');
  await expectWellMade(page);
  await signIn(page);
  await page.locator(rowOf(receiptId)).waitFor();
  await page.getByText('Kaldi <img src=x onerror=alert(1)>').first().waitFor();
  expect(await page.locator('img').count()).toBe(0);
  await page.reload();
  await page.locator(rowOf(receiptId)).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await reaches(page, 'signed-out');
  expect(await page.content()).not.toContain(receiptId);
  await page.reload();
  await reaches(page, 'signed-out');
});

test('a wallet that declines, or signs with another key, does not get in', async () => {
  const answers = [
    () => Promise.reject(new WalletError(4001, 'User rejected the request.')),
    (typedData: unknown) => newAccount().signTypedData(typedData as never),
  ];
  const sign = (typedData: unknown) => answers.shift()!(typedData);
  const page = await openSignedOut(scene, merchant.account, '/console', { wallet: { sign }, ...phone });
  await page.getByRole('button', { name: 'Sign in with browser wallet' }).click();
  await page.getByText('You declined the request in your wallet.').waitFor();
  await expectWellMade(page);
  await page.getByRole('button', { name: 'Sign in with browser wallet' }).click();
  await page.getByText('The signature does not match this wallet and challenge').waitFor();
  expect(await page.locator('.frame').count()).toBe(0);
});

test('a wallet without a shop sees that it has none', async () => {
  const page = await openSignedOut(scene, newAccount());
  await page.getByRole('button', { name: 'Sign in with browser wallet' }).click();
  await reaches(page, 'no-shop');
  await page.getByRole('button', { name: 'Register the shop' }).waitFor();
  await page.getByText('For another shop, sign out and sign in with its wallet.').waitFor();
  await expectWellMade(page);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await reaches(page, 'signed-out');
});

test('a session that is ended elsewhere takes the receipts off the page and says so; one can sign in again', async () => {
  const page = await openInside(scene, merchant.account, '/console/receipts', { denied: /401|403|WebSocket/ });
  await page.locator(rowOf(receiptId)).waitFor();
  await shop.server.deps.db.orm.em
    .fork()
    .getConnection()
    .execute('update sessions set revoked_at = ? where wallet = ?', [Date.now(), merchant.wallet]);
  await reaches(page, 'ended', 20_000);
  expect(await page.content()).not.toContain(receiptId);
  await expectWellMade(page);
  await signIn(page);
  await page.locator(rowOf(receiptId)).waitFor();
});

test('another wallet that signs in in another tab takes its own receipts with it, and none of the first remain', async () => {
  const other = await shop.merchant('Other Shop');
  const theirs = await shop.order(other);
  const page = await openInside(scene, merchant.account, '/console/receipts', { denied: /401|403|WebSocket/ });
  await page.locator(rowOf(receiptId)).waitFor();
  const headers = await shop.server.signIn(other.account);
  const cookies = String(headers.cookie)
    .split('; ')
    .map((pair) => pair.split('='))
    .map(([name, value]) => ({ name: name!, value: value!, url: shop.server.url }));
  await page.context().addCookies(cookies);
  // Whatever is read next answers for the other wallet; it must not enter the first one's page.
  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByRole('link', { name: 'Receipts' }).click();
  await page.locator(rowOf(theirs.receiptId)).waitFor();
  expect(await page.content()).not.toContain(receiptId);
});

test('a tab whose session ended opens again when the reader returns to it after signing in in another tab', async () => {
  const page = await openInside(scene, merchant.account, '/console/receipts', { denied: /401|WebSocket/ });
  const returns = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await page.context().clearCookies();
  await returns();
  await reaches(page, 'ended');
  await returns();
  await reaches(page, 'ended');
  const { cookie } = await shop.server.signIn(merchant.account);
  await page.context().addCookies(
    String(cookie)
      .split('; ')
      .map((pair) => pair.split('='))
      .map(([name, value]) => ({ name: name!, value: value!, url: shop.server.url })),
  );
  await returns();
  await page.locator(rowOf(receiptId)).waitFor();
});

test('on the local chain the demo merchant’s wallet signs in with one click, and no page of another site may use it', async () => {
  const demo = localAccount('demoMerchant');
  await registerMerchant(shop.server.deps, { wallet: demo.address, name: 'Demo' });
  const page = await visit(browser, `${shop.server.url}/console`, { reducedMotion: 'reduce' });
  await page.getByRole('button', { name: 'Sign in with the demo wallet' }).click();
  await page.locator('.frame').waitFor();
  const ask = (headers: Record<string, string>, method = 'eth_accounts') =>
    shop.server.call('POST', '/console/test-wallet', { headers, body: { method } });
  expect((await ask({})).body).toEqual({ result: [demo.address] });
  const foreign = await ask({ origin: 'https://evil.test' });
  expect([foreign.status, foreign.body.result]).toEqual([403, undefined]);
  expect((await ask({}, 'eth_sign')).body.error.code).toBe(4200);
});

test('the demo wallet does not exist in production or on another chain', () => {
  const has = (environment: string, chainId: number) => hasTestWallet({ chainId } as never, { environment } as never);
  expect([has('development', 31_337), has('production', 31_337), has('development', 8_453)]).toEqual([
    true,
    false,
    false,
  ]);
});
