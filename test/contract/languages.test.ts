import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LANGUAGES } from '../../src/base/core/messages/languages.ts';
import { wordsOf } from '../../src/base/core/messages/words.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { makePlan } from '../support/subscriber.ts';

let server: TestServer;
/** The path of a plan's page. */
let planPath: string;
beforeAll(async () => {
  server = await startTestServer();
  const { planId } = await makePlan(server, await server.merchant());
  planPath = `/subscribe/${planId}`;
});
afterAll(() => server.stop());

/** A page as a browser with these languages gets it. */
async function page(path: string, accepted?: string) {
  const headers = { accept: 'text/html', ...(accepted !== undefined && { 'accept-language': accepted }) };
  const { body, headers: answered } = await server.call('GET', path, { headers });
  return { body: String(body), language: answered.get('content-language') };
}

/** A paid receipt in a language, and the path of its printed form. */
async function paidReceipt(id: string, language?: string): Promise<string> {
  const merchant = await server.merchant();
  const receipt = { lineItems: [{ label: 'Tea', priceUsd: 5 }], id, language };
  const { body } = await server.call('POST', '/api/receipts', { headers: merchant.auth, body: receipt });
  const read = await server.call('GET', `/api/receipts/${id}`, { headers: merchant.auth });
  expect(read.body.language).toBe(language);
  await server.deps.db.orm.em
    .fork()
    .execute("update receipts set status = 'completed', closed_at = created_at where id = ?", [id]);
  const { pathname, search } = new URL(body.paymentUrl);
  return `${pathname}/receipt${search}`;
}

test.each(LANGUAGES)(
  'in %s a page names its language and direction, and where it is in each other one',
  async (lang) => {
    for (const path of ['/live', '/portal/nothing', '/subscribe/nothing', planPath, '/nowhere/at/all']) {
      const { body, language } = await page(`${path}?lang=${lang}`, 'ja, text/html');
      expect(language, path).toBe(lang);
      expect(body, path).toContain(`<html lang="${lang}" dir="${lang === 'ar' ? 'rtl' : 'ltr'}">`);
      for (const other of LANGUAGES) {
        expect(body, path).toContain(`<link rel="alternate" hreflang="${other}" href="?lang=${other}">`);
        expect(body, path).toContain(`<a href="?lang=${other}" hreflang="${other}"`);
      }
    }
    expect((await page('/live', lang)).body).toContain(wordsOf('live', lang)('title'));
    expect((await page(planPath, lang)).body).toContain(wordsOf('subscribe', lang)('offer.title'));
  },
);

test('the address counts before the receipt, the receipt before the browser, and the browser before the shop', async () => {
  const [french, plain, japanese] = await Promise.all([
    paidReceipt('french', 'fr-CA'),
    paidReceipt('plain'),
    // There are no pages in Japanese.
    paidReceipt('japanese', 'ja'),
  ]);
  /** The languages of the printed receipt and of the payment page, which are the same. */
  const languageOf = async (printed: string, accepted?: string) => {
    const [one, other] = await Promise.all(
      [printed, printed.replace('/receipt?', '?')].map((path) => page(path, accepted)),
    );
    expect(other!.language).toBe(one!.language);
    return one!.language;
  };
  expect(await languageOf(`${french}&lang=de`, 'es')).toBe('de');
  expect(await languageOf(french, 'es')).toBe('fr');
  expect(await languageOf(plain, 'ja, es;q=0.5')).toBe('es');
  expect(await languageOf(plain)).toBe('en');
  const german = `update merchants set shop = shop || '{"language": "de"}'`;
  await server.deps.db.orm.em.fork().execute(german);
  expect([await languageOf(plain), await languageOf(plain, 'es')]).toEqual(['de', 'es']);
  expect(await languageOf(japanese, 'ar')).toBe('ar');
  expect([(await page(planPath)).language, (await page(planPath, 'es')).language]).toEqual(['de', 'es']);
});

test('what names no language changes nothing', async () => {
  for (const lang of ['', 'xx', '%3Cscript%3E', 'de&lang=fr'])
    expect((await page(`/live?lang=${lang}`, 'es')).language, lang).toBe('es');
});

test('a link to another language keeps path and query, whatever the path looks like', async () => {
  const links = async (path: string) =>
    [...(await page(path)).body.matchAll(/<a href="([^"]*)" hreflang="de"/g)].map(([, href]) => href);
  expect(await links('/live?x=a%3Fb?c&y=%26&lang=fr')).toEqual(['?x=a%3Fb%3Fc&amp;y=%26&amp;lang=de']);
  for (const path of ['//evil.example/a', '///evil.example/a', '/\\evil.example/a', '//evil.example/portal/x?y=1'])
    expect(await links(path), path).toEqual([expect.stringMatching(/^\?(y=1&amp;)?lang=de$/)]);
});

test('several headers are one, and pages of every language are stored nowhere', async () => {
  const read = (accepted: string[]) =>
    new Promise<IncomingMessage>((resolve) => {
      const { hostname, port } = new URL(server.url);
      const headers = ['accept', 'text/html', ...accepted.flatMap((one) => ['accept-language', one])];
      request({ hostname, port, path: '/live', headers: ['host', 'x', ...headers] }, resolve).end();
    });
  const answer = await read(['ja', 'es;q=0.2', 'ar;q=0.3']);
  answer.resume();
  expect(answer.headers['content-language']).toBe('ar');
  expect(answer.headers['cache-control']).toContain('no-store');
});

test('a language that is no tag is refused, and makes no receipt', async () => {
  const merchant = await server.merchant();
  const body = { lineItems: [{ label: 'Tea', priceUsd: 5 }], id: 'untold', language: 'German' };
  const made = await server.call('POST', '/api/receipts', { headers: merchant.auth, body });
  expect(made).toMatchObject({ status: 400, body: { error: 'invalid_input' } });
  expect((await server.call('GET', '/api/receipts/untold', { headers: merchant.auth })).status).toBe(404);
});
