import { createHash } from 'node:crypto';
import { importUsers } from '../../../src/domain/people/users/import.ts';
import type { Album, Scene, Studio } from './studio.ts';

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
