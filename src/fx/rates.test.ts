import { expect, test } from 'vitest';
import { parseRates, type RateTable } from '../core/rates.ts';
import { currentRate, staticTable } from './rates.ts';

const NOW = 1_800_000_000_000;
const HOUR = 3_600_000;
const unavailable = expect.objectContaining({ code: 'exchange_rate_unavailable', status: 503 });

test('static rates are always current', () => {
  const table = staticTable(parseRates('EUR=1.0842,ETH=3100'));
  expect(currentRate(table, 'EUR', NOW, HOUR)).toEqual({ usdPerUnit: '1.0842', quotedAt: NOW, provider: 'static' });
});

test('the rate of USD is 1', () => {
  expect(currentRate(new Map(), 'USD', NOW, 0)).toEqual({ usdPerUnit: '1', quotedAt: NOW, provider: 'par' });
});

test('a currency that is not listed is unavailable', () => {
  expect(() => currentRate(staticTable(parseRates('ETH=3100')), 'EUR', NOW, HOUR)).toThrow(unavailable);
});

test('a quoted rate is valid up to the maximum age, and unavailable a millisecond later', () => {
  const table: RateTable = new Map([['EUR', { usdPerUnit: '1.1', quotedAt: NOW - HOUR, provider: 'ecb' }]]);
  expect(currentRate(table, 'EUR', NOW, HOUR)).toEqual({ usdPerUnit: '1.1', quotedAt: NOW - HOUR, provider: 'ecb' });
  expect(() => currentRate(table, 'EUR', NOW + 1, HOUR)).toThrow(unavailable);
});
