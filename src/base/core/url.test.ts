import { expect, test } from 'vitest';
import { buyerUrl, callbackUrl, isPublicHost, mayRedirectBuyer, webUrl } from './url.ts';

const strict = { allowInsecure: false };
const loose = { allowInsecure: true };
const accepts = (schema: ReturnType<typeof webUrl>, value: unknown) => schema.safeParse(value).success;

test('an https address is returned unchanged', () => {
  expect(webUrl(strict).parse('https://Shop.example/back?x=1#y')).toBe('https://Shop.example/back?x=1#y');
});

test.each([
  'http://shop.example',
  'javascript:alert(1)',
  'data:text/html,x',
  'ftp://shop.example',
  '//shop.example',
  'shop.example',
  '',
  'https://user:secret@shop.example',
  'https://shop.example/"onload=',
  'https://shop.example/a b',
  'java\nscript:alert(1)',
  `https://shop.example/${'x'.repeat(2_048)}`,
  'https://shop.example/\u0000',
  7,
])('%j is refused as a web address', (bad) => {
  expect(accepts(webUrl(strict), bad)).toBe(false);
});

test('http is accepted only if insecure addresses are allowed; javascript is never accepted', () => {
  expect(accepts(webUrl(loose), 'http://localhost:3000/thanks')).toBe(true);
  expect(accepts(webUrl(loose), 'javascript:alert(1)')).toBe(false);
});

test.each([
  'https://localhost/hook',
  'https://shop.localhost',
  'https://printer.local',
  'https://127.0.0.1',
  'https://2130706433',
  'https://0x7f.1',
  'https://127.1',
  'https://017700000001',
  'https://[::1]',
  'https://[::ffff:127.0.0.1]',
  'https://[::ffff:7f00:1]',
  'https://10.0.0.8',
  'https://172.16.1.1',
  'https://192.168.1.1',
  'https://169.254.169.254/latest/meta-data',
  'https://[fd00::1]',
  'https://[fe80::1]',
  'https://0.0.0.0',
  'https://metadata.google.internal',
  'https://intranet',
  'https://localhost.',
])('%s is refused as a callback address, unless insecure addresses are allowed', (url) => {
  expect(accepts(callbackUrl(strict), url)).toBe(false);
  expect(accepts(callbackUrl(loose), url)).toBe(true);
});

test.each(['https://hooks.example.com/a', 'https://93.184.216.34/x', 'https://[2606:4700::1111]:8443/x'])(
  '%s is accepted as a callback address',
  (url) => {
    expect(accepts(callbackUrl(strict), url)).toBe(true);
  },
);

test('a public host is recognized by its parsed name', () => {
  expect(isPublicHost('example.com')).toBe(true);
  expect(isPublicHost('127.0.0.1')).toBe(false);
});

test.each([
  'https://localhost',
  'https://x.localhost.',
  'https://127.0.0.1',
  'https://2130706433',
  'https://[::1]/',
  'https://0.0.0.0',
  'http://localhost:3000',
])('a buyer is not redirected to %s, except in development', (url) => {
  expect(accepts(buyerUrl(strict), url)).toBe(false);
  expect(mayRedirectBuyer(url, strict)).toBe(false);
  expect(accepts(buyerUrl(loose), url)).toBe(true);
});

test('a buyer may be redirected to https addresses, private ones included, and never to a javascript address', () => {
  for (const url of ['https://shop.example/thanks?a=1', 'https://10.0.0.7/till', 'https://till'])
    expect(accepts(buyerUrl(strict), url)).toBe(true);
  expect(mayRedirectBuyer('javascript:alert(1)', loose)).toBe(false);
  // Not even in development.
  for (const policy of [strict, loose]) expect(accepts(buyerUrl(policy), 'http://shop.example')).toBe(false);
});
