import { expect, test } from 'vitest';
import { parseInput } from './input.ts';
import { jsonObject } from './json.ts';

const read = (value: unknown) => parseInput(jsonObject, value);
const invalid = (message: RegExp) =>
  expect.objectContaining({ code: 'invalid_input', message: expect.stringMatching(message) });

test('a plain object is returned unchanged', () => {
  const value = { order: 'A-1', nested: { list: [1, 2.5, null, true, 'ünï'] }, constructor: 'Acme' };
  expect(read(value)).toEqual(value);
  expect(read(Object.assign(Object.create(null), { a: 1 }))).toMatchObject({ a: 1 });
});

test.each([[null], [undefined], ['{}'], [[]], [5]])('%j is refused: it is not a JSON object', (value) => {
  expect(() => read(value)).toThrow(invalid(/must be a JSON object/));
});

test.each([
  ['NUL in a value', { a: 'x\u0000' }, /NUL/],
  ['NUL in a key', { 'a\u0000': 1 }, /NUL/],
  ['a lone surrogate deep inside', { a: [{ b: '\ud800' }] }, /surrogates/],
  ['1e400', JSON.parse('{"a":1e400}'), /finite/],
  ['__proto__ at the top', JSON.parse('{"__proto__":{"admin":true}}'), /__proto__/],
  ['__proto__ deep inside', JSON.parse('{"a":[{"__proto__":1}]}'), /__proto__/],
  ['51 keys', Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, i])), /at most 50 keys/],
  ['more than 8 KiB', { a: 'é'.repeat(4_096) }, /at most 8192 bytes of JSON; it is 8200/],
  ['a function', { a: () => 1 }, /plain JSON/],
])('%s is refused', (_, value, message) => {
  expect(() => read(value)).toThrow(invalid(message));
});

test('100,000 levels are refused without a stack overflow', () => {
  const depth = 100_000;
  const deep = JSON.parse(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`);
  expect(() => read(deep)).toThrow(invalid(/deeper than 10 levels/));
});

test('50 keys and 10 levels are accepted', () => {
  expect(() => read(Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, i])))).not.toThrow();
  expect(() => read(JSON.parse(`${'{"a":'.repeat(10)}1${'}'.repeat(10)}`))).not.toThrow();
});
