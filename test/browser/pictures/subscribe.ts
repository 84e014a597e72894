import type { Page } from 'playwright-core';
import { createPlan, updatePlan } from '../../../src/domain/recurring/plans/save-plan.ts';
import type { TestAccount } from '../../support/server.ts';
import { subscriptionBody, type TestPlan } from '../../support/subscriber.ts';
import { type InjectedOptions, injectWallet, WalletError } from '../wallet.ts';
import type { Album, Look, Scene, Studio } from './studio.ts';

const PLAN: TestPlan & { readonly name: string; readonly description: string } = {
  planId: '',
  name: 'Coffee club',
  description: 'A new roast at your door, every month.\nWhole beans, 250 g.',
  priceUsd: 18,
  period: 'MONTHLY',
};
const FUNDS = { USDC: 100_000_000n };

async function plan(studio: Studio, change: Partial<typeof PLAN> = {}): Promise<TestPlan> {
  const terms = { ...PLAN, ...change };
  const { name, description, period, priceUsd } = terms;
  const plan = { name, description, period, priceCents: Math.round(priceUsd * 100) };
  const { id } = await createPlan(studio.deps, studio.demo.merchant, plan);
  return { ...terms, planId: id };
}

/** The page of a plan in the browser of a customer. */
const open = (studio: Studio, look: Look, path: string, account: TestAccount, wallet: InjectedOptions = {}) =>
  studio.open(`/subscribe/${path}`, look, (page) =>
    injectWallet(page, studio, account, { name: 'Rainy Day', ...wallet }),
  );

const connect = (page: Page) => page.getByRole('button', { name: /^Connect/ }).click();

/** A page whose wallet is connected. */
async function connected(studio: Studio, look: Look, funds: Record<string, bigint>, wallet: InjectedOptions = {}) {
  const page = await open(studio, look, (await plan(studio)).planId, await studio.buyer(funds), wallet);
  await connect(page);
  await page.locator('.checks').waitFor();
  return page;
}

const subscribe = (page: Page) => page.locator('[data-action="subscribe"]').click();

/** The page of a subscription whose row says this. */
async function subscribed(studio: Studio, look: Look, row: Record<string, unknown>): Promise<Page> {
  const made = await plan(studio);
  const customer = await studio.buyer(FUNDS);
  const answer = await studio.call('POST', '/api/subscriptions/create', {
    headers: studio.sitter.auth,
    body: await subscriptionBody(studio, made, { customer }),
  });
  const { subscriptionId } = answer.body.subscription ?? answer.body;
  const columns = Object.keys(row);
  if (columns.length > 0)
    await studio.sql(`update subscriptions set ${columns.map((name) => `${name} = ?`).join(', ')} where id = ?`, [
      ...Object.values(row),
      subscriptionId,
    ]);
  return open(studio, look, `${made.planId}?subscription=${subscriptionId}`, customer);
}

const DAY = 86_400_000;
const charged = () => ({
  charge_count: 7,
  total_charged_cents: 12_600,
  last_charged_at: Date.now() - 9 * DAY,
  next_charge_at: Date.now() + 21 * DAY,
});
const ended = { next_charge_at: null, cancelled_at: 1, charge_count: 1, total_charged_cents: 1800 };

const scenes: Record<string, Scene> = {
  offer: async (studio, look) => open(studio, look, (await plan(studio)).planId, await studio.buyer()),
  'no-wallet': async (studio, look) => studio.open(`/subscribe/${(await plan(studio)).planId}`, look),
  plain: async (studio, look) =>
    studio.open(`/subscribe/${(await plan(studio)).planId}`, { ...look, javaScriptEnabled: false }),
  long: async (studio, look) => {
    const name = 'نادي القهوة — Spezialitätenröstereijahresmitgliedschaftsabonnement';
    const { planId } = await plan(studio, { name, description: `${name}\n\n`.repeat(3), priceUsd: 12_345.67 });
    return open(studio, look, planId, await studio.buyer());
  },
  allow: (studio, look) => connected(studio, look, FUNDS),
  poor: (studio, look) => connected(studio, look, { USDC: 500_000n }),
  signing: async (studio, look) => {
    const page = await connected(studio, look, FUNDS, { sign: () => new Promise(() => {}) });
    await subscribe(page);
    await page.getByText('Sign in your wallet').first().waitFor();
    return page;
  },
  declines: async (studio, look) => {
    const sign = () => Promise.reject(new WalletError(4001, 'User rejected the request.'));
    const page = await connected(studio, look, FUNDS, { sign });
    await subscribe(page);
    await page.getByRole('alert').waitFor();
    return page;
  },
  'wrong-network': async (studio, look) => {
    const page = await open(studio, look, (await plan(studio)).planId, await studio.buyer(), {
      chainId: 1,
      changes: 'refuses',
    });
    await connect(page);
    await page.getByRole('alert').waitFor();
    return page;
  },
  first: (studio, look) => subscribed(studio, look, { next_charge_at: Date.now() + DAY }),
  active: (studio, look) => subscribed(studio, look, charged()),
  cancelling: async (studio, look) => {
    const page = await subscribed(studio, look, charged());
    await page.locator('#ask-cancel').click();
    return page;
  },
  'past-due': (studio, look) =>
    subscribed(studio, look, { ...charged(), status: 'past_due', attempts: 2, past_due_since: Date.now() - DAY }),
  'past-due-connected': async (studio, look) => {
    const page = await scenes['past-due']!(studio, look);
    await connect(page);
    await page.locator('.checks').waitFor();
    return page;
  },
  cancelled: (studio, look) => subscribed(studio, look, { ...ended, status: 'cancelled' }),
  revoked: (studio, look) => subscribed(studio, look, { ...ended, status: 'cancelled', revoked_at: Date.now() }),
  expired: (studio, look) => subscribed(studio, look, { ...ended, status: 'expired' }),
  closed: async (studio, look) => {
    const { planId } = await plan(studio);
    await updatePlan(studio.deps, studio.demo.merchant, planId, { active: false });
    return studio.open(`/subscribe/${planId}`, look);
  },
  'not-found': (studio, look) => studio.open('/subscribe/plan_nothing', look),
};

/** The page of a plan. */
export const subscribePage: Album = { scenes };
