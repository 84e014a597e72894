import { expect, test } from 'vitest';
import { refuse } from '../core/errors.ts';
import { createProofCache } from './proof-cache.ts';

const FOREVER = { max: 10, freshMs: 60_000, keptMs: 60_000 };

/** A cache whose database can go away. */
function open() {
  const rows = new Map([['a', { n: 1 }]]);
  const state = { away: false };
  const load = async (id: string) => {
    if (state.away) throw refuse('datastore_unavailable');
    return rows.get(id) ?? null;
  };
  return { rows, state, cache: createProofCache(load, FOREVER) };
}

test('a kept value is read before its first use, and used unread while the database is away', async () => {
  const { cache, state, rows } = open();
  await cache.keep(async () => [['a', { n: 0 }]]);
  expect(await cache.get('a')).toEqual({ n: 1 });
  await cache.keep(async () => [['b', { n: 2 }]]);
  state.away = true;
  expect(await cache.get('b')).toEqual({ n: 2 });
  expect(rows.has('b')).toBe(false);
});

test.each([['the value'], [null]])('what is forgotten during the read is not kept: %s', async (which) => {
  const { cache, state } = open();
  await cache.keep(async () => {
    cache.forget(which === null ? null : 'b');
    return [['b', { n: 2 }]];
  });
  state.away = true;
  await expect(cache.get('b')).rejects.toMatchObject({ code: 'datastore_unavailable' });
});
