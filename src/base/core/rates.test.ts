import { expect, test } from 'vitest';
import { parseRates } from './rates.ts';

test('rates are parsed as exact decimal text, by currency in upper case', () => {
  expect([...parseRates(' EUR=1.0842, eth = 3100.50')]).toEqual([
    ['EUR', '1.0842'],
    ['ETH', '3100.5'],
  ]);
});

test.each([
  ['', /"" is not of the form/],
  ['EUR', /"EUR" is not of the form EUR=1.0842/],
  ['EUR=1,0842', /"0842" is not of the form/],
  ['EUR=1e3', /"EUR=1e3" is not of the form/],
  ['EUR=-1', /"EUR=-1" is not of the form/],
  ['1EUR=1', /"1EUR=1" is not of the form/],
  ['EUR=0', /must be above 0/],
  ['EUR=1.1,EUR=1.2', /EUR is listed twice/],
  ['USD=1', /USD is always 1/],
])('%j is refused with an error that names the faulty entry', (text, message) => {
  expect(() => parseRates(text)).toThrow(message);
});
