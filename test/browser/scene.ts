import { afterAll } from 'vitest';
import { launchBrowser } from './browser.ts';
import { openShop } from './shop.ts';

/** What the tests of one file share: a shop, and a browser to visit it with. Both are closed after the last test. */
export async function openScene(options?: Parameters<typeof openShop>[0]) {
  const [shop, browser] = await Promise.all([openShop(options), launchBrowser()]);
  afterAll(async () => {
    await browser.close();
    await shop.stop();
  });
  return { shop, browser };
}
