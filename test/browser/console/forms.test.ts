import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openScene } from '../scene.ts';
import { openInside, openSignedOut } from './inside.ts';

const scene = await openScene();
const { shop } = scene;
const merchant = await shop.merchant();
await shop.order(merchant);

/** Presses in the middle of a field and lets go far beside its dialog, as a hand that selects text does. */
async function dragOut(page: Page, field: Locator): Promise<void> {
  const { x, y, width, height } = (await field.boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(10, y + height / 2, { steps: 4 });
  await page.mouse.up();
}

test('a dialog begins with its first field, survives a selection that ends beside it, and closes by a click there', async () => {
  const page = await openInside(scene, merchant.account, '/console/webhooks');
  await page.getByRole('link', { name: 'Add endpoint' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add endpoint' });
  await dialog.waitFor();
  await page.keyboard.type('https://shop.test/hooks');
  const address = dialog.getByLabel('Address');
  expect(await address.inputValue()).toBe('https://shop.test/hooks');
  await dragOut(page, address);
  expect(await address.inputValue()).toBe('https://shop.test/hooks');
  page.once('dialog', (question) => question.accept());
  await page.mouse.click(10, 10);
  await dialog.waitFor({ state: 'hidden' });
});

test('what is half typed is thrown away only after a question: by Escape, the cross, a click beside, a link and the back button', async () => {
  const page = await openInside(scene, merchant.account, '/console/catalog');
  let asked = 0;
  let answer = false;
  page.on('dialog', async (question) => {
    asked += 1;
    expect(question.message()).toBe('What you have typed is not saved. Throw it away?');
    await (answer ? question.accept() : question.dismiss());
  });
  const dialog = page.getByRole('dialog');
  const open = () => page.getByRole('link', { name: 'Add product' }).first().click();
  await open();
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  expect(asked).toBe(0);

  await open();
  await dialog.getByLabel('Name').fill('Half a mug');
  for (const leave of [
    () => page.keyboard.press('Escape'),
    () => page.keyboard.press('Escape'),
    () => dialog.getByRole('button', { name: 'Close' }).click(),
    () => page.mouse.click(5, 5),
    () => page.goBack(),
  ]) {
    const before = asked;
    await leave();
    await expect.poll(() => asked).toBe(before + 1);
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Half a mug');
  }
  // What is as it was is not lost.
  await dialog.getByLabel('Name').fill('');
  const before = asked;
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  expect(asked).toBe(before);

  await page.goto(`${shop.server.url}/console/shop?show=about`);
  await page.getByLabel('Tax number').fill('DE 1');
  await page.getByRole('link', { name: 'Payouts' }).click();
  await expect.poll(() => asked).toBe(before + 1);
  expect(await page.getByLabel('Tax number').inputValue()).toBe('DE 1');
  answer = true;
  await page.getByRole('link', { name: 'Payouts' }).click();
  await page.getByRole('heading', { name: 'Payouts' }).waitFor();

  await page.goto(`${shop.server.url}/console/shop?show=about`);
  await page.getByLabel('Tax number').fill('DE 2');
  await page.getByRole('button', { name: 'Save what is said of the shop' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  const saved = asked;
  await page.getByRole('link', { name: 'Payouts' }).click();
  await page.getByRole('heading', { name: 'Payouts' }).waitFor();
  expect(asked).toBe(saved);
});

test('a click beside a secret does not close it', async () => {
  const page = await openInside(scene, merchant.account, '/console/developers?do=issue');
  await page.getByRole('button', { name: 'Issue a key' }).last().click();
  const secret = page.getByRole('dialog', { name: 'Your new key' });
  await secret.waitFor();
  await page.mouse.click(10, 10);
  await secret.getByRole('button', { name: 'I have stored it' }).click();
  await secret.waitFor({ state: 'hidden' });
});

test('a page that is left before its search begins stays left', async () => {
  const page = await openInside(scene, merchant.account, '/console/receipts');
  await page.locator('.receipt-row').first().waitFor();
  await page.clock.install();
  await page.getByRole('searchbox').pressSequentially('mu');
  await page.getByRole('link', { name: 'Payouts' }).click();
  await page.getByRole('heading', { name: 'Payouts' }).waitFor();
  // Every timer that is left ends.
  await page.clock.runFor(1_000);
  expect(page.url()).toBe(`${shop.server.url}/console/payouts`);
});

test('a page whose script cannot be loaded says so and opens when it can', async () => {
  const page = await openInside(scene, merchant.account, '/console', { denied: /ERR_FAILED/ });
  await page.route('**/_next/static/*.js', (route) => route.abort());
  await page.getByRole('link', { name: 'Payouts' }).click();
  await page.getByRole('heading', { name: 'Payouts' }).waitFor();
  await page.getByText('The server cannot be reached').waitFor();
  await page.unroute('**/_next/static/*.js');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Who gets what from which receipt').waitFor();
});

test('a console whose session cannot be read says why, and opens when it can', async () => {
  const inside = await openInside(scene, merchant.account);
  const storageState = await inside.context().storageState();
  let refuse = true;
  const page = await openSignedOut(scene, merchant.account, '/console', { storageState, denied: /429/ });
  await page.locator('.frame').waitFor();
  await page.route('**/api/graphql', (route) =>
    refuse
      ? route.fulfill({ status: 429, json: { errors: [{ message: 'Rate limit exceeded', extensions: {} }] } })
      : route.continue(),
  );
  await page.reload();
  await page.getByText('Rate limit exceeded').waitFor();
  await page.getByText('opens by itself as soon as it can').waitFor();
  refuse = false;
  await page.locator('.frame').waitFor();
});
