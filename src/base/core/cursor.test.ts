import { describe, expect, test } from 'vitest';
import { type CursorScope, cursorOf, placeOf } from './cursor.ts';
import type { Refusal } from './errors.ts';

const scope: CursorScope = { name: 'items name asc 0x1', types: ['text', 'int8', 'int4'] };
const place = ['Käse\n"½"', 1_700_000_000_000, -1] as const;
const cursor = cursorOf(scope, place);

const refusalOf = (of: CursorScope, text: string) => {
  try {
    return placeOf(of, text, 'after');
  } catch (error) {
    const { code, message, extra } = error as Refusal;
    return { code, message, ...extra };
  }
};
const REFUSED = {
  code: 'bad_cursor',
  field: 'after',
  message: 'after is not a cursor of this list in this order',
};

describe('a cursor', () => {
  test('returns the place that it was made from', () => {
    expect(placeOf(scope, cursor, 'after')).toEqual(place);
    expect(cursor).toMatch(/^[\w-]+$/);
  });

  test('of another list, order or owner is refused', () => {
    expect(refusalOf({ ...scope, name: 'items name desc 0x1' }, cursor)).toEqual(REFUSED);
    expect(refusalOf({ ...scope, name: 'items name asc 0x2' }, cursor)).toEqual(REFUSED);
  });

  test('is refused if any character of it was changed, added or removed', () => {
    for (let i = 0; i < cursor.length; i++) {
      for (const other of ['A', '-', '!', ''].filter((char) => char !== cursor[i]))
        expect(refusalOf(scope, cursor.slice(0, i) + other + cursor.slice(i + 1))).toEqual(REFUSED);
      expect(refusalOf(scope, `${cursor.slice(0, i)} ${cursor.slice(i)}`)).toEqual(REFUSED);
    }
    for (const other of ['', ' ', 'x', `${cursor}=`, '0.0']) expect(refusalOf(scope, other)).toEqual(REFUSED);
  });

  test('whose keys do not fit the types of the order is refused', () => {
    for (const keys of [
      [],
      ['a', 1],
      ['a', 1, 1, 1],
      [1, 1, 1],
      ['a', '1', 1],
      ['a', 1.5, 1],
      ['a', 2 ** 53, 1],
      ['a', 1, 2 ** 31],
      ['\0', 1, 1],
      ['\ud800', 1, 1],
      ['a', null, 1],
    ])
      expect(refusalOf(scope, cursorOf(scope, keys as never)), JSON.stringify(keys)).toEqual(REFUSED);
  });
});
