import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { openWorld, type World } from '../test/world.ts';
import { openLagAlarm, readWatcherState } from './lag.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

const MINUTE_MS = 60_000;

test('the watcher is up while some process reads new blocks within a minute and at most a hundred are unread', async () => {
  const { deps } = world;
  const stateAt = (head: number, minutes: number) => readWatcherState(deps.db, deps.chain, head, minutes * MINUTE_MS);
  expect(await stateAt(5_000, 0)).toBe('off');
  await world.merchant();
  const { cursor } = await world.look();
  const { scanned } = cursor;

  expect(await stateAt(scanned, 0)).toBe('up');
  expect(await stateAt(scanned, 10)).toBe('up');
  expect(await stateAt(scanned + 101, 10)).toBe('down');
  // One new block, ten minutes after the last one.
  expect(await stateAt(scanned + 1, 20)).toBe('up');
  expect(await stateAt(scanned + 2, 20.9)).toBe('up');
  expect(await stateAt(scanned + 2, 21.1)).toBe('down');
  await world.mine(1);
  await world.look();
  expect(await stateAt(scanned + 2, 22)).toBe('up');
  expect(await stateAt(scanned + 2, 22.9)).toBe('up');
  expect(await readWatcherState(deps.db, deps.chain, null, 99 * MINUTE_MS)).toBe('up');
});

test('the process that watches raises an alert once when it falls behind, and logs when it has caught up', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino(
    {},
    new Writable({
      write(line, _encoding, done) {
        lines.push(JSON.parse(String(line)));
        done();
      },
    }),
  );
  const alarm = openLagAlarm({ ...world.deps, log }, { lookMs: 20 });
  onTestFinished(() => alarm.stop());
  const cursor = { chainId: 31337, scanned: 1_000, confirmed: 998 };
  alarm.leads(true);
  alarm.sees(1_000);
  alarm.reaches(cursor);
  alarm.sees(1_101);
  await vi.waitFor(() => expect(lines).toHaveLength(1));
  expect(lines[0]).toMatchObject({ alert: 'watcher_behind', head: 1_101, scanned: 1_000, blocks: 101, level: 50 });
  alarm.reaches({ ...cursor, scanned: 1_101, confirmed: 1_099 });
  await vi.waitFor(() => expect(lines).toHaveLength(2));
  expect(lines[1]).toMatchObject({ msg: 'watcher has caught up', scanned: 1_101 });
});

test('a process that yielded raises the alert if no other process watches', async () => {
  const raised: unknown[] = [];
  const log = { error: (fields: unknown) => raised.push(fields), info: () => {} } as never;
  const alarm = openLagAlarm({ ...world.deps, log }, { lookMs: 20, behindAfterMs: 200 });
  onTestFinished(() => alarm.stop());
  await world.look();
  alarm.leads(true);
  alarm.leads(false);
  await vi.waitFor(() => expect(raised).toMatchObject([{ alert: 'watcher_behind' }]));
});
