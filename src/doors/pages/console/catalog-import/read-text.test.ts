import { expect, test } from 'vitest';
import { readText } from './read-text.ts';

const TEXT = 'W1,Café crème 5 €,5';
const utf16 = (text: string, mark: readonly number[]) => Uint8Array.from([...mark, ...Buffer.from(text, 'utf16le')]);

test('a text of Windows-1252 is read as what it is, and says that it was guessed', () => {
  const bytes = Uint8Array.from(TEXT, (letter) => (letter === '€' ? 0x80 : letter.charCodeAt(0)));
  expect(readText(bytes)).toEqual({ text: TEXT, guessed: true });
});

test.each([
  ['UTF-8', new TextEncoder().encode(TEXT)],
  ['UTF-8 with a mark', new TextEncoder().encode(`\ufeff${TEXT}`)],
  ['UTF-16 with a mark', utf16(TEXT, [0xff, 0xfe])],
  ['UTF-16 of the other order', utf16(TEXT, [0xff, 0xfe]).map((_, n, all) => all[n ^ 1]!)],
])('%s is read', (_, bytes) => {
  expect(readText(bytes)).toEqual({ text: TEXT, guessed: false });
});

test.each([
  ['UTF-16 without a mark', utf16(TEXT, [])],
  ['bytes that no text has', Uint8Array.of(0x73, 0x6b, 0x75, 0x81, 0x00, 0xff)],
  ['half a character with a mark', Uint8Array.of(0xef, 0xbb, 0xbf, 0xc3)],
])('%s is refused and loses no character', (_, bytes) => {
  expect(readText(bytes)).toBeNull();
});
