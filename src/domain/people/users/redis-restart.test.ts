import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { busyMs } from '../../../../test/support/busy.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import { openRelay } from '../../../../test/support/relay.ts';
import { startRedis } from '../../../../test/support/services/redis.ts';
import { heartbeat } from './heartbeat.ts';
import { setPresence } from './test/requests.ts';
import { collectPresence, movedClock, openProcess, randomWallet } from './test/scene.ts';

const MINUTE = 60_000;
const SHOWN = { live: true, spacePublic: true };

/** A Redis server for this test that can restart behind a stable address. */
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
    /** Ends the server, which loses its data. */
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

test('after Redis loses all data, users with heartbeats stay live and silent users expire', async () => {
  const redis = await restartableRedis();
  const clock = movedClock();
  const options = { clock, databaseUrl: await testDatabase(), redisUrl: redis.url, presence: true };
  const [one, two] = [await openProcess(options), await openProcess(options)];
  const [ada, bob] = [randomWallet(), randomWallet()];
  const events = await collectPresence(one);
  await setPresence(one, ada, SHOWN);
  await setPresence(two, bob, SHOWN);
  await vi.waitFor(() => expect(events).toHaveLength(2));

  await redis.kill();
  // More than two minutes without Redis. Only one of the users sends heartbeats, to another process.
  for (let i = 0; i < 3; i++) {
    clock.offsetMs += MINUTE;
    expect(await heartbeat(two, ada)).toBe(true);
  }
  await redis.start();
  await vi.waitFor(async () => expect(await one.heartbeats.lastHeard([ada])).not.toEqual([null]));
  await vi.waitFor(() => expect(events.at(-1)).toMatchObject({ kind: 'left', wallet: bob }));
  expect(events.map(({ kind }) => kind)).toEqual(['joined', 'joined', 'left']);
  expect(await heartbeat(one, ada)).toBe(true);
  expect(await heartbeat(two, bob)).toBe(false);

  clock.offsetMs += 2 * MINUTE + 1;
  await vi.waitFor(() => expect(events.at(-1)).toMatchObject({ kind: 'left', wallet: ada }));
}, 240_000);

test('heartbeats are answered while Redis is unavailable', async () => {
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
