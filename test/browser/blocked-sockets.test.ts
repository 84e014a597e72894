import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { openRelay } from '../support/relay.ts';
import { newAccount, startTestServer } from '../support/server.ts';
import { startNginx } from '../support/services/nginx.ts';
import { reaches, visit } from './browser.ts';
import { openScene } from './scene.ts';
import { injectWallet } from './wallet.ts';

const SOON = { timeout: 30_000 };
const AGAIN = { timeout: 30_000 };

/** Gives the page its wallet. */
const { shop, browser } = await openScene();

/**
 * A server behind a proxy that passes no websocket on, as those of many offices do: it speaks HTTP/1.0 to the server
 * and knows of no upgrade.
 */
async function openBehindProxy() {
  const relay = await openRelay('http://127.0.0.1:9');
  const nginx = await startNginx(
    ({ port }) => `server {
      listen 127.0.0.1:${port};
      location / {
        proxy_pass ${relay.url};
        proxy_set_header Host $http_host;
        proxy_read_timeout 1h;
      }
    }`,
  );
  const url = `http://127.0.0.1:${nginx.port}`;
  const server = await startTestServer({ env: { BASE_URL: url } });
  onTestFinished(() => server.stop());
  relay.leadTo(server.url);
  return { url, server, relay };
}

/** A page whose websockets fail, as the console says; nothing else may go wrong but what `cut` brings. */
const open = (url: string, before?: (page: Page) => Promise<unknown>) =>
  visit(browser, url, { reducedMotion: 'reduce', before, denied: /WebSocket connection|Failed to load resource/ });

test('who is live is followed where websockets are blocked, and again after a cut', async () => {
  const { url, server, relay } = await openBehindProxy();
  const account = newAccount();
  const headers = await server.signIn(account);
  const set = (presence: string) =>
    server.call('POST', '/api/graphql', {
      headers: { ...headers, origin: url },
      body: { query: `mutation { setPresence(${presence}) { wallet } }` },
    });
  const page = await open(`${url}/live`);
  const card = page.locator(`[data-key="${account.address.toLowerCase()}"]`);
  await page.getByText('No one is live at the moment').waitFor();
  await set('live: true, spacePublic: true, platform: "web"');
  await card.waitFor(AGAIN);
  await set('live: true, platform: "radio"');
  await card.getByText('radio').waitFor(SOON);
  expect(await page.locator('#line').isVisible()).toBe(false);

  await relay.cut();
  await page.getByText('Reconnecting…').waitFor(AGAIN);
  await relay.mend();
  await set('live: false');
  await card.waitFor({ state: 'detached', ...AGAIN });
  await expect.poll(() => page.locator('#line').isVisible(), AGAIN).toBe(false);
});

test('who is live is followed where sockets open and nothing comes through them', async () => {
  const account = newAccount();
  const { server } = shop;
  const headers = await server.signIn(account);
  const page = await open(`${server.url}/live`, (fresh) => fresh.routeWebSocket(/graphql/, () => {}));
  const query = 'mutation { setPresence(live: true, spacePublic: true) { wallet } }';
  await server.call('POST', '/api/graphql', { headers: { ...headers, origin: server.url }, body: { query } });
  await page.locator(`[data-key="${account.address.toLowerCase()}"]`).waitFor(AGAIN);
});

test('a merchant’s receipts are followed where websockets are blocked: each change once, after a cut too, until the session ends', async () => {
  const { url, server, relay } = await openBehindProxy();
  const merchant = await server.merchant();
  const make = (id: string) =>
    server.call('POST', '/api/receipts', {
      headers: merchant.auth,
      body: { id, lineItems: [{ label: `Thing ${id}`, priceUsd: 5 }] },
    });
  await make('a');
  const page = await open(`${url}/console/live`, (fresh) => injectWallet(fresh, shop, merchant.account));
  const row = (id: string) => page.locator(`[data-key="${id}"]`);
  await page.getByRole('button', { name: 'Sign in with browser wallet' }).click();
  await row('a').waitFor();
  await expect.poll(() => page.locator('.line').getAttribute('data-up'), AGAIN).toBe('true');
  await make('b');
  await row('b').waitFor(AGAIN);
  const report = { receiptId: 'a', status: 'link_opened', wallet: merchant.wallet };
  await server.call('POST', '/api/receipts/status', { headers: merchant.auth, body: report });
  await row('a').getByText('has opened the page').waitFor(SOON);

  await relay.cut();
  await page.getByText('Reconnecting…').waitFor(AGAIN);
  await make('c');
  await relay.mend();
  await row('c').waitFor(AGAIN);
  expect(await page.locator('.live-row').count()).toBe(3);
  await server.deps.db.orm.em
    .fork()
    .getConnection()
    .execute('update sessions set revoked_at = ? where wallet = ?', [Date.now(), merchant.wallet]);
  await reaches(page, 'ended', 15_000);
  expect(await page.locator('.live-row').count()).toBe(0);
});
