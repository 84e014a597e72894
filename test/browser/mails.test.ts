import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { composeLong, EVERY_MAIL, LONG_SHOP } from '../mail/every-mail.ts';
import { type MailShop, openMailShop } from '../mail/shop.ts';
import { expectAccessible, openBrowser } from './browser.ts';

let world: MailShop;
let page: Page;
beforeAll(async () => {
  world = await openMailShop({}, LONG_SHOP);
  page = await (await openBrowser()).newPage();
});
afterAll(async () => {
  await page.close();
  await world.stop();
});

/** A folder for pictures; none are taken without it. */
const { MAIL_PICTURES: folder } = process.env;

test.each(EVERY_MAIL)(
  '%s in %s is readable for everyone, in both colour schemes, and fits a phone',
  async (kind, language) => {
    const { html } = await composeLong(world, kind, language);
    await page.setContent(html);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [320, 700]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
        if (folder === undefined) continue;
        mkdirSync(folder, { recursive: true });
        await page.screenshot({
          path: join(folder, `${kind}-${language}-${colorScheme}-${width}.png`),
          fullPage: true,
        });
      }
      await expectAccessible(page);
    }
  },
);
