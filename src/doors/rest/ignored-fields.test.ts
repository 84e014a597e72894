import { expect, test } from 'vitest';
import { z } from 'zod';
import { ignoredFieldsOf } from './ignored-fields.ts';

import { readsBody } from './routes/reader.ts';
import { isRetired, type Route } from './routes/route.ts';
import { routes } from './routes.ts';

const bodyOf = (path: string): Route['body'] =>
  routes.find((route): route is Route => route.method === 'POST' && route.path === path && !isRetired(route))?.body;
const orderBody = bodyOf('/api/orders');
const shopBody = bodyOf('/api/shop/config');

const named = (body: Route['body'], sent: unknown) => ignoredFieldsOf({ body })({ query: {}, body: sent });

test('fields that the route knows, in every spelling, are not named', () => {
  const address = { firstName: 'A', line_1: 'B', postalCode: 'C' };
  expect(
    named(orderBody, {
      items: [{ sku: 'TEA', qty: 1 }],
      return_url: 'https://shop.example',
      billing_address: { first_name: 'A', line_1: 'B' },
      metadata: { anything: { at: 'all' } },
    }),
  ).toBeNull();
  expect(named(orderBody, { billingAddress: address })).toBe(encodeURIComponent('billingAddress.postalCode'));
});

test('an unknown field comes with the known name that is probably meant', () => {
  expect(named(orderBody, { retunUrl: 'x', foo: 1 })).toBe('retunUrl;did-you-mean=returnUrl, foo');
  expect(named(orderBody, { items: [{ sku: 'TEA', quantity: 1, SKU: 'TEA' }] })).toBe(
    'items%5B0%5D.quantity, items%5B0%5D.SKU;did-you-mean=items%5B0%5D.sku',
  );
  expect(named(shopBody, { primaryColor: '#fff' })).toBe('primaryColor;did-you-mean=theme.primaryColor');
});

test('the header stays printable and short, whatever is sent', () => {
  const hostile = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`${'\u{1f4a5}\r\n'.repeat(90)}${i}`, 1]));
  const header = named(orderBody, { ...hostile, '\ud800': 1 }) as string;
  expect(header).toMatch(/^[\x20-\x7e]+$/);
  expect(header.length).toBeLessThanOrEqual(1_024);
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`zz${i}`, 1]));
  expect(named(orderBody, many)?.split(', ')).toHaveLength(10);
  for (const body of [null, 'text', 7, [], undefined]) expect(named(orderBody, body)).toBeNull();
});

test('free JSON is not looked at, and a route without a query knows none', () => {
  const free = readsBody(z.object({ data: z.record(z.string(), z.unknown()) }), (checked) => checked);
  expect(named(free, { data: { any: 1 }, dada: 1 })).toBe('dada;did-you-mean=data');
  expect(ignoredFieldsOf({})({ query: { page: '2' }, body: { what: 'ever' } })).toBe('page');
});

test('the known names of every route are found in its schemas', () => {
  for (const row of routes) {
    if (isRetired(row)) continue;
    const sent = { query: { zzzzzz: '1' }, body: { zzzzzz: 1 } };
    const expected = 'body' in row ? 'zzzzzz, zzzzzz' : 'zzzzzz';
    expect([row.path, ignoredFieldsOf(row)(sent)]).toEqual([row.path, expected]);
  }
});
