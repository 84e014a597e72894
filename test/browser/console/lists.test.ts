import { expect, test } from 'vitest';
import { openScene } from '../scene.ts';
import { openInside } from './inside.ts';

const scene = await openScene();
const { shop } = scene;
const merchant = await shop.merchant();

test('equal sales do not look alike: their rows name the buyers, and each is found by a part of name or e-mail, or by the sum', async () => {
  const people = ['Maria Klein', 'Jörg Weiß', 'Ada Byron'];
  let total = 0;
  for (const person of people) {
    const [firstName, lastName] = person.split(' ');
    const email = `${firstName!.normalize('NFD').replace(/\W/g, '')}@mail.test`;
    ({ totalUsd: total } = await shop.order(merchant, { firstName, lastName, buyerEmail: email }));
  }
  const page = await openInside(scene, merchant.account, '/console/receipts');
  const buyers = page.locator('.receipt-buyer');
  await expect.poll(async () => (await buyers.allTextContents()).length).toBe(3);
  for (const person of people)
    expect((await buyers.allTextContents()).some((text) => text.includes(person))).toBe(true);
  for (const [q, count] of [
    ['lein', 1],
    ['il.test', 3],
    [String(total.toFixed(2)).replace('.', ','), 3],
    ['1.07', 0],
  ] as const) {
    await page.goto(`${shop.server.url}/console/receipts?q=${encodeURIComponent(q)}`);
    await expect.poll(() => buyers.count(), { message: q, timeout: 20_000 }).toBe(count);
  }
});

test('the navigation is grouped by what a shop does, every page is reached by Tab, and a wide screen is used', async () => {
  const page = await openInside(scene, merchant.account, '/console/receipts');
  await page.setViewportSize({ width: 1440, height: 900 });
  const nav = page.locator('.side .nav');
  await expect
    .poll(() => nav.locator('.nav-group').allTextContents())
    .toEqual(['Sell', 'Money', 'Customers', 'Settings']);
  await expect.poll(() => nav.getByRole('list', { name: 'Money' }).getByRole('link').count()).toBe(3);
  const links = await nav.getByRole('link').count();
  await nav.getByRole('link').first().focus();
  for (let n = 1; n < links; n += 1) await page.keyboard.press('Tab');
  expect(
    await nav
      .getByRole('link')
      .last()
      .evaluate((link) => link === document.activeElement),
  ).toBe(true);
  // At this height all of it is in sight; in a lower window its end is not cut off without a sign.
  const lastInSight = async () => {
    const [box, last] = [await nav.boundingBox(), await nav.getByRole('link').last().boundingBox()];
    return last!.y + last!.height <= box!.y + box!.height;
  };
  await nav.evaluate((list) => list.scrollTo(0, 0));
  expect(await lastInSight()).toBe(true);
  await page.setViewportSize({ width: 1440, height: 600 });
  expect(await lastInSight()).toBe(false);
  expect(await page.locator('.side .account').evaluate((one) => one.getBoundingClientRect().bottom)).toBeLessThan(600);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  await expect.poll(lastInSight).toBe(true);
  await page.setViewportSize({ width: 1440, height: 900 });
  const { right } = await page.locator('main').evaluate((main) => main.getBoundingClientRect().toJSON());
  expect(right).toBeGreaterThan(1440 - 20);
});
