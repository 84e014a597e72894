import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LIVE_LIMITS } from './live-connections.ts';
import { createQueue } from './queue.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A connection that is read only on request, and a count of how often its reader was dropped. */
function scene() {
  const connection = new PassThrough({ highWaterMark: 1 });
  const giveUp = vi.fn();
  return { connection, giveUp, queue: createQueue(connection, giveUp) };
}

test('a reader is dropped once more bytes wait for it than allowed', () => {
  const { connection, giveUp, queue } = scene();
  connection.write(Buffer.alloc(1));
  connection.write(Buffer.alloc(LIVE_LIMITS.queueBytes - connection.writableLength));
  expect([queue.admits(), giveUp.mock.calls.length]).toEqual([true, 0]);
  connection.write(Buffer.alloc(2));
  expect([queue.admits(), giveUp.mock.calls.length]).toEqual([false, 1]);
});

test('a reader that catches up has time while it reads, and is dropped if it stalls for too long', async () => {
  const { connection, giveUp, queue } = scene();
  expect(queue.drained()).toBeUndefined();
  for (let n = 0; n < 3; n++) connection.write(Buffer.alloc(100_000));
  const drained = queue.drained();
  vi.advanceTimersByTime(LIVE_LIMITS.catchUpTimeoutMs - 1);
  connection.resume();
  await drained;
  expect(giveUp).not.toHaveBeenCalled();

  connection.pause();
  for (let n = 0; n < 3; n++) connection.write(Buffer.alloc(100_000));
  const stuck = queue.drained();
  vi.advanceTimersByTime(LIVE_LIMITS.catchUpTimeoutMs);
  await stuck;
  expect(giveUp).toHaveBeenCalledOnce();
});
