import type { Page } from 'playwright-core';
import { privateKeyToAccount } from 'viem/accounts';
import { pausePayments } from '../../../src/domain/payments/quotes/pauses.ts';
import { suspendMerchant } from '../../../src/domain/shop/merchants/suspend.ts';
import { newAccount, type TestAccount } from '../../support/server.ts';
import { injectWallet } from '../wallet.ts';
import { fillConsole, signInAsMerchant } from './console-data.ts';
import type { Album, Look, Studio } from './studio.ts';
import { OPERATOR } from './wallets.ts';

/** A page of the console in a browser with this account's wallet. */
const openWith = (studio: Studio, look: Look, path: string, account: TestAccount): Promise<Page> =>
  studio.open(path, look, (page) => injectWallet(page, studio, account));

/** The same page, signed in. */
async function enterWith(studio: Studio, look: Look, path: string, account = newAccount()): Promise<Page> {
  const page = await openWith(studio, look, path, account);
  await page.getByRole('button', { name: 'browser wallet' }).click();
  await page.locator('.frame, [data-stage="join"], [data-stage="no-shop"]').waitFor();
  await page.getByRole('heading', { level: 1 }).waitFor();
  while ((await page.locator('[aria-busy="true"]').count()) > 0) await page.waitForTimeout(50);
  return page;
}

let ready: Promise<void> | undefined;

/** Gives the operator something to look at: a pause, a suspended shop, and a shop whose endpoint fails. */
const prepared = (studio: Studio) => {
  ready ??= (async () => {
    await fillConsole(studio);
    await pausePayments(studio.deps, { chainId: null, token: 'ETH' }, 'the rate of the feed is being checked');
    const { account } = await studio.shop('Mill & Loaf', {}, { name: 'Rye loaf' });
    await suspendMerchant(studio.deps, account.address, 'report of fraud');
  })();
  return ready;
};

/** The page of the operator, with the dialog that a button opens. */
const operator = (path: string, button?: string) => async (studio: Studio, look: Look) => {
  await prepared(studio);
  const page = await enterWith(studio, look, path, privateKeyToAccount(OPERATOR.privateKey));
  if (button) await page.getByText(button, { exact: true }).first().click();
  return page;
};

/** The address of a new invitation to the demo's shop. */
async function invitation(studio: Studio): Promise<string> {
  const { ask } = await signInAsMerchant(studio);
  const { inviteMember } = await ask('mutation { inviteMember(role: cashier, label: "Ada at the till") { url } }');
  const { pathname, hash } = new URL(inviteMember.url);
  return pathname + hash;
}

/** The pages of the operator, and those of a wallet that has no shop yet. */
export const outside: Album = {
  scenes: {
    operator: operator('/console/operator'),
    'operator-pause': operator('/console/operator', 'Pause payments'),
    merchants: operator('/console/operator/merchants'),
    'merchants-suspend': operator('/console/operator/merchants', 'Suspend'),
    'merchants-invite': operator('/console/operator/merchants', 'Invite a shop'),
    'join-signed-out': async (studio, look) => openWith(studio, look, await invitation(studio), newAccount()),
    'join-offer': async (studio, look) => enterWith(studio, look, await invitation(studio)),
    'join-unknown': (studio, look) => enterWith(studio, look, '/console/join#qi_unknown'),
    'join-without': (studio, look) => enterWith(studio, look, '/console/join'),
    'join-accepted': async (studio, look) => {
      const page = await enterWith(studio, look, await invitation(studio));
      await page.getByRole('button', { name: 'Accept' }).click();
      await page.locator('.till').waitFor();
      return page;
    },
    'no-shop': (studio, look) => enterWith(studio, look, '/console'),
    ...Object.fromEntries(
      ['name', 'logo', 'colours', 'split', 'product', 'key', 'order', 'done'].map((step) => [
        `start-${step}`,
        async (studio: Studio, look: Look) => {
          const page = await enterWith(studio, look, '/console');
          await page.getByLabel('Name of the shop').fill('Mill & Loaf');
          await page.getByRole('button', { name: 'Register the shop' }).click();
          await page.getByRole('heading', { name: 'Set up your shop' }).waitFor();
          await page.goto(`${studio.url}/console/start?step=${step}`);
          await page.getByRole('heading', { level: 2 }).waitFor();
          return page;
        },
      ]),
    ),
  },
};
