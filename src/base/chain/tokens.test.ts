import { expect, test } from 'vitest';
import { explorerUrl } from './explorers.ts';
import { knownPaces } from './finality.ts';
import { KNOWN_TOKENS } from './known-tokens.ts';
import { currencyOf, defaultTokens, isAtPar, parseTokens, toDecimal } from './tokens.ts';

test.each([1, 10, 100, 137, 8453, 31337, 31338, 42161, 43113, 43114, 80002, 84532, 421614, 11155111, 11155420])(
  'chain %i knows USDC with 6 decimals as its default',
  (chainId) => {
    const [first] = defaultTokens(chainId);
    expect(first).toMatchObject({ symbol: 'USDC', decimals: 6, address: expect.stringMatching(/^0x[0-9a-f]{40}$/) });
  },
);

test('each known chain offers its own native coin last, has a name and an explorer, and names the source of every address', () => {
  const paces = new Set(knownPaces().map(([id]) => id));
  for (const [chainId, tokens] of KNOWN_TOKENS) {
    expect(paces).toContain(chainId);
    expect(explorerUrl(chainId)).toMatch(/^https:/);
    expect(tokens.at(-1)).toMatchObject({ address: null, decimals: 18 });
    for (const { address, source } of tokens) if (address !== null) expect(source).toMatch(/^https:/);
    const addresses = tokens.map(({ address }) => address);
    expect(new Set(addresses).size).toBe(tokens.length);
  }
  const coins = [8453, 137, 43114, 100].map((chainId) => defaultTokens(chainId).at(-1)?.symbol);
  expect(coins).toEqual(['ETH', 'POL', 'AVAX', 'XDAI']);
});

test('dollar tokens count 1:1, EURC counts as euros, and a coin with the name of a token counts as neither', () => {
  const token = (symbol: string, chainId: number) => defaultTokens(chainId).find((one) => one.symbol === symbol)!;
  expect(['USDC', 'USDT', 'DAI'].map((symbol) => isAtPar(token(symbol, 1)))).toEqual([true, true, true]);
  expect([isAtPar(token('EURC', 1)), currencyOf(token('EURC', 1))]).toEqual([false, 'EUR']);
  expect([isAtPar(token('XDAI', 100)), isAtPar({ symbol: 'DAI', address: null })]).toEqual([true, false]);
  expect(currencyOf({ symbol: 'EURC', address: null })).toBe('EURC');
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
