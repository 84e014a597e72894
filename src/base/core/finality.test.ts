import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { depthFor, parseFinality } from './finality.ts';

const tiers = '{"0": 2, "1000": 12, "10000": "finalized"}';

describe('CONFIRMATIONS', () => {
  it.each([
    ['0', 0],
    ['12', 12],
    ['safe', 'safe'],
    ['finalized', 'finalized'],
  ])('%s counts for every amount', (raw, depth) => {
    expect([0, 99_999, 1_000_000_000].map((cents) => depthFor(parseFinality(raw), cents))).toEqual([
      depth,
      depth,
      depth,
    ]);
  });

  it.each([
    [0, 2],
    [99_999, 2],
    [100_000, 12],
    [999_999, 12],
    [1_000_000, 'finalized'],
  ])('an amount of %i cents needs the entry that it has reached', (cents, depth) => {
    expect(depthFor(parseFinality(tiers), cents)).toBe(depth);
  });

  it('the order of the entries does not matter', () => {
    expect(parseFinality('{"1000": 12, "0": 2}')).toEqual(parseFinality('{"0": 2, "1000": 12}'));
  });

  it.each([
    ['-1', /^must be a whole number of blocks/],
    ['1001', /^must be a whole number of blocks/],
    ['2.5', /^must be a whole number of blocks/],
    ['latest', /^must be a whole number of blocks/],
    ['{', /^must be a whole number of blocks/],
    ['[2]', /^must be a whole number of blocks/],
    ['null', /^must be a whole number of blocks/],
    ['{"0": "12"}', /^must be a whole number of blocks/],
    ['{"0": -1}', /^must be a whole number of blocks/],
    ['{"0": 2.5}', /^must be a whole number of blocks/],
    ['{}', /^must have an entry "0"/],
    ['{"1000": 12}', /^must have an entry "0"/],
    ['{"0": 2, "-5": 12}', /^must have amounts .* not "-5"/],
    ['{"0": 2, "1.005": 12}', /^must have amounts .* not "1.005"/],
    ['{"0": 2, "1e9": 12}', /^must have amounts .* not "1e9"/],
    ['{"0": 2, "10000000.01": 12}', /^must have amounts/],
    ['{"0": 2, "many": 12}', /^must have amounts .* not "many"/],
    ['{"0": 2, "1000": 12, "1000.00": 20}', /^must name the amount 1000 once/],
    ['{"0": 12, "1000": 2}', /^must not ask less for 1000 \(2\) than for 0 \(12\)/],
    ['{"0": "finalized", "1000": 12}', /^must not ask less for 1000 \(12\) than for 0 \(finalized\)/],
    ['{"0": "finalized", "1000": "safe"}', /^must not ask less/],
  ])('%s is refused with the fix', (raw, message) => {
    expect(() => parseFinality(raw)).toThrow(message);
  });

  it('a larger amount never needs less than a smaller one', () => {
    const order = (depth: number | string) => (typeof depth === 'number' ? depth : depth === 'safe' ? 2_000 : 3_000);
    const finality = parseFinality('{"0": 2, "10.5": 2, "1000": 12, "5000": "safe", "10000": "finalized"}');
    const cents = fc.integer({ min: 0, max: 1_000_000_000 });
    fc.assert(
      fc.property(cents, cents, (a, b) => {
        const [less, more] = [Math.min(a, b), Math.max(a, b)];
        expect(order(depthFor(finality, less))).toBeLessThanOrEqual(order(depthFor(finality, more)));
      }),
    );
  });
});
