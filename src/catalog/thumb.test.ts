import { expect, test } from 'vitest';
import { letterTile } from './thumb.ts';

const svgOf = (uri: string) => Buffer.from(uri.replace('data:image/svg+xml;base64,', ''), 'base64').toString();

test.each([
  ['green tea', 'G'],
  ['  7 wonders', '7'],
  ['Éclair', 'É'],
  ['咖啡', '咖'],
  ['🫖', ''],
  ['', ''],
])('the tile of %j shows %j', (name, letter) => {
  expect(svgOf(letterTile(name))).toContain(`>${letter}</text>`);
});

test('markup in a name never reaches the picture', () => {
  const svg = svgOf(letterTile('<script>alert("x")</script>'));
  expect(svg).not.toMatch(/script|alert/);
  expect(svg).toContain('>S</text>');
});

test('a tile is a small image data URI, the same each time', () => {
  expect(letterTile('Tea')).toMatch(/^data:image\/svg\+xml;base64,[A-Za-z0-9+/]+=*$/);
  expect(letterTile('Tea').length).toBeLessThan(700);
  expect(letterTile('Tea')).toBe(letterTile('toast'));
});
