import type { Browser, Page } from 'playwright-core';
import type { TestAccount, TestMerchant, TestServer } from '../../support/server.ts';
import { phone, type Visit, visit } from '../browser.ts';
import type { Shop } from '../shop.ts';
import { type InjectedOptions, injectWallet } from '../wallet.ts';

/** The shop that a console is opened of, and a browser. */
export interface ConsoleScene {
  readonly shop: Pick<Shop, 'walletOf'> & { readonly server: { readonly url: string } };
  readonly browser: Browser;
}

export interface ConsoleVisit extends Visit {
  readonly wallet?: InjectedOptions;
}

/** A page of the console in a browser with this account's wallet, which is not signed in. */
export function openSignedOut(
  { shop, browser }: ConsoleScene,
  account: TestAccount,
  path = '/console',
  { wallet, ...options }: ConsoleVisit = {},
): Promise<Page> {
  return visit(browser, shop.server.url + path, {
    reducedMotion: 'reduce',
    ...options,
    before: (page) => injectWallet(page, shop, account, wallet),
  });
}

/** Signs in with the wallet of the browser. */
export async function signIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^(Sign in with browser wallet|Mit Browser-Wallet anmelden)$/ }).click();
  await page.locator('.frame, [data-stage="join"]').waitFor();
}

/** A page of the console in a browser that is signed in. */
export async function openInside(
  scene: ConsoleScene,
  account: TestAccount,
  path?: string,
  options?: ConsoleVisit,
): Promise<Page> {
  const page = await openSignedOut(scene, account, path, options);
  await signIn(page);
  return page;
}

/** The most clicks that a task of a shop may take from the signed-in home page, beside typing. */
const CLICKS_OF_A_TASK = 4;

/** Where a task is done, and its most clicks: on a phone one more opens the navigation. */
export const PLACES = [
  { where: 'a desktop', options: {}, most: CLICKS_OF_A_TASK },
  { where: 'a phone', options: phone, most: CLICKS_OF_A_TASK + 1 },
] as const;

/** Opens a page by the navigation, which a phone has behind a button, apart from its first pages. */
export async function goTo(page: Page, name: string): Promise<void> {
  const link = page.getByRole('navigation').getByRole('link', { name, exact: true }).first();
  if (!(await link.isVisible())) await page.getByRole('button', { name: 'More', exact: true }).click();
  await link.click();
}

/**
 * Counts what a hand does in the page from now on: its clicks, and the choices in lists and of files. Typing counts
 * nothing, and neither does a key that presses a button.
 */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  let clicks = 0;
  await page.exposeFunction('reportClick', () => {
    clicks += 1;
  });
  const listen = () => {
    const report = () => (window as unknown as { reportClick(): void }).reportClick();
    addEventListener('click', ({ isTrusted, detail }) => isTrusted && detail > 0 && report(), true);
    addEventListener('change', ({ target }) => {
      const chosen = target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.files);
      if (chosen) report();
    });
  };
  await page.addInitScript(listen);
  await page.evaluate(listen);
  return async () => {
    // What the page reported before this answer has arrived before it.
    await page.evaluate(() => null);
    return clicks;
  };
}

/** Voids a receipt as its merchant, which sends the receipt's webhook. */
export async function voidAsMerchant(server: TestServer, merchant: TestMerchant, receiptId: string): Promise<void> {
  const headers = await server.signIn(merchant.account);
  const query = 'mutation ($id: ID!) { voidReceipt(receiptId: $id) { status } }';
  const { body } = await server.call('POST', '/api/graphql', {
    headers,
    body: { query, variables: { id: receiptId } },
  });
  if (body.errors) throw new Error(`The receipt was not voided: ${JSON.stringify(body.errors)}`);
}
