import { expect, test } from 'vitest';
import { sideFaults } from './sides.ts';

const planted = (declaration: string) => sideFaults([{ path: 'any.css', text: `a {\n  ${declaration};\n}\n` }]).length;

test.each([
  'margin-left: 4px',
  'padding-right: 0',
  'border-left-color: transparent',
  'left: 0',
  'border-top-left-radius: 4px',
  'text-align: right',
  'float: left',
  'transform: translateX(-50%)',
  'background-position: right 18px top 20px',
  'background: linear-gradient(to right, red, blue)',
  'padding: 0 12px 0 calc(4px + env(safe-area-inset-left))',
  'inset: 0 auto 0 0',
  'border-radius: 8px 0 0 8px',
  'border-radius: 8px 0',
])('a style that stays at its side in Arabic is found: %s', (declaration) => {
  expect(planted(declaration)).toBe(1);
});

test.each([
  'margin-inline-start: 4px',
  'padding: 12px 16px calc(16px + env(safe-area-inset-bottom))',
  'padding: 0 calc(1px + 2px) 4px calc(1px + 2px)',
  'inset: 0',
  'border-radius: 16px 16px 0 0',
  'text-align: start',
  'margin: 0 auto',
])('a style that turns with the text passes: %s', (declaration) => {
  expect(planted(declaration)).toBe(0);
});

test('every stylesheet of the pages turns with the text', () => {
  expect(sideFaults()).toEqual([]);
});
