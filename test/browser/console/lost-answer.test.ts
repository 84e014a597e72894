import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { runStatement, statement } from '../../support/statement.ts';
import { openScene } from '../scene.ts';
import { openInside } from './inside.ts';

const scene = await openScene();
const { shop } = scene;
const merchant = await shop.merchant();

const countOf = async (table: string) => {
  const [row] = await runStatement<{ n: string }>(
    shop.server.deps.db,
    statement(`count ${table}`, `select count(*) as n from ${table}`),
  );
  return Number(row!.n);
};

/** Lets the first mutation with this name reach the server and loses its answer. Returns how often it was sent. */
async function loseAnswer(page: Page, mutation: string): Promise<() => number> {
  let sent = 0;
  await page.route('**/api/graphql', async (route) => {
    if (!route.request().postData()?.includes(`mutation ${mutation}`)) return route.fallback();
    sent += 1;
    if (sent > 1) return route.fallback();
    await route.fetch();
    return route.abort();
  });
  return () => sent;
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).last().click();

interface Form {
  readonly what: string;
  readonly path: string;
  readonly mutation: string;
  readonly table: string;
  readonly action: string | RegExp;
  fill(page: Page): Promise<unknown>;
  made(page: Page): Promise<unknown>;
}

const FORMS: readonly Form[] = [
  {
    what: 'a payment of an amount',
    path: '/console/new',
    mutation: 'SellAmount',
    table: 'receipts',
    action: /^Create a link/,
    fill: (page) => page.getByLabel('Amount in USD').fill('77.70'),
    made: (page) => page.waitForURL(/receipt=/),
  },
  {
    what: 'a payment of products',
    path: '/console/new?of=items',
    mutation: 'SellItems',
    table: 'receipts',
    action: /^Create a link/,
    fill: (page) => page.getByRole('button', { name: 'Add Stoneware mug' }).click(),
    made: (page) => page.waitForURL(/receipt=/),
  },
  {
    what: 'the first order of a shop',
    path: '/console/start?step=order',
    mutation: 'SellItems',
    table: 'receipts',
    action: /order/i,
    fill: async () => {},
    made: (page) => page.waitForURL(/receipt=/),
  },
  {
    what: 'a sale at the till',
    path: '/console/till',
    mutation: 'SellAmount',
    table: 'receipts',
    action: /^Charge/,
    fill: async (page) => {
      for (const digit of ['5', '0', '0']) await page.getByRole('button', { name: digit, exact: true }).click();
    },
    made: (page) => page.waitForURL(/receipt=/),
  },
  {
    what: 'a plan',
    path: '/console/plans?do=add',
    mutation: 'CreatePlan',
    table: 'plans',
    action: 'Make the plan',
    fill: async (page) => {
      await page.getByLabel('Name').fill('Tea club');
      await page.getByLabel(/^Price/).fill('9');
    },
    made: (page) => page.getByRole('dialog').waitFor({ state: 'detached' }),
  },
  {
    what: 'a key',
    path: '/console/developers?do=issue',
    mutation: 'IssueKey',
    table: 'api_keys',
    action: 'Issue a key',
    fill: (page) => page.getByLabel('Name').fill('Lost'),
    made: (page) => page.getByText('qk_').waitFor(),
  },
  {
    what: 'an invitation',
    path: '/console/people?do=invite',
    mutation: 'InviteMember',
    table: 'merchant_invitations',
    action: /link/i,
    fill: async () => {},
    made: (page) => page.getByText('/console/join#qi_').waitFor(),
  },
  {
    what: 'an endpoint',
    path: '/console/webhooks?do=add',
    mutation: 'AddWebhookEndpoint',
    table: 'webhook_endpoints',
    action: 'Add endpoint',
    fill: (page) => page.getByLabel('Address').fill('https://shop.test/hooks'),
    made: (page) => page.getByText('whsec_').waitFor(),
  },
];

test.each(FORMS)('$what whose answer was lost is made once, however often the button is pressed', async (form) => {
  const page = await openInside(scene, merchant.account, form.path, { denied: /ERR_FAILED/ });
  await form.fill(page);
  const before = await countOf(form.table);
  const sent = await loseAnswer(page, form.mutation);
  await press(page, form.action);
  await page.getByText('The server cannot be reached').waitFor();
  expect(await countOf(form.table)).toBe(before + 1);
  await press(page, form.action);
  await form.made(page);
  expect(sent()).toBe(2);
  expect(await countOf(form.table)).toBe(before + 1);
});

test('what was changed after a lost answer is another payment', async () => {
  const page = await openInside(scene, merchant.account, '/console/new', { denied: /ERR_FAILED/ });
  const before = await countOf('receipts');
  await loseAnswer(page, 'SellAmount');
  await page.getByLabel('Amount in USD').fill('5');
  await press(page, /^Create a link/);
  await page.getByText('The server cannot be reached').waitFor();
  await page.getByLabel('Amount in USD').fill('6');
  await press(page, /^Create a link/);
  await page.waitForURL(/receipt=/);
  expect(await countOf('receipts')).toBe(before + 2);
});

test('over plain http, where crypto.randomUUID is missing, the till opens and a link is made', async () => {
  const page = await openInside(scene, merchant.account);
  await page.addInitScript(() => {
    Reflect.deleteProperty(Crypto.prototype, 'randomUUID');
  });
  await page.goto(`${shop.server.url}/console/till`);
  for (const digit of ['4', '0', '0']) await page.getByRole('button', { name: digit, exact: true }).click();
  await press(page, /^Charge/);
  await page.waitForURL(/receipt=/);
  expect(await page.evaluate(() => 'randomUUID' in crypto)).toBe(false);
  await page.goto(`${shop.server.url}/console/new`);
  await page.getByLabel('Amount in USD').fill('5');
  await press(page, /^Create a link/);
  await page.waitForURL(/receipt=/);
});
