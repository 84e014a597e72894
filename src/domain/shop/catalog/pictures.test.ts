import { expect, test } from 'vitest';
import { letterTile, lineThumb, MAX_LINE_THUMB } from './pictures.ts';

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

test('a tile is a small image data URI and is deterministic', () => {
  expect(letterTile('Tea')).toMatch(/^data:image\/svg\+xml;base64,[A-Za-z0-9+/]+=*$/);
  expect(letterTile('Tea').length).toBeLessThan(280);
  expect(letterTile('Tea')).toBe(letterTile('toast'));
});

test('a receipt line keeps a small picture that is a data URI, and replaces any other by the tile', () => {
  expect(lineThumb('data:image/png;base64,AAAA', 'Tea')).toBe('data:image/png;base64,AAAA');
  const large = `data:image/png;base64,${'A'.repeat(MAX_LINE_THUMB)}`;
  for (const thumb of ['https://cdn.example/tea.png', large, null])
    expect(lineThumb(thumb, 'Tea')).toBe(letterTile('Tea'));
});
