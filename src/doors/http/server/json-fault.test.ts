import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonFault } from './json-fault.ts';

test.each([
  ['{', 'line 1, column 2'],
  ['{"a":1,}', 'line 1, column 8'],
  ["{'a':1}", 'line 1, column 2'],
  ['{\n  "a": 1\n  "b": 2\n}', 'line 3, column 3'],
  ['{"a":1}x', 'line 1, column 8'],
  ['[1,', 'line 1, column 4'],
  ['[01]', 'line 1, column 3'],
  ['[1}', 'line 1, column 3'],
  ['"a\tb"', 'line 1, column 1'],
  ['nul', 'line 1, column 1'],
])('%j stops being JSON at %s', (text, place) => expect(jsonFault(text)).toBe(place));

test('a text has a fault exactly where JSON.parse refuses it', () => {
  const bent = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('', '"', '{', '}', '[', ']', ',', ':', '\\', '1', '-', '.', 'e', '\n'))
    .map(([text, at, sign]) => {
      const cut = at % (text.length + 1);
      return text.slice(0, cut) + sign + text.slice(cut + (at % 2));
    });
  fc.assert(
    fc.property(fc.oneof(fc.json(), bent), (text) => {
      let isJson = true;
      try {
        JSON.parse(text);
      } catch {
        isJson = false;
      }
      expect([text, jsonFault(text) === null]).toEqual([text, isJson]);
    }),
    { numRuns: 2_000 },
  );
});

test('deep nesting is read without recursion', () => {
  expect(jsonFault(`${'['.repeat(100_000)}x`)).toBe('line 1, column 100001');
});
