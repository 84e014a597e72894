import { afterAll, expect, test } from 'vitest';
import { openMailServer } from '../support/mail-server.ts';
import { makePlan } from '../support/subscriber.ts';
import { expectAccessible, expectWellMade, visit } from './browser.ts';
import { openInside } from './console/inside.ts';
import { openScene } from './scene.ts';
import { injectWallet } from './wallet.ts';

const smtp = await openMailServer();
afterAll(() => smtp.close());
const scene = await openScene({ env: { SMTP_URL: smtp.url, MAIL_FROM: 'payments@pay.example' } });
const { shop, browser } = scene;
const merchant = await shop.merchant();

test('a member confirms its address, tests it, reads what the server said in the log, and sends it again', async () => {
  const page = await openInside(scene, merchant.account, '/console/account');
  await page.getByLabel('Your e-mail address').fill('owner@example.com');
  await page.getByLabel('Low stock').check();
  await page
    .getByRole('heading', { name: 'Mail to you' })
    .locator('xpath=../..')
    .getByRole('button', { name: 'Save' })
    .click();
  await page.getByText('A link was sent to this address.').waitFor();
  expect(await page.getByRole('button', { name: 'Send a test message' }).count()).toBe(0);
  await expectWellMade(page);

  const [{ mail }] = (await smtp.until(1)) as [(typeof smtp.arrived)[0]];
  const link = await visit(browser, /https?:\/\/\S+\/mail\/confirm\?\S+/.exec(mail.text!)![0]);
  await link.getByRole('button', { name: 'Confirm the address' }).click();
  await link.getByText('now go to your address').waitFor();
  await expectAccessible(link);

  await page.reload();
  await page.getByRole('button', { name: 'Send a test message' }).click();
  await page.getByText('Sent: 250').waitFor();
  await page.getByRole('link', { name: 'E-mails' }).click();
  const row = page.locator('.row', { hasText: 'Test message' });
  await row.getByRole('button', { name: 'Send again' }).click();
  await smtp.until(3);
  await expectWellMade(page);
  for (const { mail } of smtp.arrived)
    for (const colorScheme of ['light', 'dark'] as const) {
      const read = await browser.newPage({ colorScheme });
      await read.setContent(String(mail.html));
      await expectAccessible(read);
      await read.close();
    }
}, 240_000);

test('a subscriber is asked for an address, a wrong one is named, and a plan has the days of its reminder', async () => {
  const plan = await makePlan(shop.server, merchant);
  const customer = await shop.buyer({ USDC: 100_000_000n });
  const page = await visit(browser, `${shop.server.url}/subscribe/${plan.planId}`, {
    before: (opened) => injectWallet(opened, shop, customer, { name: 'Rainy Day' }),
  });
  await page.getByRole('button', { name: 'Connect Rainy Day' }).click();
  const address = page.getByLabel('Your e-mail address (optional)');
  // The browser takes this one, and the server does not.
  await address.fill('two..dots@example.com');
  await page.getByRole('button', { name: 'Allow charges in USDC' }).click();
  await page.getByText('Charges in USDC are allowed').waitFor();
  await page.getByRole('button', { name: /^Subscribe for/ }).click();
  await page.getByText('This is not a valid e-mail address.').waitFor();
  await expectWellMade(page);
  await address.fill('wrong');
  await page.getByRole('button', { name: /^Subscribe for/ }).click();
  await expect.poll(() => address.evaluate((one) => one === document.activeElement)).toBe(true);
  await address.fill('sub@example.com');
  await page.getByRole('button', { name: /^Subscribe for/ }).click();
  const heard = await smtp.until(5);
  expect(heard.slice(3).map(({ to }) => to)).toEqual([['sub@example.com'], ['sub@example.com']]);

  const inside = await openInside(scene, merchant.account, '/console/plans');
  await inside.getByRole('link', { name: 'Coffee club' }).click();
  await inside.getByRole('link', { name: 'Edit plan' }).click();
  await inside.getByLabel('Reminder by e-mail, days before each charge').fill('31');
  await inside.getByRole('button', { name: 'Save changes' }).click();
  await inside.getByText('Enter a whole number from 1 to 30').waitFor();
  await inside.getByLabel('Reminder by e-mail, days before each charge').fill('3');
  await inside.getByRole('button', { name: 'Save changes' }).click();
  await inside.getByRole('link', { name: 'Edit plan' }).click();
  expect(await inside.getByLabel('Reminder by e-mail, days before each charge').inputValue()).toBe('3');
}, 240_000);
