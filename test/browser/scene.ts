import { afterAll } from 'vitest';
import { openBrowser } from './browser.ts';
import { openShop } from './shop.ts';

/** What the tests of one file share: a shop, which is closed after the last test, and a browser to visit it with. */
export async function openScene(options?: Parameters<typeof openShop>[0]) {
  const [shop, browser] = await Promise.all([openShop(options), openBrowser()]);
  afterAll(() => shop.stop());
  return { shop, browser };
}
