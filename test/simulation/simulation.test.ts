import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorld, type World } from '../../src/domain/payments/test/world.ts';
import { playLife } from './life.ts';
import type { Payments, View } from './payments.ts';
import { StoredPayments } from './stored-payments.ts';

/** The lives that once showed a fault of the product: a collection that was assigned, a lost payment that was named. */
const FOUND = [51, 381, 100_212];
/** `npm run long -- simulate` sets how many lives are repeated on PostgreSQL, and from which seed. */
const lives = Number(process.env.SIMULATED_LIVES ?? 25);
const first = Number(process.env.SIMULATED_SEED ?? 1);

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

test('lives of receipts, with every odd order of blocks, hints and deaths, go as the model says', () => {
  for (const seed of [...FOUND, ...Array.from({ length: 500 }, (_, i) => first + i)]) playLife(seed);
});

const inOrder = ({ receipts, transfers }: View): View => ({
  receipts,
  transfers: [...transfers].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
});

test('the same lives on PostgreSQL have the same results', { timeout: 60_000 + lives * 10_000 }, async () => {
  for (const [i, seed] of [...FOUND, ...Array.from({ length: lives }, (_, n) => first + n)].entries()) {
    const { lockstep, terms } = playLife(seed);
    const clock = { now: 0 };
    const stored = new StoredPayments(world, terms, clock, 1_000_000 + 2 * i);
    for (const { now, name, given } of lockstep.calls) {
      clock.now = now;
      await (stored[name] as (...all: unknown[]) => ReturnType<Payments[typeof name]>)(...given);
    }
    expect({ seed, ...inOrder(await stored.view()) }).toEqual({ seed, ...inOrder(lockstep.core.view()) });
    await stored.end();
    if (lives > 1_000 && i % 1_000 === 0) console.log(`${i} lives repeated on PostgreSQL`);
  }
});
