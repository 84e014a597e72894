import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { rowsOf } from '../../../base/platform/test/rows.ts';
import { listUnmatched } from '../unmatched/unmatched.ts';
import { retryErrors } from '../watching/oversight.ts';
import { quoted } from './quoted.ts';
import { openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld({ hasProductionLimits: true });
});
afterAll(() => world.stop());

test('a transfer whose matching times out twice is kept as an error and passed, and pays once it is tried again', async () => {
  const [slow, other] = [await quoted(world, 1_000), await quoted(world, 1_000)];
  const hash = await world.pay(slow.quote);
  await world.pay(other.quote);

  const holder = new pg.Client({ connectionString: world.deps.settings.databaseUrl });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query('begin');
  await holder.query('select 1 from receipts where merchant = $1 and id = $2 for update', [
    slow.merchant,
    slow.receiptId,
  ]);
  await world.look();
  expect(await world.status(other.merchant, other.receiptId)).toBe('tx_mined');
  expect(await rowsOf(listUnmatched(world.deps, slow.merchant))).toEqual([
    expect.objectContaining({ transactionHash: hash, reason: 'error' }),
  ]);

  await holder.query('rollback');
  await retryErrors(world.deps);
  expect(await world.status(slow.merchant, slow.receiptId)).toBe('tx_mined');
  expect(await rowsOf(listUnmatched(world.deps, slow.merchant))).toEqual([]);
});
