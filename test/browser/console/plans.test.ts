import { expect, test } from 'vitest';
import { pausePayments, resumePayments } from '../../../src/domain/payments/quotes/pauses.ts';
import { makePlan, subscribe, subscriptionBody, walletOf } from '../../support/subscriber.ts';
import { expectWellMade, phone } from '../browser.ts';
import { openScene } from '../scene.ts';
import { countClicks, goTo, openInside, PLACES } from './inside.ts';

const scene = await openScene();
const { shop } = scene;
const merchant = await shop.merchant();

test.each(PLACES)(
  'on $where a plan is made from the first page; its first subscriber appears by itself, past due with the reason, and is ended',
  async ({ options, most }) => {
    const merchant = await shop.merchant();
    const page = await openInside(scene, merchant.account, '/console', options);
    const clicks = await countClicks(page);
    await goTo(page, 'Plans');
    await page.getByRole('link', { name: 'Make a plan' }).first().click();
    await page.getByLabel('Name').fill('Coffee club');
    await page.getByLabel('Price in USD').fill('14.50');
    await expectWellMade(page);
    await page.getByRole('button', { name: 'Make the plan' }).click();
    await page.getByText('No subscribers yet').waitFor();
    await expectWellMade(page);
    const link = await page.locator('.link-text').innerText();
    const planId = link.split('/').at(-1)!;
    expect(link).toBe(`${shop.server.url}/subscribe/${planId}`);

    // A pause of the token keeps the first charge of the subscriber under way.
    const place = { chainId: shop.server.deps.chain.chainId, token: 'USDC' };
    await pausePayments(shop.server.deps, place, 'a test');
    // A wallet without an approval: its first charge fails.
    const customer = await shop.buyer({ USDC: 100_000_000n });
    const plan = { planId, priceUsd: 14.5, period: 'MONTHLY' } as const;
    const signed = await subscriptionBody(shop.server, plan, { customer });
    const { body } = await subscribe(shop.server, merchant, { ...signed, email: 'ada@lovelace.dev' });
    const row = page.locator('.subscriber-row');
    await row.waitFor();
    expect(await row.innerText()).toContain('Active');
    expect(await row.innerText()).toContain('ada@lovelace.dev');
    expect(await row.innerText()).toContain('Being charged');
    expect(await row.locator('time').count()).toBe(0);
    const own = await openInside(scene, merchant.account, `/console/subscriptions/${body.subscription.subscriptionId}`);
    await own.locator('.facts').getByText('Being charged').waitFor();
    await resumePayments(shop.server.deps, place);
    await row.getByText('Past due').waitFor();

    await row.getByRole('link').click();
    await page.getByText(walletOf(customer)).waitFor();
    expect(await clicks()).toBeLessThanOrEqual(most);
    await page.locator('.note.bad').waitFor();
    await page.getByText('Charge failed').waitFor();
    await expectWellMade(page);
    await page.getByRole('button', { name: 'End this subscription…' }).click();
    await page.getByText('What was paid stays paid.').waitFor();
    await expectWellMade(page);
    await page.getByRole('button', { name: 'End it now' }).click();
    await page.locator('.facts').getByText('Cancelled').waitFor();
  },
);

test('a subscriber is found by any part of the e-mail address or wallet, among all plans and in one, on a phone too', async () => {
  const plan = await makePlan(shop.server, merchant, { name: 'Tea club' });
  const grace = await shop.buyer();
  for (const [customer, email] of [
    [grace, 'grace@navy.example'],
    [await shop.buyer(), 'linus@kernel.example'],
  ] as const)
    await subscribe(shop.server, merchant, {
      ...(await subscriptionBody(shop.server, plan, { customer })),
      email,
    });
  for (const { options, most } of PLACES) {
    const page = await openInside(scene, merchant.account, '/console', options);
    const clicks = await countClicks(page);
    await goTo(page, 'Plans');
    const rows = page.getByRole('list', { name: 'Subscribers' }).getByRole('listitem');
    const search = page.getByRole('searchbox', { name: 'Search subscribers' });
    for (const part of ['NAVY', walletOf(grace).slice(9, 20).toUpperCase()]) {
      await search.fill(part);
      await rows.filter({ hasText: 'grace@navy.example' }).waitFor();
      await expect.poll(() => rows.count()).toBe(1);
    }
    await rows.getByRole('link').click();
    await page.getByText(walletOf(grace)).waitFor();
    expect(await clicks()).toBeLessThanOrEqual(most);
    await page.goto(`${shop.server.url}/console/plans/${plan.planId}`);
    await expect.poll(() => page.locator('.subscriber-row').count()).toBe(2);
    await search.fill('kernel.ex');
    await expect.poll(() => page.locator('.subscriber-row').allInnerTexts()).toHaveLength(1);
    await page.getByText('linus@kernel.example').waitFor();
    await search.fill('%');
    await page.getByText('No subscriber has this').waitFor();
    await expectWellMade(page);
  }
});

test('a plan is changed and closed on its page, and its list keeps the filter in the address', async () => {
  await makePlan(shop.server, merchant);
  const page = await openInside(scene, merchant.account, '/console/plans', phone);
  await page.getByRole('link', { name: 'Coffee club' }).click();
  await page.getByRole('link', { name: 'Edit plan' }).click();
  await page.getByLabel('Price in USD').fill('16');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.locator('.plan-price').getByText('$16.00').waitFor();
  await page.getByRole('button', { name: 'Take no new subscribers' }).click();
  await page.getByText('Takes no new subscribers').waitFor();
  await page.getByLabel('Show').selectOption('Past due');
  await page.getByText('No subscriber is in this state').waitFor();
  await page.reload();
  await page.getByText('No subscriber is in this state').waitFor();
});
