import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { busyMs } from '../../test/support/busy.ts';
import { testDatabase } from '../../test/support/database.ts';
import { openRelay } from '../../test/support/relay.ts';
import { startRedis } from '../../test/support/services/redis.ts';
import { heartbeat } from './heartbeat.ts';
import { setPresence } from './set-presence.ts';
import { collectPresence, movedClock, openProcess, randomWallet } from './test/scene.ts';

const MINUTE = 60_000;
const SHOWN = { live: true, spacePublic: true };

/** A Redis of the test's own behind an address that stays, whichever server is behind it. */
async function restartableRedis() {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-redis-'));
  let server = await startRedis(folder);
  const relay = await openRelay(server.redisUrl);
  onTestFinished(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    url: relay.url,
    /** Ends the server, which forgets all. */
    async kill() {
      await relay.cut();
      await server.stop();
    },
    async start() {
      server = await startRedis(folder);
      relay.leadTo(server.redisUrl);
      await relay.mend();
    },
  };
}

test('Redis may die and forget everything: nobody who is heard of has left, and whoever is not leaves all the same', async () => {
  const redis = await restartableRedis();
  const clock = movedClock();
  const options = { clock, databaseUrl: await testDatabase(), redisUrl: redis.url, presence: true };
  const [one, two] = [await openProcess(options), await openProcess(options)];
  const [ada, bob] = [randomWallet(), randomWallet()];
  const told = await collectPresence(one);
  await setPresence(one, ada, SHOWN);
  await setPresence(two, bob, SHOWN);
  await vi.waitFor(() => expect(told).toHaveLength(2), { timeout: 30_000 });

  await redis.kill();
  // Longer than two minutes without Redis, in which only one of them is heard of, by another process.
  for (let i = 0; i < 3; i++) {
    clock.offsetMs += MINUTE;
    expect(await heartbeat(two, ada)).toBe(true);
  }
  await redis.start();
  await vi.waitFor(async () => expect(await one.heartbeats.lastHeard([ada])).not.toEqual([null]), { timeout: 30_000 });
  await vi.waitFor(() => expect(told.at(-1)).toMatchObject({ kind: 'left', wallet: bob }), { timeout: 30_000 });
  expect(told.map(({ kind }) => kind)).toEqual(['joined', 'joined', 'left']);
  expect(await heartbeat(one, ada)).toBe(true);
  expect(await heartbeat(two, bob)).toBe(false);

  clock.offsetMs += 2 * MINUTE + 1;
  await vi.waitFor(() => expect(told.at(-1)).toMatchObject({ kind: 'left', wallet: ada }), { timeout: 30_000 });
}, 240_000);

test('with Redis away heartbeats are answered, and reach the database', async () => {
  const redis = await restartableRedis();
  const deps = await openProcess({ redisUrl: redis.url, presence: true });
  const ada = randomWallet();
  await setPresence(deps, ada, SHOWN);
  await redis.kill();
  const started = performance.now();
  expect(await heartbeat(deps, ada)).toBe(true);
  expect(performance.now() - started).toBeLessThan(busyMs(1_000));
  await redis.start();
});
