import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findRises } from './rises.ts';

const LAST = 63;
/** What arrives in each block. */
const arrivals = fc.array(fc.tuple(fc.nat(LAST), fc.bigInt(1n, 10n ** 20n)), { minLength: 1, maxLength: 6 });
const counted = fc.bigInt(0n, 10n ** 20n);

const sumsOf = (all: readonly (readonly [number, bigint])[], before: bigint) => (block: number) =>
  all.reduce((sum, [at, amount]) => (at <= block ? sum + amount : sum), before);

test('each rise is found in its block', async () => {
  await fc.assert(
    fc.asyncProperty(arrivals, counted, async (all, before) => {
      const sumAt = sumsOf(all, before);
      const rises = await findRises(async (block) => sumAt(block), {
        ...{ low: 0, high: LAST, counted: before, sum: sumAt(LAST) },
      });
      const blocks = [...new Set(all.map(([at]) => at))].sort((a, b) => a - b);
      expect(rises).toEqual(
        blocks.map((block) => ({ block, amount: sumAt(block) - (block ? sumAt(block - 1) : before) })),
      );
    }),
  );
});

test('a node that does not show a block at each request changes no sum: rises are found later, and never fall', async () => {
  await fc.assert(
    fc.asyncProperty(arrivals, counted, fc.infiniteStream(fc.boolean()), async (all, before, shows) => {
      const sumAt = sumsOf(all, before);
      const sum = sumAt(LAST);
      const rises = await findRises(async (block) => (shows.next().value ? sumAt(block) : before), {
        ...{ low: 0, high: LAST, counted: before, sum },
      });
      expect(rises.every(({ amount }) => amount > 0n)).toBe(true);
      expect(rises.reduce((total, { amount }) => total + amount, before)).toBe(sum);
    }),
  );
});
