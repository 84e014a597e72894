import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Wallet } from '../../../base/core/wallet.ts';
import { openWorld, type World } from '../../payments/test/world.ts';
import { createRests, type Place, type Rests, visitPlaces, walkPlaces } from './place-walk.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

const PLACES = 1_200;
const fill = (owed: string) =>
  world.deps.db.orm.em.fork().execute(
    `delete from settlement_shares;
     insert into settlement_shares (merchant, receipt_id, split, token, payee, chain_id, shares_bps, owed)
     select '0xa', 'R' || i, '0x' || lpad(to_hex(i), 40, '0'), 'USDC', '0xb' || p, ${world.chain.chainId}, 5000, ${owed}
       from generate_series(1, ${PLACES}) i, generate_series(1, 2) p`,
  );

/** Runs rounds of a concern; returns the visited places in order. */
async function rounds(concern: 'reckon' | 'complete', count: number, rests: Rests): Promise<string[]> {
  const walk = walkPlaces(world.deps.db, world.deps.chain, concern, rests);
  const seen: string[] = [];
  for (let round = 0; round < count; round++) seen.push(...(await walk()).map(({ split }) => split));
  return seen;
}

test.each([
  ['reckon', 'null'],
  ['complete', '1'],
] as const)(
  'to %s, every place is visited in turn, and places without progress delay no other',
  async (concern, owed) => {
    await fill(owed);
    const rests = createRests(() => 0);
    const seen = await rounds(concern, PLACES / 50, rests);
    expect(new Set(seen).size).toBe(PLACES);
    expect(seen).toHaveLength(PLACES);
  },
);

test('paused places are skipped, so that the only active one is found in one round', async () => {
  await fill('1');
  let now = 0;
  const rests = createRests(() => now);
  const places = Array.from({ length: PLACES }, (_, i) => ({
    split: `0x${(i + 1).toString(16).padStart(40, '0')}` as Wallet,
    token: 'USDC',
  }));
  for (const place of places) rests.unchanged('complete', place);
  now = 40_000;
  for (const place of places) rests.unchanged('complete', place);
  rests.changed(places[777]!);
  expect(await rounds('complete', 1, rests)).toEqual([places[777]!.split]);
});

test('the longer a place is unchanged, the less often it is visited, and a change resets that', () => {
  let now = 0;
  const rests = createRests(() => now);
  const place: Place = { split: '0x1' as Wallet, token: 'USDC' };
  let looks = 0;
  for (; now < 24 * 3_600_000; now += 2_000) {
    if (rests.isResting('complete', place)) continue;
    looks += 1;
    rests.unchanged('complete', place);
  }
  expect(looks).toBeLessThan(400);
  expect(rests.isResting('complete', place)).toBe(true);
  rests.changed(place);
  expect(rests.isResting('complete', place)).toBe(false);
});

test('a place that throws is paused and stops no other', async () => {
  const rests = createRests(() => 0);
  const places = ['0x1', '0x2', '0x3'].map((split) => ({ split: split as Wallet, token: 'USDC' }));
  const visited: string[] = [];
  await visitPlaces({ ...world.deps, rests }, 'reckon', places, async ({ split }) => {
    visited.push(split);
    if (split === '0x2') throw new Error('no such state');
    return true;
  });
  expect(visited).toEqual(['0x1', '0x2', '0x3']);
});
