import { expect, test } from 'vitest';
import { defaultTokens, parseTokens, toDecimal } from './tokens.ts';

test.each([1, 10, 137, 8453, 31337, 42161, 84532, 11155111])(
  'chain %i knows USDC with 6 decimals as its default',
  (chainId) => {
    const [first] = defaultTokens(chainId);
    expect(first).toMatchObject({ symbol: 'USDC', decimals: 6, address: expect.stringMatching(/^0x[0-9a-f]{40}$/) });
  },
);

test('ether is offered on chains whose native coin it is, and not on Polygon', () => {
  expect(defaultTokens(8453)).toContainEqual({ symbol: 'ETH', address: null, decimals: 18 });
  expect(defaultTokens(137).map(({ symbol }) => symbol)).toEqual(['USDC', 'USDT']);
});

test('an unknown chain has no tokens', () => {
  expect(defaultTokens(999_999)).toEqual([]);
});

test('TOKENS keeps its order, converts addresses to lower case and accepts null for the native coin', () => {
  const json = `{"USDT": {"address": "0x${'AB'.repeat(20)}", "decimals": 18}, "POL": {"address": null, "decimals": 18}}`;
  expect(parseTokens(json)).toEqual([
    { symbol: 'USDT', address: `0x${'ab'.repeat(20)}`, decimals: 18 },
    { symbol: 'POL', address: null, decimals: 18 },
  ]);
});

test.each([
  ['USDC=0x12', /not JSON/],
  ['[]', /the value/],
  ['{}', /at least one token/],
  ['{"USDC": {"address": "0x12", "decimals": 6}}', /USDC\.address: must be null or 0x/],
  ['{"USDC": {"decimals": 6}}', /USDC\.address/],
  ['{"USDC": {"address": null, "decimals": 6.5}}', /USDC\.decimals/],
  ['{"US DC": {"address": null, "decimals": 6}}', /US DC/],
  ['{"A": {"address": null, "decimals": 6}, "B": {"address": null, "decimals": 6}}', /same address/],
])('TOKENS %s is refused with the reason in one line', (json, reason) => {
  expect(() => parseTokens(json)).toThrow(reason);
  expect(() => parseTokens(json)).not.toThrow(/\n/);
});

test('base units of any size are converted to exact decimals', () => {
  expect(toDecimal(1_500_000n, 6)).toBe('1.5');
  expect(toDecimal(1n, 18)).toBe('0.000000000000000001');
  expect(toDecimal(10n ** 30n + 1n, 6)).toBe(`1${'0'.repeat(24)}.000001`);
});
