import { expect, test } from 'vitest';
import { holdLocks, testDatabase } from '../../../../test/support/database.ts';
import { pngOf } from '../../../../test/support/picture.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { readImage, storePictures } from '../../../base/records/images/store.ts';
import { sweepProfilePictures } from './profile-pictures.ts';
import { upsertUser } from './test/requests.ts';
import { movedClock, openProcess, randomWallet } from './test/scene.ts';

const HOUR = 3_600_000;
const [blue, red] = [pngOf('blue'), pngOf('red')];

async function openScene(databaseUrl?: string) {
  const clock = movedClock();
  const deps = await openProcess({ clock, databaseUrl });
  const show = async (wallet: Wallet, pfpUrl: string) => (await upsertUser(deps, wallet, { pfpUrl })).pfpUrl;
  /** Deletes what was given more than an hour ago. */
  const sweep = () => sweepProfilePictures(deps.db, deps.clock() - HOUR);
  const isServed = async (path: string) => (await readImage(deps.db, path.slice('/images/'.length))) !== null;
  return { deps, clock, show, sweep, isServed };
}

test('a picture is deleted an hour after the last profile has replaced it', async () => {
  const { clock, show, sweep, isServed } = await openScene();
  const [ada, bob] = [randomWallet(), randomWallet()];
  const path = await show(ada, blue);
  expect(await show(bob, blue)).toBe(path);
  await show(ada, red);
  clock.offsetMs += 2 * HOUR;
  expect(await sweep()).toBe(0);
  const later = await show(bob, red);
  expect(await sweep()).toBe(1);
  expect([await isServed(path), await isServed(later)]).toEqual([false, true]);
});

test('a picture that is given again while it is deleted stays', async () => {
  const databaseUrl = await testDatabase();
  const { deps, clock, sweep, isServed } = await openScene(databaseUrl);
  const path = (await storePictures(deps.db, deps.clock(), [blue])).get(blue)!;
  clock.offsetMs += 2 * HOUR;
  const held = await holdLocks(databaseUrl, 'update images set created_at = $1', [deps.clock()]);
  const swept = sweep();
  await held.untilWaiting(1);
  await held.commit();
  expect(await swept).toBe(0);
  expect(await isServed(path)).toBe(true);
});

test('a profile that is written back as it was read keeps its picture', async () => {
  const { clock, show, sweep, isServed } = await openScene();
  const ada = randomWallet();
  const path = await show(ada, blue);
  expect(await show(ada, `https://pay.example${path}`)).toBe(path);
  clock.offsetMs += 2 * HOUR;
  expect(await sweep()).toBe(0);
  expect(await isServed(path)).toBe(true);
});
