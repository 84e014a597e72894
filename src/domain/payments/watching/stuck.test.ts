import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { paceOf } from '../../../base/chain/finality.ts';
import { parseFinality } from '../../../base/core/finality.ts';
import { quoted } from '../test/quoted.ts';
import { openWorld, type World } from '../test/world.ts';
import { reportClock } from './oversight.ts';
import { repairStuck, reportStuck, stuckAfterMs } from './stuck.ts';

let world: World;
const alerts: { alert?: string; receiptId?: string }[] = [];
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(() => {
  alerts.length = 0;
});
afterAll(() => world.stop());

const listening = (clock = world.deps.clock) => ({
  ...world.deps,
  clock,
  log: Object.assign(Object.create(world.deps.log), { error: (fields: object) => alerts.push(fields) }),
});

async function mined() {
  const receipt = await quoted(world, 1_000);
  await world.pay(receipt.quote);
  await world.look();
  expect(await world.status(receipt.merchant, receipt.receiptId)).toBe('tx_mined');
  return receipt;
}

test('a receipt that stays tx_mined three times longer than its confirmations take raises one alert', async () => {
  const { merchant, receiptId } = await mined();
  const limitMs = (await stuckAfterMs(world.deps.db, world.deps.chain))(1_000);
  const reported = new Set<string>();
  expect(await reportStuck(listening(), reported)).toBe(0);
  const later = () => Date.now() + limitMs + 1_000;
  expect(await reportStuck(listening(later), reported)).toBe(1);
  expect(await reportStuck(listening(later), reported)).toBe(0);
  expect(alerts).toEqual([expect.objectContaining({ alert: 'receipt_stuck', merchant, receiptId })]);
  await world.mine(3);
  await world.look();
  expect(await reportStuck(listening(later), reported)).toBe(0);
  expect(reported.size).toBe(0);
});

test('the time that a receipt may stay tx_mined depends on its amount, the confirmations and the observed block times', async () => {
  const em = world.deps.db.orm.em.fork();
  const chainId = 424_242;
  await em.execute(
    'insert into chain_blocks (chain_id, number, hash, time_ms) values (?, 1, ?, 0), (?, 11, ?, 600000)',
    [chainId, '0x1', chainId, '0x2'],
  );
  const finality = parseFinality('{"0": 12, "1000": 20, "10000": "finalized"}');
  const chain = { ...world.chain, chainId, confirmations: 12, finality };
  const limitMs = await stuckAfterMs(world.deps.db, chain);
  const expected = [12, 20, paceOf(chainId).tagBlocks.finalized].map((blocks) => 3 * blocks * 60_000);
  expect([99_999, 100_000, 1_000_000].map(limitMs)).toEqual(expected);
});

test('an average of block times that is no whole number of milliseconds does not stop the check', async () => {
  const chainId = 424_243;
  await world.deps.db.orm.em
    .fork()
    .execute('insert into chain_blocks (chain_id, number, hash, time_ms) values (?, 1, ?, 0), (?, 11, ?, 600001)', [
      ...[chainId, '0x1'],
      ...[chainId, '0x2'],
    ]);
  const chain = { ...world.chain, chainId, confirmations: 1, finality: parseFinality('1') };
  expect((await stuckAfterMs(world.deps.db, chain))(0)).toBe(180_001);
  expect(await reportStuck({ ...listening(), chain }, new Set())).toBe(0);
});

test('a receipt that is tx_mined with all its transfers confirmed is repaired, and then paid', async () => {
  const { merchant, receiptId } = await mined();
  await world.deps.db.orm.em.fork().execute('update transfers set confirmed_at = 1 where receipt_id = ?', [receiptId]);
  await world.mine(4);
  await world.look();
  expect(await world.status(merchant, receiptId)).toBe('tx_mined');
  expect(await repairStuck(world.deps)).toBe(1);
  await world.look();
  expect(await world.status(merchant, receiptId)).toBe('paid');
  expect(await repairStuck(world.deps)).toBe(0);
});

test('a clock that differs from the chain by more than five minutes raises one alert until it is correct again', async () => {
  const far = { ...listening(() => Date.now() + 6 * 60_000), chain: { ...world.chain, mayRestart: false } };
  await world.mine(1);
  const skew = { reported: false };
  await reportClock(far, skew);
  await reportClock(far, skew);
  expect(alerts).toEqual([expect.objectContaining({ alert: 'clock_skew' })]);
  await reportClock({ ...far, clock: Date.now }, skew);
  await reportClock(far, skew);
  expect(alerts).toHaveLength(2);
});

test('an old block raises no alert on a local chain, which makes blocks on demand', async () => {
  await reportClock(
    listening(() => Date.now() + 60 * 60_000),
    { reported: false },
  );
  expect(alerts).toEqual([]);
});
