import { expect, test } from 'vitest';
import { parseRates, type RateTable } from '../../../base/core/rates.ts';
import { examineConfig } from '../../../base/platform/config/config.ts';
import { currentRate, staticTable } from './rates.ts';

const NOW = 1_800_000_000_000;
const HOUR = 3_600_000;
const anHour = () => HOUR;
const unavailable = expect.objectContaining({ code: 'exchange_rate_unavailable', status: 503 });

test('static rates are always current', () => {
  const table = staticTable(parseRates('EUR=1.0842,ETH=3100'));
  expect(currentRate(table, 'EUR', NOW, anHour)).toEqual({ usdPerUnit: '1.0842', quotedAt: NOW, provider: 'static' });
});

test('the rate of USD is 1', () => {
  expect(currentRate(new Map(), 'USD', NOW, () => 0)).toEqual({ usdPerUnit: '1', quotedAt: NOW, provider: 'par' });
});

test('a currency that is not listed is unavailable', () => {
  expect(() => currentRate(staticTable(parseRates('ETH=3100')), 'EUR', NOW, anHour)).toThrow(unavailable);
});

test('a quoted rate is valid up to the maximum age, and unavailable a millisecond later', () => {
  const table: RateTable = new Map([['EUR', { usdPerUnit: '1.1', quotedAt: NOW - HOUR, provider: 'ecb' }]]);
  expect(currentRate(table, 'EUR', NOW, anHour)).toEqual({ usdPerUnit: '1.1', quotedAt: NOW - HOUR, provider: 'ecb' });
  expect(() => currentRate(table, 'EUR', NOW + 1, anHour)).toThrow(unavailable);
});

test('a price in ETH is no older than its feed should be, and the euro, whose feed is slow, keeps a day', () => {
  const url = 'http://127.0.0.1:1';
  const fxOf = (chainId: string, more: Record<string, string> = {}) =>
    examineConfig({ CHAIN_ID: chainId, RPC_URL: url, FX_SOURCE: 'chainlink', ...more }).config.fx;
  for (const [chainId, hours] of [
    ['8453', 1],
    ['1', 2],
  ] as const) {
    const { maxAgeOf } = fxOf(chainId);
    const quotedAt = NOW - hours * HOUR;
    const table: RateTable = new Map(
      ['EUR', 'ETH'].map((currency) => [currency, { usdPerUnit: '2', quotedAt, provider: 'chainlink' }]),
    );
    expect(currentRate(table, 'ETH', NOW, maxAgeOf).usdPerUnit).toBe('2');
    expect(() => currentRate(table, 'ETH', NOW + 1, maxAgeOf)).toThrow(unavailable);
    expect(currentRate(table, 'EUR', quotedAt + 25 * HOUR, maxAgeOf).usdPerUnit).toBe('2');
    expect(() => currentRate(table, 'EUR', quotedAt + 25 * HOUR + 1, maxAgeOf)).toThrow(unavailable);
  }
  // The operator knows the feeds better: those of FX_FEEDS, and the age that is set.
  expect(fxOf('8453', { FX_FEEDS: `ETH=0x${'1'.repeat(40)}` }).maxAgeOf('ETH')).toBe(25 * HOUR);
  expect(fxOf('8453', { FX_MAX_AGE_S: '600' }).maxAgeOf('ETH')).toBe(600_000);
});
