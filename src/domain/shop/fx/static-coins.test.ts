import { expect, test } from 'vitest';
import { defaultTokens } from '../../../base/chain/tokens.ts';
import { parseRates, type RateTable } from '../../../base/core/rates.ts';
import { listenForAlarms } from '../../../base/platform/test/alarms.ts';
import { staticTable } from './rates.ts';
import { staticCoins, warnOfStaticCoins } from './static-coins.ts';

const STATIC = staticTable(parseRates('EUR=1.0842,ETH=3100,USDC=1'));
const FED: RateTable = new Map([['ETH', { usdPerUnit: '3100', quotedAt: 1, provider: 'chainlink' }]]);

const at = (environment: 'production' | 'development', table: RateTable) => {
  const { log, alarms } = listenForAlarms();
  const deps = { settings: { environment }, chain: { tokens: defaultTokens(8453) }, rates: () => table, log };
  return { deps: deps as unknown as Parameters<typeof warnOfStaticCoins>[0], alarms };
};

test('coins with a static rate raise an alert at a start in production', () => {
  const { deps, alarms } = at('production', STATIC);
  warnOfStaticCoins(deps);
  expect(staticCoins(deps)).toEqual(['EURC', 'ETH']);
  expect(alarms).toEqual(['static_rate']);
});

test.each([
  ['in development', 'development', STATIC],
  ['with a price feed', 'production', FED],
  ['without a rate', 'production', new Map()],
] as const)('no coin is reported %s', (_, environment, table) => {
  const { deps, alarms } = at(environment, table);
  warnOfStaticCoins(deps);
  expect([staticCoins(deps), alarms]).toEqual([[], []]);
});
