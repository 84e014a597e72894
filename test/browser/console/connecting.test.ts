import { createHash, randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { Wallet } from '../../../src/base/core/wallet.ts';
import { issueKey } from '../../../src/domain/access/keys/issue.ts';
import { openEventReceiver } from '../../support/event-receiver.ts';
import { expectWellMade, phone } from '../browser.ts';
import { openScene } from '../scene.ts';
import { WalletError } from '../wallet.ts';
import { openInside, openSignedOut, signIn } from './inside.ts';

let aheadMs = 0;
const scene = await openScene({ clock: () => Date.now() + aheadMs });
const { shop } = scene;
const { server } = shop;
const merchant = await shop.merchant('Kaldi');

/** A real shop system: it sends its owner to the console, and takes what the browser brings back. */
async function openShopSystem() {
  const back: URLSearchParams[] = [];
  const site = http.createServer((request, response) => {
    const url = new URL(request.url!, 'http://shop.test');
    if (url.pathname === '/back') back.push(url.searchParams);
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Shop</title><h1>The shop system</h1>');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    site.closeAllConnections();
    site.close();
  });
  const host = `127.0.0.1:${(site.address() as AddressInfo).port}`;
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const asks = { name: 'Medusa of Kaldi', return_url: `http://${host}/back`, state: 's1', code_challenge: challenge };
  return {
    ...{ host, back, verifier },
    path: (more: object = {}) => `/console/connect?${new URLSearchParams({ ...asks, ...more })}`,
    exchange: (code: string) => server.call('POST', '/api/connect/token', { body: { code, codeVerifier: verifier } }),
  };
}

const statusWith = async (key: string) =>
  (await server.call('GET', '/api/receipts?limit=1', { headers: { 'x-api-key': key } })).status;

test('a merchant reads what a shop system asks for, confirms with the wallet, and revokes it under its name', async () => {
  const system = await openShopSystem();
  const events = await openEventReceiver();
  const page = await openSignedOut(scene, merchant.account, system.path({ webhook_url: events.url }));
  await signIn(page);
  await page.getByText('Medusa of Kaldi asks for a connection to your shop.').waitFor();
  for (const text of [
    /Create receipts and orders/,
    /Void receipts/,
    /Ask for refunds/,
    new RegExp(new URL(events.url).host),
  ])
    await page.getByRole('listitem').filter({ hasText: text }).waitFor();
  await page.getByText(system.host, { exact: true }).waitFor();
  await expectWellMade(page);
  const asked: string[] = [];
  page.on('request', (request) => {
    const { query = '' } = request.method() === 'POST' ? (request.postDataJSON() ?? {}) : {};
    asked.push(...['confirmSession', 'connectShop'].filter((name) => query.includes(name)));
  });
  aheadMs += 6 * 60_000;
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByRole('heading', { name: 'The shop system' }).waitFor();
  expect(asked).toContain('confirmSession');
  expect(system.back).toHaveLength(1);
  expect(system.back[0]!.get('state')).toBe('s1');
  const { status, body } = await system.exchange(system.back[0]!.get('code')!);
  expect([status, body]).toMatchObject([200, { merchantId: merchant.wallet, merchantName: 'Kaldi' }]);
  expect(await statusWith(body.apiKey)).toBe(200);
  expect((await system.exchange(system.back[0]!.get('code')!)).status).toBe(400);

  const mine = await server.call('GET', '/api/webhooks/endpoints', { headers: { 'x-api-key': body.apiKey } });
  await page.goto(`${server.url}/console/webhooks/${mine.body.endpoints[0].id}`);
  await page.getByRole('link', { name: /^key_/ }).click();
  await page.getByRole('dialog').getByText('Ask for refunds').waitFor();
  await page.getByRole('button', { name: 'Revoke the key' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke the key' }).click();
  await page.locator('.key-row', { hasText: 'Medusa of Kaldi' }).filter({ hasText: 'Revoked' }).waitFor();
  expect(await statusWith(body.apiKey)).toBe(401);
});

test('who declines, in the page or in the wallet, grants nothing, and an incomplete address asks for nothing', async () => {
  const system = await openShopSystem();
  let declines = false;
  const sign = (typedData: unknown) =>
    declines
      ? Promise.reject(new WalletError(4001, 'User rejected the request.'))
      : merchant.account.signTypedData(typedData as never);
  const page = await openInside(scene, merchant.account, system.path(), { ...phone, wallet: { sign } });
  const connect = page.getByRole('button', { name: 'Connect', exact: true });
  await connect.waitFor();
  await expectWellMade(page);
  aheadMs += 6 * 60_000;
  declines = true;
  await connect.click();
  await page.getByText('You declined the signature in your wallet. Nothing was changed.').waitFor();
  await page.getByRole('button', { name: 'Do not connect' }).click();
  await page.getByRole('heading', { name: 'The shop system' }).waitFor();
  expect(Object.fromEntries(system.back[0]!)).toEqual({ error: 'access_denied', state: 's1' });

  for (const more of [
    { return_url: 'javascript:document.title="x"' },
    { code_challenge: '' },
    { code_challenge_method: 'plain' },
    { webhook_url: 'data:text/html,x' },
    { name: ' ' },
  ]) {
    await page.goto(server.url + system.path(more));
    await page.getByText('This address is incomplete').waitFor();
    expect(await connect.count()).toBe(0);
  }
  expect(system.back).toHaveLength(1);
});

test('what a shop system asks to refund is under “Needs you”, where a person declines it', async () => {
  const order = await shop.order(merchant);
  const headers = { ...(await server.signIn(merchant.account)), origin: server.url };
  const quote = `mutation { quotePayment(receiptId: "${order.receiptId}", token: "USDC") { amount payTo } }`;
  const { amount, payTo } = (await server.call('POST', '/api/graphql', { headers, body: { query: quote } })).body.data
    .quotePayment;
  const buyer = await shop.buyer({ USDC: BigInt(amount) });
  await shop.transfer(buyer, 'USDC', payTo as Wallet, BigInt(amount));
  await expect.poll(() => order.status(), { timeout: 60_000 }).toMatch(/recipient_validated|completed/);
  const { key } = await issueKey(server.deps, { merchant: merchant.wallet, scopes: ['refunds:request'] });
  const body = { receiptId: order.receiptId, amountUsd: 3, reason: 'The handle is loose' };
  const asked = await server.call('POST', '/api/receipts/refund-requests', { headers: { 'x-api-key': key }, body });
  expect(asked.status).toBe(200);

  const page = await openInside(scene, merchant.account);
  await page.getByRole('link', { name: '1 refund waits: send it or decline it' }).click();
  await page.getByText('Your shop system asks for it · Another reason · The handle is loose').waitFor();
  await page.getByText('1 refund, $3.00').waitFor();
  await expectWellMade(page);
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
  await page.getByText('No refund waits to be sent').waitFor();
  await page.goto(`${server.url}/console/receipts/${order.receiptId}`);
  await page.getByText('Declined', { exact: true }).waitFor();
});
