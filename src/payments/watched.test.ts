import { afterAll, beforeAll, expect, test } from 'vitest';
import { Split } from '../splits/split.entity.ts';
import { openWorld, type World } from './test/world.ts';
import { watchSplits } from './watched.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

const HOUR_MS = 3_600_000;

test('a split is watched at the next look, also one that is set after the clock has jumped an hour back or forth', async () => {
  let now = Date.now();
  const watched = watchSplits({ ...world.deps, clock: () => now });
  for (const jumpMs of [0, 1_000, -HOUR_MS, 1_000, HOUR_MS, 1_000]) {
    now += jumpMs;
    const { split } = await world.merchant();
    await world.deps.orm.em.fork().nativeUpdate(Split, { address: split }, { createdAt: now });
    await watched.refresh();
    expect(watched.find(split)).toMatchObject({ address: split });
  }
});
