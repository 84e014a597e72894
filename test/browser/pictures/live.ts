import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { importUsers } from '../../../src/users/import.ts';
import type { TestAccount } from '../../support/server.ts';
import { injectWallet } from '../wallet.ts';
import { type Album, type Look, type Scene, type Studio, signerOf } from './studio.ts';

const NAMES = [
  'Amara Okafor',
  'Björn Lindqvist',
  'سارة بنت عبد الرحمن',
  'Elif Demir',
  '田中 純',
  'Ines Carvalho de Albuquerque e Vasconcelos-Monteiro',
  '',
  'Freifrau Wilhelmine-Friederike zu Donaudampfschifffahrtsgesellschaft',
  'ליאור כהן',
  'Jun',
];
const LANGUAGES = [['en'], ['de', 'en', 'fr', 'it', 'rm'], ['ar'], ['tr', 'de'], ['ja']];
const face = (n: number) =>
  `data:image/svg+xml;base64,${btoa(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="hsl(${(n * 47) % 360} 50% 60%)" d="M0 0h8v8H0z"/><circle cx="4" cy="4" r="2" fill="white"/></svg>`,
  )}`;

/** Exactly so many are live. */
async function crowd({ deps, sql }: Studio, size: number): Promise<void> {
  await sql('update users set live = false, live_since = null, version = version + 1 where live');
  const now = Date.now();
  const lines = Array.from({ length: size }, (_, n) =>
    JSON.stringify({
      wallet: `0x${createHash('sha256').update(`live ${n}`).digest('hex').slice(0, 40)}`,
      displayName: NAMES[n % NAMES.length],
      pfpUrl: n % 3 === 1 ? face(n) : '',
      xp: n % 4 === 0 ? 0 : n * 137,
      languages: LANGUAGES[n % LANGUAGES.length],
      platform: ['web', 'twitch', '', 'youtube'][n % 4],
      spaceUrl: n % 5 === 3 ? '' : `https://space.example/${n}`,
      spacePublic: true,
      live: true,
      liveSince: now - n * 11 * 60_000,
      lastHeartbeat: now,
    }),
  );
  await importUsers(
    deps,
    (async function* () {
      yield Buffer.from(lines.join('\n'));
    })(),
  );
}

const hall = (size: number): Scene => {
  return async (studio, look) => {
    await crowd(studio, size);
    return studio.open('/live', look);
  };
};

/** The page of who is live. */
export const live: Album = {
  scenes: {
    empty: hall(0),
    one: hall(1),
    crowd: hall(200),
    'cut-off': async (studio, look) => {
      await crowd(studio, 3);
      const page = await studio.open('/live', look, async (fresh) => {
        await fresh.routeWebSocket(/graphql/, (socket) => socket.close());
        // Without websockets the page follows by an event stream.
        await fresh.route('**/api/graphql', (route) => route.abort());
      });
      await page.locator('#line').waitFor();
      return page;
    },
  },
};

/** The merchant's page of live receipts, in a browser that has this account's wallet. */
const desk = (studio: Studio, look: Look, account: TestAccount, sign?: () => Promise<never>): Promise<Page> =>
  studio.open('/live/receipts', look, (page) => injectWallet(page, studio, account, { name: 'Rainy Day', sign }));

const atTheDoor: Scene = (studio, look) => desk(studio, look, signerOf(studio.sitter.account));

async function signIn(page: Page): Promise<Page> {
  await page.getByRole('button', { name: /^Sign in with/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  return page;
}

const STATUSES = ['generated', 'pending', 'tx_mined', 'paid', 'completed', 'tx_mismatch', 'failed', 'refunded'];

/** The merchant's live receipts. */
export const liveReceipts: Album = {
  scenes: {
    door: atTheDoor,
    'no-wallet': (studio, look) => studio.open('/live/receipts', look),
    signing: async (studio, look) => {
      const page = await desk(studio, look, signerOf(studio.sitter.account), () => new Promise(() => {}));
      await page.getByRole('button', { name: /^Sign in with/ }).click();
      await page.getByText('Sign in your wallet').first().waitFor();
      return page;
    },
    'no-shop': async (studio, look) => signIn(await desk(studio, look, await studio.buyer())),
    empty: async (studio, look) => {
      const shop = await studio.shop('Maison Citron', {}, { name: 'Limonade' });
      return signIn(await desk(studio, look, signerOf(shop.account)));
    },
    desk: async (studio, look) => {
      const shop = await studio.shop('محمصة Kaldi', {}, { name: 'Espresso beans, 250 g' });
      for (const status of STATUSES) {
        const path = await studio.paymentPage('/api/orders', { items: [{ sku: 'ITEM', qty: 2 }] }, shop);
        const id = new URL(path, studio.url).pathname.slice('/portal/'.length);
        await studio.sql('update receipts set status = ? where id = ?', [status, id]);
      }
      const page = await signIn(await desk(studio, look, signerOf(shop.account)));
      await page.locator('.receipt').first().waitFor();
      return page;
    },
  },
};

/** The API document as pages to read. */
export const reference: Album = {
  endless: true,
  scenes: {
    docs: async (studio, look) => {
      const page = await studio.open('/docs', look);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      return page;
    },
    order: async (studio, look) => {
      const page = await studio.open('/docs#tag/orders/POST/api/orders', look);
      await page.getByRole('heading', { name: 'Create an order' }).first().waitFor();
      return page;
    },
    'no-page': (studio, look) => studio.open('/nothing-here', look),
  },
};
