import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectWellMade } from '../browser.ts';
import { openScene } from '../scene.ts';
import { englishTexts } from './german.ts';
import { openInside, openSignedOut, signIn } from './inside.ts';

const scene = await openScene();
const { shop } = scene;
const merchant = await shop.merchant();
await shop.order(merchant, { buyerEmail: 'ada@lovelace.dev' });

const languageIn = (page: Page) => page.locator('html').getAttribute('lang');

/** The language of the document for a request with these headers. */
async function answered(path: string, headers: Record<string, string>): Promise<string | null> {
  const response = await fetch(shop.server.url + path, { headers });
  const language = response.headers.get('content-language');
  expect(await response.text()).toContain(`<html lang="${language}"`);
  return language;
}

test.each([
  ['German by the browser', '/console', { 'accept-language': 'de-AT,en;q=0.5' }, 'de'],
  ['the first that there is', '/console', { 'accept-language': 'fr,ar;q=0.9,de;q=0.8,en;q=0.7' }, 'de'],
  ['English without any that there is', '/console', { 'accept-language': 'ja,ar;q=0.9' }, 'en'],
  ['English without a header', '/console', {}, 'en'],
  ['the chosen one before that of the browser', '/console', { cookie: 'a=b; cb_console_language=de' }, 'de'],
  ['that of the address before the chosen one', '/console?lang=en', { cookie: 'cb_console_language=de' }, 'en'],
  ['English for a language that the console is not in', '/console?lang=ar', { 'accept-language': 'de' }, 'en'],
  ['the language also where there is no page', '/console/nothing?lang=de', {}, 'de'],
])('the document is in %s', async (_, path, headers, language) => {
  expect(await answered(path, headers)).toBe(language);
});

test('an Arab browser reads English with Latin digits, in dates, amounts and counts', async () => {
  const page = await openInside(scene, merchant.account, '/console', { locale: 'ar-EG' });
  for (const path of ['/console', '/console/receipts', '/console/catalog', '/console/audit', '/console/till']) {
    await page.goto(shop.server.url + path);
    await page.locator('h1:not([aria-busy="true"] *)').waitFor();
    await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
    expect(await languageIn(page)).toBe('en');
    const typed = await page
      .locator('input')
      .evaluateAll((inputs: HTMLInputElement[]) => inputs.map(({ value }) => value));
    const text = [await page.locator('body').innerText(), ...typed].join('\n');
    expect(text).toMatch(/\d/);
    expect(text.match(/[\p{Nd}\p{Script=Arabic}]/gu)?.filter((sign) => !/\d/.test(sign))).toEqual([]);
  }
});

test('a reader chooses the language before and after signing in, and it stays', async () => {
  const page = await openSignedOut(scene, merchant.account, '/console/receipts');
  const choose = (name: string) =>
    page
      .getByRole('navigation', { name: /^(Language|Sprache)$/ })
      .getByRole('button', { name })
      .click();
  expect(await languageIn(page)).toBe('en');
  await choose('Deutsch');
  await page.getByRole('heading', { name: 'Bei Ihrem Shop anmelden' }).waitFor();
  expect(await page.title()).toMatch(/^Konsole · /);
  expect(await englishTexts(page)).toEqual([]);
  await expectWellMade(page);
  await signIn(page);
  await page.getByRole('heading', { name: 'Belege', level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/receipts');
  await page.goto(`${shop.server.url}/console/account?lang=de`);
  await page.getByText('Die Texte dieser Sprache hat noch kein Muttersprachler geprüft.').waitFor();
  await choose('English');
  await page.getByRole('heading', { name: 'Your account' }).waitFor();
  expect(page.url()).toBe(`${shop.server.url}/console/account`);
  await page.goto(`${shop.server.url}/console`);
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
});

test('the language that an address names stays on the next page', async () => {
  const page = await openSignedOut(scene, merchant.account, '/console?lang=de');
  await signIn(page);
  await page.goto(`${shop.server.url}/console/catalog`);
  await page.getByRole('heading', { name: 'Katalog', level: 1 }).waitFor();
});

test.each([
  [{ code: 'datastore_unavailable' }, 'Die Datenbank ist vorübergehend nicht erreichbar'],
  [{ code: 'a_newer_code' }, 'Der Server nimmt diese Eingabe nicht an'],
  [{ code: 'invalid_input', field: 'deliveryId' }, 'Der Server nimmt diese Eingabe nicht an'],
  [{ code: 'invalid_input', field: 'recipients[2].sharesBps' }, 'Anteil: Die Angabe fehlt'],
  [{ code: 'invalid_input', field: 'items[0]' }, 'Produkte: Die Angabe fehlt'],
  [{ code: 'invalid_input', reason: 'too_many', most: 1000 }, 'Mehr als 1.000 sind nicht möglich'],
  [{ code: 'invalid_usd', field: 'usd', refundableUsd: 1234.5 }, 'Höchstens 1.234,50'],
])('the German console has no English sentence of the server for %o', async (extensions, text) => {
  const page = await openInside(scene, merchant.account, '/console/catalog', { locale: 'de-DE' });
  await page.route('**/api/graphql', (route) =>
    route.fulfill({ json: { data: null, errors: [{ message: 'As the server says', extensions }] } }),
  );
  await page.getByRole('link', { name: 'Zahlungslinks' }).click();
  await page.getByText(text).first().waitFor();
  expect(await page.locator('body').innerText()).not.toContain('As the server says');
});

test('what forms send and the server refuses is refused in German', async () => {
  const page = await openInside(scene, merchant.account, '/console/developers', { locale: 'de-DE' });
  await page.getByText('Schlüssel ausstellen').first().click();
  const issue = page.getByRole('button', { name: 'Schlüssel ausstellen' }).last();
  await page.getByLabel('Gültig bis').fill('2020-01-01');
  await issue.click();
  await page.getByText('Dieser Zeitpunkt ist vorbei').waitFor();
  await page.getByLabel('Gültig bis').fill('');
  await page.getByText('Einschränken, von wo er verwendet wird').click();
  await page.getByLabel('Netzwerkadressen').fill('nowhere');
  await issue.click();
  await page.getByText('Adressen: Die Angabe fehlt').waitFor();

  await page.goto(`${shop.server.url}/console/shop?show=tax`);
  await page.getByLabel('Code, wie DE').fill('Ä Ö');
  await page.getByLabel('Satz in Prozent').fill('19');
  await page.getByRole('button', { name: /speichern$/ }).click();
  await page.getByText('Code: Die Angabe fehlt').waitFor();

  await page.goto(`${shop.server.url}/console/shop?show=about`);
  await page.getByLabel('Webseite für Fragen').fill('https://');
  await page.getByRole('button', { name: 'Angaben zum Shop speichern' }).click();
  await page.getByText('Webseite für Fragen: Die Angabe fehlt').waitFor();
  expect(await englishTexts(page)).toEqual([]);
});

test('the till that a phone installs has the name of its language', async () => {
  const page = await openSignedOut(scene, merchant.account, '/console?lang=de');
  const href = await page.locator('link[rel="manifest"]').getAttribute('href');
  const manifest = (await (await fetch(new URL(href!, shop.server.url))).json()) as Record<string, unknown>;
  expect(manifest).toMatchObject({ lang: 'de', short_name: 'Kasse' });
});
