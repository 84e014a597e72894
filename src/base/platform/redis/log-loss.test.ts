import { expect, inject, onTestFinished, test } from 'vitest';
import { openRelay } from '../../../../test/support/relay.ts';
import type { Logger } from '../log/log.ts';
import { logLoss } from './log-loss.ts';
import { connectRedis } from './redis.ts';

test('an outage of Redis is one line at its beginning and one at its end, however often the connection is tried', async () => {
  const relay = await openRelay(inject('redisUrl'));
  const redis = connectRedis(relay.url, {
    retryStrategy: () => 10,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
  });
  onTestFinished(() => redis.disconnect());
  const lines: string[] = [];
  const write = (...args: unknown[]) => void lines.push(args.at(-1) as string);
  logLoss(redis, { warn: write, info: write } as unknown as Logger, 'test');
  let tries = 0;
  redis.on('reconnecting', () => tries++);
  await expect.poll(() => redis.status).toBe('ready');
  for (const outage of [1, 2]) {
    tries = 0;
    await relay.cut();
    await expect.poll(() => tries).toBeGreaterThan(10);
    await relay.mend();
    await expect.poll(() => redis.status).toBe('ready');
    expect(lines).toHaveLength(2 * outage);
  }
  expect(lines.slice(0, 2)).toEqual(['test: redis connection lost', 'test: redis answers again']);
});
