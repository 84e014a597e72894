import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openWorld, type World } from '../test/world.ts';
import { type CostRule, createCostRule, worthCollecting } from './collection-cost.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

const item = (amount: bigint, isRequested = false) => ({ amount: String(amount), isRequested });

/** The rule of a server with these settings. */
function ruleOf(symbol: string, sweeps: Partial<World['deps']['settings']['settlement']['sweeps']>): Promise<CostRule> {
  const { settings } = world.deps;
  const settlement = { ...settings.settlement, sweeps: { ...settings.settlement.sweeps, ...sweeps } };
  const token = world.chain.tokens.find((one) => one.symbol === symbol)!;
  return createCostRule({ ...world.deps, settings: { ...settings, settlement } }, token, 2);
}

/** What a collection of one address costs about, in US dollars. */
async function costUsd(): Promise<number> {
  const gasPrice = await world.chain.client.getGasPrice();
  return (Number(gasPrice) * (35_000 + 2 * 45_000 + 62_000) * 3_100) / 1e18;
}

describe('an item is worth its share of the cost', () => {
  test('from where the share is the percentage of what it moves, and cheaper with others', async () => {
    const rule = await ruleOf('USDC', { maxCostPct: '1' });
    const enough = BigInt(Math.ceil((await costUsd()) * 100 * 1e6 * 1.01));
    expect(rule(item(enough), 1)).toBe(true);
    expect(rule(item(enough / 2n), 1)).toBe(false);
    expect(rule(item(enough / 2n), 50)).toBe(true);
  });

  test('by the gas that it was estimated to need, where payees burn it', async () => {
    const rule = await ruleOf('USDC', { maxCostPct: '1' });
    const enough = BigInt(Math.ceil((await costUsd()) * 100 * 1e6 * 1.01));
    expect(rule(item(enough), 1, 187_000n)).toBe(true);
    expect(rule(item(enough), 1, 1_000_000n)).toBe(false);
  });

  test('never, where the coin has no price and no limit in coins is set', async () => {
    const usual = world.rates.get('ETH')!;
    world.rates.delete('ETH');
    try {
      const much = item(10n ** 15n);
      expect((await ruleOf('USDC', { maxCostPct: '1' }))(much, 1)).toBe(false);
      expect((await ruleOf('USDC', { maxCostPct: '1', maxCost: '1' }))(much, 1)).toBe(true);
      expect((await ruleOf('USDC', { maxCostPct: '1', maxCost: '0' }))(much, 1)).toBe(false);
      // Dust to a thousand receipts would cost a thousand times the limit.
      const limited = await ruleOf('USDC', { maxCostPct: '1', maxCost: '1' });
      expect([1n, 9_999n, 10_000n].map((amount) => limited(item(amount), 1))).toEqual([false, false, true]);
      expect((await ruleOf('ETH', { maxCostPct: '1' }))(item(10n ** 18n), 1)).toBe(true);
      expect((await ruleOf('ETH', { maxCostPct: '1' }))(item(10n ** 9n), 1)).toBe(false);
    } finally {
      world.rates.set('ETH', usual);
    }
  });
});

test('what is chosen is worth its share in what is chosen, the largest first, and nothing worth it is left for room', () => {
  const rule: CostRule = ({ amount }, count) => BigInt(amount) * BigInt(count) >= 1_000n + 10n * BigInt(count);
  const items = fc.array(fc.tuple(fc.bigInt({ min: 1n, max: 2_000n }), fc.boolean()), { maxLength: 30 });
  fc.assert(
    fc.property(items, fc.integer({ min: 1, max: 12 }), (some, limit) => {
      const all = some.map(([amount, isRequested]) => item(amount, isRequested && amount % 7n === 0n));
      const chosen = worthCollecting(rule, all, limit);
      expect(chosen.length).toBeLessThanOrEqual(limit);
      for (const one of chosen) expect(one.isRequested || rule(one, chosen.length)).toBe(true);
      const requested = all.filter(({ isRequested }) => isRequested).length;
      expect(chosen.filter(({ isRequested }) => isRequested).length).toBe(Math.min(requested, limit));
    }),
    { numRuns: 1_000 },
  );
});
