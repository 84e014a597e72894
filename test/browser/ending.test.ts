import { expect, test } from 'vitest';
import { expectWellMade, reaches, stageOf, visit } from './browser.ts';
import { openScene } from './scene.ts';

const MINUTE_MS = 60_000;

let shiftMs = 0;
const { shop, browser } = await openScene({ clock: () => Date.now() + shiftMs });

test('the page counts down in the last hour, says when the request has ended, and renews it for a payment', async () => {
  const merchant = await shop.merchant('Kaldi Coffee Roasters', { allowRenewal: true });
  const order = await shop.order(merchant, { expiresInMinutes: 61 });
  const page = await visit(browser, order.url, { before: ({ clock }) => clock.install() });
  expect(await page.locator('#deadline').count()).toBe(0);
  await page.clock.fastForward(2 * MINUTE_MS);
  await page.locator('#deadline').waitFor();
  expect(await page.locator('#deadline').innerText()).toMatch(/Pay until .+, within 5\d:\d\d/);

  // The page ends by itself, also before the server has ended the receipt.
  await page.clock.fastForward(60 * MINUTE_MS);
  await reaches(page, 'ended');
  expect(await page.locator('#amount, #address').count()).toBe(0);

  shiftMs += 62 * MINUTE_MS;
  await expect.poll(order.status, { timeout: 60_000 }).toBe('failed');
  const later = await visit(browser, order.url);
  expect(await stageOf(later)).toBe('ended');
  await expectWellMade(later);
  await later.getByRole('button', { name: 'Get a new price' }).click();
  await reaches(later, 'waiting');
  await later.getByRole('button', { name: 'Pay with a test wallet' }).click();
  await reaches(later, 'completed');
});

test('an open page renews its quote every half hour, with its amount and without a change of the receipt', async () => {
  const merchant = await shop.merchant('Kaldi Coffee Roasters');
  const order = await shop.order(merchant);
  const page = await visit(browser, order.url, { before: ({ clock }) => clock.install() });
  const amount = await page.locator('#amount').innerText();
  for (let renewals = 0; renewals < 2; renewals++) {
    const answer = page.waitForResponse((response) => /PortalRenewQuote/.test(response.request().postData() ?? ''));
    shiftMs += 30 * MINUTE_MS;
    await page.clock.fastForward(30 * MINUTE_MS);
    const { data } = await (await answer).json();
    const heldMs = data.renewQuote.expiresAt - (Date.now() + shiftMs);
    expect(Math.abs(heldMs - 24 * 60 * MINUTE_MS)).toBeLessThan(10 * MINUTE_MS);
  }
  expect(await page.locator('#amount').innerText()).toBe(amount);
  expect(await order.status()).toBe('generated');
});

test.each([true, false])(
  'an expired page is calm, names the shop’s contact and makes a new order with one press (script: %s)',
  async (javaScriptEnabled) => {
    const merchant = await shop.merchant('Kaldi Coffee Roasters', {});
    await shop.server.call('POST', '/api/graphql', {
      headers: await shop.server.signIn(merchant.account),
      body: {
        query: 'mutation ($input: ShopProfileInput!) { updateShopProfile(input: $input) { name } }',
        variables: { input: { contactEmail: 'hello@kaldi.example', contactPhone: '+1 555 0100' } },
      },
    });
    const order = await shop.order(merchant, { expiresInMinutes: 5 });
    shiftMs += 6 * MINUTE_MS;
    await expect.poll(order.status, { timeout: 60_000 }).toBe('failed');
    const page = await visit(browser, order.url, { javaScriptEnabled });
    expect(await stageOf(page)).toBe('ended');
    if (javaScriptEnabled) await expectWellMade(page);
    const text = await page.locator('main').innerText();
    expect(text).toContain('This payment request has ended');
    expect(text).not.toMatch(/failed|e-mail address \(optional\)/i);
    expect(await page.locator('.step-bad').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'hello@kaldi.example' }).getAttribute('href')).toBe(
      'mailto:hello@kaldi.example',
    );
    await page.getByRole('button', { name: 'New request' }).click();
    await page.waitForURL((url) => !url.pathname.includes(order.receiptId));
    expect(await stageOf(page)).toBe('waiting');
    expect(await page.locator('.total').innerText()).toBe(`$${order.totalUsd.toFixed(2)}`);
  },
);

test('a request that the shop has closed asks for no payment, while the page is open and later', async () => {
  const merchant = await shop.merchant('Kaldi Coffee Roasters');
  const order = await shop.order(merchant);
  const page = await visit(browser, order.url);
  await shop.server.call('POST', '/api/graphql', {
    headers: await shop.server.signIn(merchant.account),
    body: {
      query: 'mutation ($id: ID!) { voidReceipt(receiptId: $id) { status } }',
      variables: { id: order.receiptId },
    },
  });
  await reaches(page, 'ended');
  await page.getByText('The shop has closed this request').waitFor();
  expect(await page.getByRole('button', { name: 'Get a new price' }).count()).toBe(0);
  await page.reload();
  expect(await stageOf(page)).toBe('ended');
});

test('a buyer at a receipt that was replaced goes to the new one, from an open page and later, in each language', async () => {
  const merchant = await shop.merchant('Kaldi Coffee Roasters');
  const order = await shop.order(merchant);
  const page = await visit(browser, order.url);
  const answer = await shop.server.call('POST', '/api/receipts/replace', {
    headers: merchant.auth,
    body: { receiptId: order.receiptId, items: [{ sku: 'MUG', qty: 2 }] },
  });
  await page.getByText('The shop has closed this request').waitFor();
  await page.getByRole('link', { name: 'Go to the new request' }).click();
  await reaches(page, 'waiting');
  expect(new URL(page.url()).pathname).toBe(`/portal/${answer.body.receipt.receiptId}`);
  for (const [language, text] of [
    ['de', 'Zur neuen Anforderung'],
    ['fr', 'Voir la nouvelle demande'],
    ['es', 'Ver la nueva solicitud'],
    ['ar', 'الانتقال إلى الطلب الجديد'],
  ]) {
    const later = await visit(browser, `${order.url}&lang=${language}`, { javaScriptEnabled: language !== 'de' });
    if (language !== 'de') await expectWellMade(later);
    const href = await later.getByRole('link', { name: text }).getAttribute('href');
    expect(href).toBe(`/portal/${answer.body.receipt.receiptId}?recipient=${merchant.wallet}&lang=${language}`);
  }
});
