import { expect, test } from 'vitest';
import { parseInput } from '../../../base/core/input.ts';
import { itemQuery } from './item-query.input.ts';

const read = (query: Record<string, unknown>) => parseInput(itemQuery, query);

test('without parameters, the first page of 100, latest change first', () => {
  expect(read({})).toEqual({
    q: undefined,
    category: undefined,
    taxable: undefined,
    stock: 'any',
    priceMinCents: undefined,
    priceMaxCents: undefined,
    tags: [],
    tagsMode: 'any',
    sort: 'updatedAt',
    order: 'desc',
    limit: 100,
    page: 0,
  });
});

test('strings of a URL are converted to their types', () => {
  expect(
    read({
      q: '50%_off',
      taxable: 'false',
      stock: 'in',
      priceMin: '1.5',
      priceMax: '10',
      tags: 'hot, green,,hot',
      tagsMode: 'all',
      sort: 'priceUsd',
      order: 'asc',
      limit: '200',
      page: '3',
    }),
  ).toMatchObject({
    q: '50%_off',
    taxable: false,
    stock: 'in',
    priceMinCents: 150,
    priceMaxCents: 1000,
    tags: ['hot', 'green'],
    tagsMode: 'all',
    sort: 'priceUsd',
    order: 'asc',
    limit: 200,
    page: 3,
  });
});

test('typed values, as sent by GraphQL, are accepted', () => {
  expect(read({ taxable: true, limit: 5, page: 0, priceMin: 0.5, tags: ['hot'], q: null })).toMatchObject({
    taxable: true,
    limit: 5,
    priceMinCents: 50,
    tags: ['hot'],
    q: undefined,
  });
});

test('empty parameters count as absent', () => {
  expect(read({ q: '', limit: '', taxable: '', tags: '', priceMin: '' })).toEqual(read({}));
});

test.each([
  ['limit', '0'],
  ['limit', '201'],
  ['limit', '1e2'],
  ['limit', '10x'],
  ['limit', '-1'],
  ['page', '-1'],
  ['page', '1.5'],
  ['priceMin', '1.005'],
  ['priceMax', 'NaN'],
  ['priceMax', '1e400'],
  ['taxable', 'maybe'],
  ['sort', 'password'],
  ['order', 'up'],
  ['stock', 'yes'],
  ['tagsMode', 'none'],
  ['q', 'x'.repeat(257)],
  ['q', 'a\u0000'],
  ['q', ['a', 'b']],
])('%s=%j is invalid_input naming it', (name, value) => {
  expect(() => read({ [name]: value })).toThrow(
    expect.objectContaining({
      code: 'invalid_input',
      extra: { field: name },
      message: expect.stringMatching(`^${name} must`),
    }),
  );
});
