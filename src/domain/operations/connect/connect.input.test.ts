import { expect, test } from 'vitest';
import { grantInput } from './connect.input.ts';

const read = (returnUrl: string, name = 'Shop') =>
  grantInput({ allowInsecure: false }).safeParse({ name, returnUrl, codeChallenge: 'a'.repeat(43) }).success;

test('a code goes to a public https address, or to a program on the merchant’s own machine, and nowhere else', () => {
  for (const fine of ['https://shop.example/back?tab=2', 'http://127.0.0.1:40123/', 'http://127.0.0.1:80/done?x=1'])
    expect([fine, read(fine)]).toEqual([fine, true]);
  for (const bad of [
    ...['http://shop.example/', 'https://localhost/', 'http://localhost:9000/', 'http://127.0.0.1/', 'https://[::1]/'],
    ...['http://127.0.0.1.evil.example:80/', 'http://127.0.0.1:80@evil.example/', 'http://127.0.0.1:99999/'],
    ...['javascript:alert(1)', 'https://user@shop.example/', 'http://127.0.0.2:80/', '', 'x'],
  ])
    expect([bad, read(bad)]).toEqual([bad, false]);
});

test('the name of a shop reads as it is written', () => {
  const named = (name: string) => read('https://shop.example/', name);
  for (const name of ['Café Ölwerk', '日本の店', 'متجر', 'Shop 🏳️‍🌈']) expect([name, named(name)]).toEqual([name, true]);
  for (const name of ['a\nb', '\u202eevil', 'a\u2066b', 'a\u0007']) expect([name, named(name)]).toEqual([name, false]);
});
