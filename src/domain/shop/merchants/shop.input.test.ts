import { expect, test } from 'vitest';
import { parseInput } from '../../../base/core/input.ts';
import { shopInput } from './shop.input.ts';

const read = (body: unknown) => parseInput(shopInput, body);

test.each([
  [1.5, 150],
  [0, 0],
  [20, 2000],
  [0.29, 29],
])('a fee of %d percent is %d basis points', (processingFeePct, processingFeeBps) => {
  expect(read({ processingFeePct })).toMatchObject({ processingFeeBps });
});

test('omitted fields are left out, in the theme too; null and the empty string clear a field', () => {
  const input = read({ name: null, bio: '', theme: { primaryColor: '#1a73e8', accentColor: null } });
  expect(input).toMatchObject({ name: null, bio: null, theme: { primaryColor: '#1a73e8', accentColor: null } });
  expect(input).not.toHaveProperty('description');
  expect(input.theme).not.toHaveProperty('textColor');
  expect(input.processingFeeBps).toBeUndefined();
});

test('links have a label and an https address', () => {
  const links = [{ label: 'Home', url: 'https://shop.example' }];
  expect(read({ links }).links).toEqual(links);
});

test.each([
  ['a fee above 20', { processingFeePct: 20.01 }, 'processingFeePct'],
  ['a fee below 0', { processingFeePct: -1 }, 'processingFeePct'],
  ['a fee with three decimals', { processingFeePct: 1.005 }, 'processingFeePct'],
  ['a fee in quotes', { processingFeePct: '1.5' }, 'processingFeePct'],
  ['a colour that is CSS', { theme: { primaryColor: 'red;background:url(x)' } }, 'theme.primaryColor'],
  ['a font that leaves its place', { theme: { fontFamily: 'Inter;}</style>' } }, 'theme.fontFamily'],
  ['a logo that is a script', { theme: { brandLogoUrl: 'javascript:alert(1)' } }, 'theme.brandLogoUrl'],
  ['a link that is a script', { links: [{ label: 'x', url: 'javascript:alert(1)' }] }, 'links[0].url'],
  ['21 links', { links: Array.from({ length: 21 }, () => ({ label: 'x', url: 'https://x.example' })) }, 'links'],
  ['a slug with spaces', { slug: 'My shop' }, 'slug'],
  ['points below 0', { xpPerDollar: -1 }, 'xpPerDollar'],
  ['a name of 257 characters', { name: 'x'.repeat(257) }, 'name'],
  ['a theme that is a list', { theme: [] }, 'theme'],
])('%s is invalid_input naming it', (_, body, field) => {
  expect(() => read(body)).toThrow(expect.objectContaining({ code: 'invalid_input', extra: { field } }));
});
