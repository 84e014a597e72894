import { expect, test } from 'vitest';
import { expectWellMade, phone, readRequest, visit } from '../browser.ts';
import { openScene } from '../scene.ts';
import { openInside } from './inside.ts';

const scene = await openScene();
const { shop, browser } = scene;
const merchant = await shop.merchant();

test('a link is made for products, put on another page as a button, paid by a buyer, counted, switched off and deleted', async () => {
  const page = await openInside(scene, merchant.account, '/console/links', { permissions: ['clipboard-read'] });
  await page.getByText('No payment links yet').waitFor();
  await expectWellMade(page);
  await page.getByRole('link', { name: 'New payment link' }).first().click();
  await page.getByRole('link', { name: 'Products' }).click();
  await page.getByRole('button', { name: 'Add Stoneware mug' }).click();
  await page.getByRole('button', { name: 'Create a link for 1 product' }).click();
  await page.getByText('Give it a name').waitFor();
  await page.getByLabel('What it is for').fill('A mug & a smile');
  await page.getByLabel('At most on a day').fill('2');
  await expectWellMade(page);
  await page.getByRole('button', { name: 'Create a link for 1 product' }).click();
  await page.getByRole('heading', { name: 'A mug & a smile' }).waitFor();
  await page.getByText('0 sold').waitFor();
  await expectWellMade(page);
  await page.getByRole('button', { name: 'Copy button (HTML)' }).click();
  await page.getByText('Copied').first().waitFor();
  const markup = await page.evaluate(() => navigator.clipboard.readText());
  expect(markup).toContain('A mug &amp; a smile');

  // Another site with this button.
  const buyer = await visit(browser, 'about:blank', phone);
  await buyer.setContent(markup);
  await buyer.getByRole('link', { name: 'A mug & a smile' }).click();
  await buyer.getByRole('heading', { name: 'A mug & a smile' }).waitFor();
  await expectWellMade(buyer);
  await buyer.getByRole('button', { name: 'Continue to payment' }).click();
  await buyer.waitForURL(/\/portal\//);
  const wallet = await shop.buyer({ USDC: 1_000_000_000n });
  await buyer.goto(`${buyer.url()}&token=USDC`);
  const { amount, payTo } = await readRequest(buyer, 6);
  await shop.transfer(wallet, 'USDC', payTo.toLowerCase() as never, amount);
  await expect
    .poll(
      async () => {
        await page.reload();
        return page.locator('.link-facts').innerText();
      },
      { timeout: 60_000 },
    )
    .toContain('1 sold');

  await page.getByRole('button', { name: 'Switch off' }).click();
  await page.getByRole('button', { name: 'Switch on' }).waitFor();
  const late = await visit(browser, await page.locator('.link-text').innerText(), { ...phone, denied: /410/ });
  await late.getByText('This link is closed').waitFor();
  await expectWellMade(late);
  await page.getByRole('link', { name: 'Delete…' }).click();
  await page.getByRole('button', { name: 'Delete for good' }).click();
  await page.getByText('No payment links yet').waitFor();
}, 120_000);

test('a link for an amount says what is missing before it is made', async () => {
  const page = await openInside(scene, merchant.account, '/console/new?as=link', phone);
  await page.getByRole('button', { name: 'Create the link' }).click();
  await page.getByText('Give it a name').waitFor();
  await page.getByLabel('Amount in USD').fill('80');
  await page.getByLabel('What it is for').fill('Deposit');
  await page.getByLabel('At most on a day').fill('0');
  await page.getByRole('button', { name: 'Create a link for $80.00' }).click();
  await page.getByText('A whole number from 1').waitFor();
  await page.getByLabel('At most on a day').fill('');
  await expectWellMade(page);
  await page.getByRole('button', { name: 'Create a link for $80.00' }).click();
  await page.getByRole('heading', { name: 'Deposit' }).waitFor();
  await expectWellMade(page);
}, 120_000);
