import { expect, inject, onTestFinished, test } from 'vitest';
import { createLocalBus, createRedisBus } from './bus.ts';
import { componentLog, createLog } from './log/log.ts';
import { followLogLevels, setLogLevels } from './log-levels.ts';

test('a level reaches the named part of every process through Redis, once for its server and its workers', async () => {
  const redisUrl = inject('redisUrl');
  const prefix = `log-levels-${process.pid}:`;
  const open = () => {
    const log = createLog('error');
    const bus = createRedisBus(redisUrl, prefix, log);
    const followers = [followLogLevels({ bus, log }), followLogLevels({ bus, log })];
    onTestFinished(async () => {
      for (const follower of followers) follower.stop();
      await bus.close();
    });
    return { log, bus };
  };
  const processes = [open(), open()];
  await expect.poll(() => processes.every(({ bus }) => bus.healthy())).toBe(true);
  const command = createRedisBus(redisUrl, prefix, createLog('silent'));
  onTestFinished(() => command.close());
  // A busy process may take the level after the command has counted.
  await expect.poll(() => setLogLevels(command, { component: 'watcher', level: 'debug' })).toBe(2);
  for (const { log } of processes)
    expect([componentLog(log, 'watcher').level, componentLog(log, 'server').level, log.level]).toEqual([
      ...['debug', 'error', 'error'],
    ]);
  await expect.poll(() => setLogLevels(command, { component: null, level: 'warn' })).toBe(2);
  for (const { log } of processes) expect([componentLog(log, 'watcher').level, log.level]).toEqual(['warn', 'warn']);
});

test('nothing is set after a process has stopped to follow', async () => {
  const [log, bus] = [createLog('error'), createLocalBus()];
  const follower = followLogLevels({ bus, log });
  expect(await setLogLevels(bus, { component: null, level: 'warn' })).toBe(1);
  follower.stop();
  expect(await setLogLevels(bus, { component: null, level: 'info' })).toBe(0);
  expect(log.level).toBe('warn');
});
