import type { Logger } from '../log/log.ts';
import type { RedisClient } from './redis.ts';

/** Logs when a connection is lost, and when it is there again: one line each, however often it is tried meanwhile. */
export function logLoss(redis: RedisClient, log: Logger, of: string): void {
  let lost = false;
  redis.on('error', (error: Error) => {
    if (!lost) log.warn({ error: error.message }, `${of}: redis connection lost`);
    lost = true;
  });
  redis.on('ready', () => {
    if (lost) log.info(`${of}: redis answers again`);
    lost = false;
  });
}
