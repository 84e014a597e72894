import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openRelay } from '../../../test/support/relay.ts';
import { startRedis } from '../../../test/support/services/redis.ts';
import { createLog } from './log/log.ts';
import { createRedisRecentLists } from './recent-lists.ts';

test('processes share the lists, and each keeps its own entries while Redis is away', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-redis-'));
  const redis = await startRedis(folder);
  const relay = await openRelay(redis.redisUrl);
  const [one, two] = [0, 1].map(() => createRedisRecentLists(relay.url, 'test:', createLog('silent'))) as [
    ReturnType<typeof createRedisRecentLists>,
    ReturnType<typeof createRedisRecentLists>,
  ];
  onTestFinished(async () => {
    one.close();
    two.close();
    await redis.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  // Both connections are open once an entry of each has arrived at the other.
  await expect
    .poll(
      async () => {
        one.add('warm', 'one');
        two.add('warm', 'two');
        return [(await two.read('warm')).includes('one'), (await one.read('warm')).includes('two')];
      },
      { timeout: 60_000 },
    )
    .toEqual([true, true]);
  one.add('shop', 'first');
  await expect.poll(() => two.read('shop')).toEqual(['first']);

  await relay.cut();
  one.add('shop', 'second');
  await expect.poll(() => one.read('shop')).toEqual(['second']);
  expect(await two.read('shop')).toEqual([]);

  await relay.mend();
  await expect.poll(() => one.read('shop')).toEqual(['second', 'first']);
  await expect.poll(() => two.read('shop')).toEqual(['first']);
});
