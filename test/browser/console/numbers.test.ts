import { expect, test } from 'vitest';
import { expectWellMade } from '../browser.ts';
import { openScene } from '../scene.ts';
import { openInside } from './inside.ts';

const scene = await openScene();
const merchant = await scene.shop.merchant();

test.each(['en-US', 'de-DE', 'fr-FR', 'es-ES', 'ar-EG', 'ja-JP', 'hi-IN', 'de-CH'])(
  'a price that the catalog shows in %s can be typed back as it is shown',
  async (locale) => {
    const page = await openInside(scene, merchant.account, '/console/catalog', { locale });
    const price = page.getByLabel(/^(Price of|Preis von) Stoneware mug$/);
    const shown = await price.inputValue();
    await price.fill(shown);
    await price.press('Enter');
    await expect.poll(() => price.inputValue()).toBe(shown);
    expect(await page.locator('.inline-edit .field-problem').count()).toBe(0);
  },
);

test('an amount that can be read in two ways is asked about, and is what was chosen', async () => {
  const page = await openInside(scene, merchant.account, '/console/new', { locale: 'de-DE' });
  const amount = page.getByLabel('Betrag');
  await amount.fill('1.250');
  await page.getByRole('button', { name: 'erzeugen' }).click();
  await page.getByText('Das lässt sich auf zwei Arten lesen.').waitFor();
  expect(await page.locator('.number-readings button').allTextContents()).toEqual(['1.250,00\u00a0$', '1,25\u00a0$']);
  await expectWellMade(page);
  expect(new URL(page.url()).searchParams.get('receipt')).toBeNull();
  await page.getByRole('button', { name: '1.250,00 $', exact: true }).click();
  expect(await amount.inputValue()).toBe('1250,00');
  await amount.fill('١٬٢٥٠٫٥٠');
  await page.getByRole('button', { name: '1.250,50' }).click();
  await page.waitForURL(/receipt=/);
});
