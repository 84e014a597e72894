import { expect, test } from 'vitest';
import { wordsOf } from '../../../src/base/core/messages/words.ts';
import { expectWellMade, reaches, visit } from '../browser.ts';
import { openScene } from '../scene.ts';
import { countClicks, goTo, openInside, PLACES } from './inside.ts';

const scene = await openScene();
const { shop, browser } = scene;
const merchant = await shop.merchant();

const RED = '#b3261e';

const accentOf = () => getComputedStyle(document.documentElement).getPropertyValue('--accent').trim();

test.each(PLACES)(
  'on $where the theme is changed from the first page: the preview follows at once in light and dark, the payment page when saved',
  async ({ options, most }) => {
    const merchant = await shop.merchant();
    const order = await shop.order(merchant);
    const page = await openInside(scene, merchant.account, '/console', options);
    const clicks = await countClicks(page);
    await goTo(page, 'Shop');
    await page.getByLabel('Name of the shop').fill('Red Kettle');
    await page.getByLabel('Main colour', { exact: true }).fill(RED);
    const frames = page.frames().filter((frame) => frame.url().endsWith('/console/shop/preview'));
    expect(frames).toHaveLength(2);
    for (const frame of frames) {
      await frame.locator('bdi').getByText('Red Kettle').first().waitFor();
      // The amount and the items stay what they are.
      await frame.locator('bdi').getByText('$64.12').first().waitFor();
      await frame.locator('bdi').getByText('Stoneware mug').waitFor({ state: 'attached' });
      expect(await frame.evaluate(() => document.body.inert)).toBe(true);
    }
    expect(await frames[0]!.evaluate(accentOf)).toBe(RED);
    expect(await frames[1]!.evaluate(accentOf)).not.toBe(RED);
    await expectWellMade(page);
    await page.getByRole('button', { name: 'Save the look' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await clicks()).toBeLessThanOrEqual(most);
    const portal = await visit(browser, order.url);
    expect(await portal.evaluate(accentOf)).toBe(RED);
  },
);

test('on a tablet the preview stands beside the form, and no third of the page is empty', async () => {
  for (const width of [660, 768, 1024]) {
    const page = await openInside(scene, merchant.account, '/console/shop', { viewport: { width, height: 1024 } });
    await page.locator('.previews iframe').first().waitFor();
    const [form, previews] = [
      await page.locator('.look form').boundingBox(),
      await page.locator('.previews').boundingBox(),
    ];
    expect(Math.abs(form!.y - previews!.y)).toBeLessThan(2);
    expect(form!.x + form!.width).toBeLessThan(previews!.x);
    expect(width - previews!.x - previews!.width).toBeLessThan(48);
  }
});

test('a shop without a name of its own shows the one that it was registered with, as buyers see it', async () => {
  const registered = await shop.merchant('Mühle & Brot');
  const page = await openInside(scene, registered.account, '/console/shop');
  await expect.poll(() => page.getByLabel('Name of the shop').inputValue()).toBe('Mühle & Brot');
  const preview = page.frameLocator('iframe').first();
  await preview.locator('bdi').getByText('Mühle & Brot').first().waitFor();
  await page.getByLabel('Name of the shop').fill('');
  await preview.locator('bdi').getByText('Mühle & Brot').first().waitFor();
});

test('the preview has no script and no data of a merchant, and no other site may frame it', async () => {
  const { status, headers, body } = await shop.server.call('GET', '/console/shop/preview', {});
  expect([status, headers.get('x-frame-options')]).toEqual([200, 'SAMEORIGIN']);
  const policy = headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'self'");
  expect(policy).not.toContain('script-src');
  expect(String(body)).not.toMatch(/<script|page-token|Red Kettle/);
});

test('what is said of the shop is asked for at set-up, edited on its page, printed on receipts and named where a request has ended', async () => {
  const said = await shop.merchant('Mühle');
  const page = await openInside(scene, said.account, '/console/start?step=name');
  await page.getByLabel('E-mail for buyers').fill('hallo@muehle.example');
  await page.getByLabel('Address', { exact: true }).fill('Mühlenweg 1\n10115 Berlin');
  await page.getByLabel('Time zone').selectOption('Europe/Berlin');
  await expectWellMade(page);
  await page.getByRole('button', { name: 'Save and go on' }).click();
  await page.getByRole('heading', { name: 'Logo' }).waitFor();
  await page.goto(`${shop.server.url}/console/shop?show=about`);
  await expect.poll(() => page.getByLabel('E-mail for buyers').inputValue()).toBe('hallo@muehle.example');
  expect(await page.getByLabel('Time zone').inputValue()).toBe('Europe/Berlin');
  await page.getByLabel('Tax number').fill('DE 123456789');
  await expectWellMade(page);
  await page.getByRole('button', { name: 'Save what is said of the shop' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();

  const order = await shop.order(said);
  const portal = await visit(browser, order.url);
  await portal.getByRole('button', { name: 'Pay with a test wallet' }).click();
  await reaches(portal, 'completed');
  await portal.getByRole('link', { name: 'Print or save the receipt' }).click();
  const from = portal.getByRole('region', { name: 'From' });
  for (const line of ['Mühlenweg 1', '10115 Berlin', 'Tax number DE 123456789']) await from.getByText(line).waitFor();
});

test('where the shop bears the fee and prices contain the tax, what is typed is charged, paid and printed', async () => {
  const bearing = await shop.merchant('Kiosk');
  const page = await openInside(scene, bearing.account, '/console/shop?show=rules');
  await page.getByLabel('The processing fee', { exact: true }).selectOption('shop');
  await page.getByLabel('Your part of the processing fee').fill('1.5');
  await page.getByLabel('Prices and typed amounts contain the tax').check();
  await page.getByRole('button', { name: 'Save these settings' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.goto(`${shop.server.url}/console/till`);
  await page.getByLabel('Tax').selectOption('Germany · 19%');
  await page.keyboard.type('1250');
  await page.getByText('$12.50 is charged').waitFor();
  await page.getByRole('button', { name: 'Charge $12.50' }).click();
  await page.getByText('Scan to pay').waitFor();
  // 12.50 × 2 / 102 is the fee, and 19 / 119 of the rest the tax.
  const lines = await page.locator('.till-lines li').allInnerTexts();
  expect(lines).toEqual(['Payment $10.29', 'Tax $1.96', 'Processing Fee $0.25']);
  const receiptId = new URL(page.url()).searchParams.get('receipt');

  const portal = await visit(browser, `${shop.server.url}/portal/${receiptId}?recipient=${bearing.wallet}&lang=de`);
  await portal.getByRole('button', { name: wordsOf('payment', 'de')('wallet.test') }).click();
  await reaches(portal, 'completed');
  const textsOf = (selector: string) =>
    portal
      .locator(selector)
      .evaluateAll((all) => all.map((each) => (each.textContent ?? '').replaceAll(/\s+/g, ' ').trim()));
  expect(await textsOf('#items .line, #items .sum')).toEqual([
    'Zahlung10,29 $',
    'Steuer 19 %, DE1,96 $',
    'Bearbeitungsgebühr0,25 $',
    'Gesamtbetrag12,50 $',
  ]);
  await portal.getByText('12.50 USDC').first().waitFor();
  await portal.getByRole('link', { name: wordsOf('payment', 'de')('print') }).click();
  await portal.locator('.lines').waitFor();
  expect(await textsOf('.lines tbody tr, .lines tfoot tr')).toEqual([
    'Zahlung110,29 $',
    'Zwischensumme10,29 $',
    'Steuer DE · 19 %1,96 $',
    'Bearbeitungsgebühr0,25 $',
    'Gesamtbetrag12,50 $',
  ]);
  await page.getByText('Paid', { exact: true }).waitFor();
});

test('payment settings and a tax rate of one’s own are saved, and wrong numbers are named', async () => {
  const page = await openInside(scene, merchant.account, '/console/shop?show=rules');
  const late = page.getByLabel('Late money still pays for, in hours');
  await late.fill('1000');
  await page.getByText('A number from 0 to 720').waitFor();
  await late.fill('48');
  await page.getByLabel('Orders hold the stock').check();
  await expectWellMade(page);
  await page.getByRole('button', { name: 'Save these settings' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  const { body } = await shop.server.call('GET', '/api/shop/config', { headers: merchant.auth });
  expect(body.config).toMatchObject({ lateHours: 48, holdStock: true });

  await page.getByRole('link', { name: 'Tax', exact: true }).click();
  await page.getByLabel('Code, such as DE or US-CA').fill('DE');
  await page.getByLabel('Rate in percent').fill('19');
  await expectWellMade(page);
  await page.getByRole('button', { name: 'Save 19% for DE' }).click();
  const own = page.locator('.tax-row').filter({ hasText: 'DE · your own' });
  await own.filter({ hasText: '19%' }).waitFor();
  // A public rate has nothing to remove.
  const remove = page.getByRole('button', { name: 'Remove my own rate' });
  await page.getByRole('button', { name: 'France', exact: true }).click();
  await page.getByRole('button', { name: 'Save 20% for FR' }).waitFor();
  expect(await remove.count()).toBe(0);
  await own.getByRole('button').click();
  await remove.click();
  await own.waitFor({ state: 'detached' });
});

test('the merchant chooses what buyers may pay in, and the payment page follows the order', async () => {
  const page = await openInside(scene, merchant.account, '/console/shop?show=networks');
  await page.getByLabel('Buyers may pay in every token').uncheck();
  await page.getByRole('checkbox', { name: 'USDT on the local test chain' }).uncheck();
  await page.getByRole('button', { name: 'Move ETH on the local test chain up' }).click();
  await page.getByRole('button', { name: 'Move ETH on the local test chain up' }).click();
  await expectWellMade(page);
  await page.getByRole('button', { name: 'Save what buyers may pay in' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  const portal = await visit(browser, (await shop.order(merchant)).url);
  const tokens = await portal.locator('input[name=token]').evaluateAll((all) => all.map((each) => each.id));
  expect(tokens).toEqual(['token-ETH', 'token-USDC']);
});

test('a merchant whose tokens the server accepts no more reads it on the first page, and where to choose others', async () => {
  const stranded = await shop.merchant('Stranded Coffee');
  const gone = JSON.stringify({ paymentTokens: [{ chainId: shop.server.deps.chain.chainId, token: 'GONE' }] });
  await shop.server.deps.db.orm.em
    .fork()
    .getConnection()
    .execute('update merchants set shop = shop || ?::jsonb where wallet = ?', [gone, stranded.wallet]);
  const page = await openInside(scene, stranded.account);
  await page.getByRole('list', { name: 'Needs you' }).getByRole('link', { name: 'Buyers cannot pay' }).click();
  await page.getByText('this server accepts nothing that you chose any more').waitFor();
  await expectWellMade(page);
  await page.getByRole('checkbox', { name: 'USDC on the local test chain' }).check();
  await page.getByRole('button', { name: 'Save what buyers may pay in' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Home' }).first().click();
  await page.getByText('Nothing. Everything is running by itself.').waitFor();
});
