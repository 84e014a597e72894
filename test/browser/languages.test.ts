import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { FILES } from '../../src/base/core/messages/generated/files.ts';
import { directionOf, LANGUAGES, type Language } from '../../src/base/core/messages/languages.ts';
import { wordsOf } from '../../src/base/core/messages/words.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { ask } from '../graphql/ask.ts';
import { makePlan } from '../support/subscriber.ts';
import { expectAccessible, expectWellMade, narrow, reaches, readRequest, visit } from './browser.ts';
import { openScene } from './scene.ts';
import { injectWallet } from './wallet.ts';

const { shop, browser } = await openScene();
const merchant = await shop.merchant();

/** The texts between the placeholders of the English messages that a page may show, if they are long enough to tell. */
const ENGLISH = (
  ['payment', 'order', 'receipt', 'wallet', 'failures', 'pages', 'sandbox', 'subscribe'] as const
).flatMap((area) =>
  Object.values(FILES[area].en).flatMap((text) =>
    typeof text === 'string' ? text.split(/\{.*\}/).filter((part) => part.trim().split(' ').length > 2) : [],
  ),
);

/** What a page in a language shows: nothing of English, its language and direction, and digits that a wallet takes. */
async function expectReadIn(page: Page, language: Language, least = 4): Promise<void> {
  const root = page.locator('html');
  expect([await root.getAttribute('lang'), await root.getAttribute('dir')]).toEqual([language, directionOf(language)]);
  expect(await page.locator('link[hreflang]').count()).toBe(LANGUAGES.length);
  const text = await page.evaluate(() => document.body.innerText);
  expect(text).not.toMatch(/[\u0660-\u0669\u06f0-\u06f9]/);
  const english = ENGLISH.filter((part) => text.includes(part));
  if (language === 'en') expect(english.length).toBeGreaterThanOrEqual(least);
  else expect(english).toEqual([]);
}

/** Tells the server that the payment failed, as the script does after a wallet has said so. */
const reportFailure = (page: Page, receiptId: string) =>
  page.evaluate(async (id) => {
    const token = document.querySelector<HTMLMetaElement>('meta[name="page-token"]')?.content;
    const query = `mutation { reportFailure(receiptId: "${id}", code: PORTAL_CHAIN_INSUFFICIENT_BALANCE) { receiptId } }`;
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    await fetch('/api/graphql', { method: 'POST', headers, body: JSON.stringify({ query }) });
  }, receiptId);

/** The document's own width, and each button, step or summary whose text leaves it. */
const overflowOf = (page: Page) =>
  page.evaluate(() => {
    const cut = [...document.querySelectorAll<HTMLElement>('.button, .step, summary, .segment span')];
    return [
      ...cut.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.innerText),
      ...(document.documentElement.scrollWidth > innerWidth
        ? [`the page is ${document.documentElement.scrollWidth}`]
        : []),
    ];
  });

/** Writes every word of a page 40 % longer, except what is not translated. */
const lengthen = (page: Page) =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) texts.push(node as Text);
    for (const text of texts)
      if (!text.parentElement?.closest('bdi, time, svg, .languages, .host'))
        text.data = text.data.replaceAll(/\p{L}{3,}/gu, (word) => word + word.slice(0, Math.ceil(word.length * 0.4)));
  });

test.each(LANGUAGES)('a buyer who reads %s pays with the script, and reads nothing in English', async (language) => {
  const say = wordsOf('payment', language);
  const order = await shop.order(merchant, { returnUrl: 'https://shop.example/thanks' });
  const page = await visit(browser, `${order.url}&lang=${language}`);
  await page.getByRole('heading', { name: say('title') }).waitFor();
  await expectReadIn(page, language);
  await page.getByRole('button', { name: say('copy', { what: 'amount' }) }).waitFor();
  await page.getByRole('button', { name: say('wallet.test') }).click();
  await page.getByRole('button', { name: say('stay') }).click();
  await reaches(page, 'completed');
  await page.getByRole('heading', { name: say('completed') }).waitFor();
  await page.getByRole('heading', { name: wordsOf('receipt', language)('settled') }).waitFor();
  await expectReadIn(page, language);
  await expect
    .poll(() => page.title())
    .toBe(say('paidTitle', { title: (await page.title()).split(' · ').slice(1).join(' · ') }));
  const printed = page.getByRole('link', { name: say('print') });
  expect(await printed.getAttribute('href')).toContain(`lang=${language}`);
  await page.goto(new URL((await printed.getAttribute('href'))!, order.url).href);
  await expectReadIn(page, language);
  await page.getByText(wordsOf('pages', language)('chain.local')).first().waitFor();
});

test.each(LANGUAGES)('a buyer who reads %s pays without the script, and stays in the language', async (language) => {
  const say = wordsOf('payment', language);
  const order = await shop.order(merchant);
  const page = await visit(browser, order.url, { javaScriptEnabled: false });
  await page.locator(`nav a[hreflang="${language}"]`).click();
  await page.getByRole('heading', { name: say('title') }).waitFor();
  await page.getByRole('radio', { name: 'USDT' }).check();
  await page.getByRole('button', { name: say('plain.show') }).click();
  await page.locator('#amount', { hasText: 'USDT' }).waitFor();
  expect(await page.locator('.qr svg').getAttribute('aria-label')).toBe(say('qr'));
  const { amount, payTo } = await readRequest(page, 6);
  const account = await shop.buyer({ USDT: amount });
  await shop.transfer(account, 'USDT', payTo.toLowerCase() as Wallet, amount);
  await expect.poll(() => order.status(), { timeout: 30_000 }).toBe('completed');
  await page.getByRole('link', { name: say('plain.check') }).click();
  await page.getByRole('heading', { name: say('completed') }).waitFor();
  expect(new URL(page.url()).searchParams.get('lang')).toBe(language);
  await expectReadIn(page, language);
});

test('a failure of a payment is read in the language, without a load', async () => {
  const order = await shop.order(merchant);
  const page = await visit(browser, `${order.url}&lang=de`);
  await reportFailure(page, order.receiptId);
  await reaches(page, 'failed');
  await page.getByText(wordsOf('failures', 'de')('PORTAL_CHAIN_INSUFFICIENT_BALANCE')).first().waitFor();
  await page.getByRole('heading', { name: wordsOf('payment', 'de')('failed') }).waitFor();
  await expectReadIn(page, 'de');
});

test('a buyer who pays with a card reads the sandbox in the language of the page, and comes back to it', async () => {
  const say = wordsOf('sandbox', 'fr');
  const order = await shop.order(merchant);
  const page = await visit(browser, `${order.url}&lang=fr`);
  await page.getByRole('button', { name: wordsOf('payment', 'fr')('card.test') }).click();
  await page.getByRole('heading', { name: say('title') }).waitFor();
  await expectReadIn(page, 'fr');
  await expectWellMade(page);
  await page.getByLabel(say('fail.how')).selectOption('PORTAL_PAY_INSUFFICIENT_FUNDS');
  await page.getByRole('button', { name: say('fail'), exact: true }).click();
  await reaches(page, 'failed');
  await page.getByText(wordsOf('failures', 'fr')('PORTAL_PAY_INSUFFICIENT_FUNDS')).first().waitFor();
  await expectReadIn(page, 'fr');
});

test('that the server is away is read in the language', async () => {
  const order = await shop.order(merchant);
  const page = await visit(browser, `${order.url}&lang=de`, { denied: /ERR_INTERNET_DISCONNECTED|WebSocket/ });
  await page.context().setOffline(true);
  await page.locator('label', { hasText: 'USDT' }).click();
  await page.getByText(wordsOf('wallet', 'de')('unreachable')).waitFor();
  await expectReadIn(page, 'de');
});

test.each(['ar', 'de'] as const)(
  '%s with words that are 40 % longer fits a small phone in each state',
  async (language) => {
    const order = await shop.order(merchant, { returnUrl: 'https://shop.example/thanks' });
    const page = await visit(browser, `${order.url}&lang=${language}`, { viewport: narrow });
    await expectWellMade(page);
    await page.setViewportSize(narrow);
    for (const fold of await page.locator('summary:visible').all()) await fold.click();
    await lengthen(page);
    expect(await overflowOf(page)).toEqual([]);
    await page.locator('[data-action="pay-test"]').click();
    await page.locator('#stay').waitFor();
    await lengthen(page);
    expect(await overflowOf(page)).toEqual([]);
    await page.locator('#stay').click();
    await reaches(page, 'completed');
    await expectWellMade(page);
    await page.setViewportSize(narrow);
    await lengthen(page);
    expect(await overflowOf(page)).toEqual([]);
  },
);

test.each(LANGUAGES)('in %s each other page fits a small phone with longer words, too', async (language) => {
  const [paid, plan, session] = await Promise.all([
    shop.order(merchant),
    makePlan(shop.server, merchant),
    shop.server.signIn(merchant.account),
  ]);
  const complete = "update receipts set status = 'completed', closed_at = created_at where id = ?";
  await shop.server.deps.db.orm.em.fork().execute(complete, [paid.receiptId]);
  const link = 'mutation { createPaymentLink(input: { name: "Bread", content: { amount: 4 } }) { linkId } }';
  const { linkId } = (await ask(shop.server, session, link)).body.data.createPaymentLink;
  const printed = paid.url.replace('?', `/receipt?lang=${language}&`);
  const page = await visit(browser, printed, { viewport: narrow, denied: /404/ });
  const paths = [`/subscribe/${plan.planId}`, `/pay/${linkId}`, '/live', '/portal/nothing', '/nowhere'];
  for (const path of [null, ...paths]) {
    if (path !== null) await page.goto(`${shop.server.url}${path}?lang=${language}`);
    await expectReadIn(page, language, 0);
    await lengthen(page);
    expect(await overflowOf(page), path ?? 'receipt').toEqual([]);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page);
    }
  }
});

test('the progress, the leaders and the halves of the page are mirrored where it is read from right to left', async () => {
  const order = await shop.order(merchant);
  const page = await visit(browser, `${order.url}&lang=ar`);
  const left = async (selector: string) => (await page.locator(selector).first().boundingBox())!.x;
  expect(await left('.step')).toBeGreaterThan(await left('.step:last-child'));
  expect(await left('.head')).toBeGreaterThan(await left('.pay'));
  expect(await left('.line .label')).toBeGreaterThan(await left('.line .price'));
  const right = async (selector: string) => {
    const { x, width } = (await page.locator(selector).boundingBox())!;
    return Math.round(x + width);
  };
  expect(await right('.total bdi')).toBe(await right('#total-label'));
  expect(await page.locator('#address bdi').evaluate((one) => getComputedStyle(one).direction)).toBe('ltr');
  expect(await page.locator('#amount bdi').evaluate((one) => getComputedStyle(one).direction)).toBe('ltr');
});

test.each(LANGUAGES)('a customer who reads %s subscribes, is charged, and stays in the language', async (language) => {
  const say = wordsOf('subscribe', language);
  const seller = await shop.merchant();
  const plan = await makePlan(shop.server, seller);
  const customer = await shop.buyer({ USDC: 100_000_000n });
  const page = await visit(browser, `${shop.server.url}/subscribe/${plan.planId}?lang=${language}`, {
    viewport: { width: 320, height: 740 },
    before: (opened) => injectWallet(opened, shop, customer, { name: 'Rainy Day' }),
  });
  const press = (name: string) => page.getByRole('button', { name }).click();
  const expectGood = async () => {
    await expectReadIn(page, language);
    expect(await overflowOf(page)).toEqual([]);
    await expectAccessible(page);
  };
  await expectGood();
  await press(say('connect', { wallet: 'Rainy Day' }));
  // It is announced in the words of the page.
  await page.getByText(say('almost')).first().waitFor();
  await expectGood();
  await press(say('allow', { token: 'USDC' }));
  await page
    .getByText(say('allowed', { token: 'USDC' }))
    .first()
    .waitFor();
  await page.locator('#subscribe').click();
  await reaches(page, 'active');
  expect(new URL(page.url()).searchParams.get('lang')).toBe(language);
  await page.reload();
  await page.getByRole('heading', { name: say('active.title') }).waitFor();
  await expectGood();
  await press(say('cancel'));
  await page.getByRole('heading', { name: say('cancel.title') }).waitFor();
  await press(say('cancel.yes'));
  await page.getByRole('heading', { name: say('cancelled.title') }).waitFor();
  await expectGood();
});
