import type { BrowserContext, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { buildPages } from '../../../src/doors/pages/app/assets.ts';
import { PAGES } from '../../../src/doors/pages/console/app/registry.ts';
import { newAccount } from '../../support/server.ts';
import { expectWellMade } from '../browser.ts';
import { openScene } from '../scene.ts';
import { englishTexts } from './german.ts';
import { openInside, openSignedOut, signIn } from './inside.ts';
import { openRecords } from './records.ts';

const operator = newAccount();
const scene = await openScene({ env: { PLATFORM_ADMINS: operator.address } });
const { shop } = scene;
const merchant = await shop.merchant();
const { addressOf, endpointId } = await openRecords(shop, merchant);

test('each page has a path and a key of its own', () => {
  for (const part of ['path', 'key'] as const) {
    const given = PAGES.map((page) => page[part]).filter((value) => value !== null);
    expect(given).toEqual([...new Set(given)]);
  }
});

const titles = new Set<string>();
let signedIn: Awaited<ReturnType<BrowserContext['storageState']>> | undefined;

/** A page of the console. The first one signs in, and the others continue its session. */
async function open(path: string): Promise<Page> {
  if (signedIn) return openSignedOut(scene, merchant.account, path, { storageState: signedIn });
  const page = await openInside(scene, merchant.account, path);
  signedIn = await page.context().storageState();
  return page;
}

test.each(PAGES)(
  'the page $name is readable for everyone in light and dark on a phone and a desktop, with a title of its own',
  async ({ path, permission }) => {
    const address = addressOf(path);
    const page = permission === 'operator' ? await openInside(scene, operator, address) : await open(address);
    await page.locator('h1:not([aria-busy="true"] *)').waitFor();
    await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
    await expectWellMade(page);
    const title = await page.title();
    expect(titles).not.toContain(title);
    titles.add(title);
  },
);

/** Parts of the addresses of dialogs, whose texts are German as well. */
const DIALOGS: Readonly<Record<string, string>> = {
  catalog: 'add',
  plans: 'add',
  developers: 'issue',
  people: 'invite',
  receipts: 'export',
  webhooks: 'add',
  'webhook-endpoint': 'edit',
};

test.each(PAGES)(
  'the page $name has no English text in a German browser, and is readable for everyone',
  async ({ name, path, permission }) => {
    const isOperator = permission === 'operator';
    const session = isOperator ? undefined : signedIn;
    const page = await openSignedOut(scene, isOperator ? operator : merchant.account, addressOf(path), {
      locale: 'de-DE',
      ...(session && { storageState: session }),
    });
    if (!session) await signIn(page);
    await page.locator('h1:not([aria-busy="true"] *)').first().waitFor();
    await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    expect(await englishTexts(page)).toEqual([]);
    await expectWellMade(page);
    if (!(name in DIALOGS)) return;
    await page.goto(`${page.url()}?do=${DIALOGS[name]}`);
    await page.getByRole('dialog').waitFor();
    expect(await englishTexts(page)).toEqual([]);
    await expectWellMade(page);
  },
);

test('while the script of the first page loads, the page is busy and its title is the only heading', async () => {
  const { chunks } = buildPages().console;
  const script = chunks.account!.find((path) => !chunks.home!.includes(path))!;
  const page = await open('/console');
  const released = Promise.withResolvers<void>();
  await page.route(`**${script}`, async (route) => {
    await released.promise;
    await route.continue();
  });
  await page.goto(`${shop.server.url}/console/account`, { waitUntil: 'commit' });
  const main = page.locator('.frame main');
  const headings = () => main.getByRole('heading', { level: 1 }).allInnerTexts();
  await main.locator('[aria-busy="true"]').waitFor({ state: 'attached' });
  await expect.poll(headings).toEqual(['Your account']);
  await expectWellMade(page);
  released.resolve();
  await main.locator('.page-head').waitFor();
  expect(await headings()).toEqual(['Your account']);
  // Its lists are busy until their rows are there.
  await expect.poll(() => main.locator('[aria-busy="true"]').count()).toBe(0);
});

test('the keyboard goes to every page of the navigation, searches from anywhere, shows its keys, and can be turned off', async () => {
  const page = await openInside(scene, merchant.account);
  for (const { key, path, permission } of PAGES) {
    if (key === null || permission === 'operator') continue;
    await page.keyboard.press('g');
    await page.keyboard.press(key);
    await page.waitForURL(shop.server.url + path);
  }
  await page.keyboard.press('g');
  await page.keyboard.press('h');
  await page.waitForURL(`${shop.server.url}/console`);
  await page.keyboard.press('/');
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search');
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await expectWellMade(page);
  await page.getByRole('checkbox', { name: 'Use these shortcuts' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('?');
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('the address names the open dialog: it can be reloaded, and the way back closes it', async () => {
  const page = await open('/console');
  const dialog = page.getByRole('dialog');
  for (const [path, title] of [
    ['/console/catalog?do=add', 'Add product'],
    ['/console/plans?do=add', 'Make a plan'],
    ['/console/developers?do=issue', 'Issue a key'],
    ['/console/people?do=invite', 'Invite a person'],
    ['/console/receipts?do=export', 'Export what is shown'],
    ['/console/webhooks?do=add', 'Add endpoint'],
    [`/console/webhooks/${endpointId}?do=edit`, 'Edit'],
  ] as const) {
    await page.goto(shop.server.url + path);
    await dialog.getByRole('heading', { name: title }).waitFor();
  }
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.waitForURL(`${shop.server.url}/console/webhooks/${endpointId}`);
  await page.getByRole('button', { name: 'Replace the secret' }).click();
  await page.waitForURL(/\?do=rotate$/);
  await dialog.waitFor();
  await page.goBack();
  await dialog.waitFor({ state: 'hidden' });
});

test('an address without a page says so and leads home', async () => {
  const page = await openInside(scene, merchant.account, '/console/nothing-here');
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await page.getByRole('link', { name: 'Home' }).last().click();
  await page.waitForURL(`${shop.server.url}/console`);
});

test('the first view of a page loads at most 120 KiB of compressed script', () => {
  const { console: assets, files } = buildPages();
  for (const [name, chunks] of Object.entries(assets.chunks)) {
    for (const words of Object.values(assets.words)) {
      const paths = [words, assets.script, ...chunks];
      const bytes = paths.reduce((sum, path) => sum + files.get(path)!.packed.length, 0);
      expect(bytes, name).toBeLessThan(120 * 1_024);
    }
  }
});
