import type { Browser, Page } from 'playwright-core';
import type { TestAccount, TestMerchant, TestServer } from '../../support/server.ts';
import { type Visit, visit } from '../browser.ts';
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
  await page.getByRole('button', { name: 'Sign in with browser wallet' }).click();
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
