import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { SplitSchema } from '../../shop/splits/split.entity.ts';
import { openWorld, type World } from '../test/world.ts';
import { watchAddresses } from './watched.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

const HOUR_MS = 3_600_000;

test('a split is watched at the next look, however wrong the clock is of the process that sets it', async () => {
  const watched = watchAddresses(world.deps);
  const { wallet: from } = await world.merchant();
  for (const offMs of [0, 1_000, -HOUR_MS, HOUR_MS, -100 * HOUR_MS]) {
    const { split } = await world.merchant();
    await world.deps.db.orm.em.fork().nativeUpdate(SplitSchema, { address: split }, { createdAt: Date.now() + offMs });
    await watched.refresh();
    expect(await watched.placeOf({ from, to: split })).toMatchObject({ split: null });
  }
});

test('a split is watched once its transaction commits, though later ones were read before', async () => {
  const watched = watchAddresses(world.deps);
  const slow = await world.merchant();
  const writer = new pg.Client({ connectionString: world.deps.settings.databaseUrl });
  await writer.connect();
  onTestFinished(() => writer.end());
  await writer.query('begin');
  await writer.query(
    `insert into splits (merchant, id, chain_id, address, recipients, salt, init_code, verified, created_block, created_at, replaced_at)
     select merchant, id || '_again', chain_id, '0x' || repeat('ab', 20), recipients, salt, init_code, verified, created_block, created_at, 1
       from splits where address = $1`,
    [slow.split],
  );
  const { split: later } = await world.merchant();
  for (let look = 0; look < 3; look++) await watched.refresh();
  const from = slow.wallet;
  expect(await watched.placeOf({ from, to: later })).not.toBeNull();
  const written = `0x${'ab'.repeat(20)}` as typeof later;
  expect(await watched.placeOf({ from, to: written })).toBeNull();
  await writer.query('commit');
  await watched.refresh();
  expect(await watched.placeOf({ from, to: written })).toMatchObject({ merchant: slow.wallet });
});
