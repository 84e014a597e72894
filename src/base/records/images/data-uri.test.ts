import { expect, test } from 'vitest';
import { picture } from './data-uri.ts';

const accepts = (value: string) => picture.safeParse(value).success;
const base64 = (type: string, bytes: string | Buffer) =>
  `data:image/${type};base64,${(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes).toString('base64')}`;
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const WEBP = Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64');
const JPEG = '\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xda\0\x08\x01\x01\0\0\x3f\0\xd2\xff\xd9';
const AVIF = '\0\0\0\x20ftypavif\0\0\0\0avifmif1miafMA1B\0\0\0\x25mdat\x12\0';

test.each([
  'https://cdn.example/p.png',
  base64('png', PNG),
  base64('PNG', PNG),
  base64('gif', GIF),
  base64('webp', WEBP),
  base64('jpeg', JPEG),
  base64('jpg', JPEG),
  base64('avif', AVIF),
  base64('png', Buffer.concat([PNG, Buffer.alloc(190_000)])),
  'data:image/svg+xml;utf8,%3Csvg%3E%3C/svg%3E',
  'data:image/svg+xml,%3Csvg/%3E',
  base64(
    'svg+xml',
    '\xef\xbb\xbf<?xml version="1.0"?>\n<!-- a - b --><!DOCTYPE svg [<!ENTITY a "b">]>\n<svg:svg xmlns:svg="x"/>',
  ),
])('the picture %.60s is accepted', (value) => expect(accepts(value)).toBe(true));

test.each([
  'http://cdn.example/p.png',
  'data:text/html;base64,AAAA',
  'data:image/svg+xml,<svg onload="x">',
  'javascript:alert(1)',
  'data:image/png;base64,AAAA',
  base64('png', PNG.subarray(0, 8)),
  base64('png', PNG.subarray(0, 33)),
  base64('png', GIF),
  base64('jpeg', PNG),
  base64('jpeg', '\xff\xd8\xff\xe0\0\x10JFIF\0'),
  base64('gif', GIF.subarray(0, 13)),
  base64('webp', 'RIFF\0\0\0\0WAVEfmt '),
  base64('avif', '\0\0\0\x20ftypmp42\0\0\0\0mdat'),
  base64('svg+xml', '<!doctype html><html><svg></svg></html>'),
  base64('svg+xml', '<!-- <svg> -->'),
  base64('svg+xml', '<svgx/>'),
  base64('svg+xml', PNG),
  base64('png', Buffer.concat([PNG, Buffer.alloc(200_000)])),
])('the picture %.60s is refused', (value) => expect(accepts(value)).toBe(false));

test('a text that is made to be read slowly is refused at once', () => {
  for (const part of ['<!---->', '<!DOCTYPE ', '<?', '<!--', ' '])
    expect(accepts(base64('svg+xml', part.repeat(180_000 / part.length)))).toBe(false);
}, 2_000);
