import { expect, inject, test, vi } from 'vitest';
import { testDatabase } from '../../../../test/support/database.ts';
import { findUser } from './find.ts';
import { heartbeat, writeHeartbeats } from './heartbeat.ts';
import type { PresenceEvent } from './presence-state.ts';
import { shownTo } from './record.ts';
import { setPresence, upsertUser } from './test/requests.ts';
import { collectPresence, movedClock, openProcess, randomWallet } from './test/scene.ts';

const kinds = (events: readonly PresenceEvent[]) => events.map(({ kind }) => kind);
const SHOWN = { live: true, spacePublic: true, spaceUrl: 'https://space.example/a', platform: 'web' };
const MINUTES = 60_000;
const DAY = 86_400_000;

test('a stream starts with the users that are live already, then reports joins, changes and leaves in order', async () => {
  const deps = await openProcess();
  const [ada, bob] = [randomWallet(), randomWallet()];
  await upsertUser(deps, ada, { displayName: 'Ada' });
  await setPresence(deps, ada, SHOWN);
  const events = await collectPresence(deps);
  expect(events.map(({ kind, user }) => [kind, user.displayName])).toEqual([['joined', 'Ada']]);

  await setPresence(deps, bob, SHOWN);
  await upsertUser(deps, bob, { displayName: 'Bob' });
  await setPresence(deps, bob, { live: false });
  await vi.waitFor(() => expect(kinds(events)).toEqual(['joined', 'joined', 'changed', 'left']));
  expect(events.at(-2)?.user.displayName).toBe('Bob');
  expect(events.at(-1)?.user).toMatchObject({ wallet: bob, live: false, liveSince: null, spaceUrl: '', platform: '' });
});

test('a late subscriber sees a long-live user as live, with the original start time', async () => {
  const clock = movedClock();
  const deps = await openProcess({ clock });
  const ada = randomWallet();
  await collectPresence(deps);
  const { liveSince } = await setPresence(deps, ada, SHOWN);
  clock.offsetMs += 10 * MINUTES;
  await heartbeat(deps, ada);
  const [joined] = await collectPresence(deps);
  for (const viewer of [null, ada, randomWallet()])
    expect(shownTo(joined!.user, viewer, clock())).toMatchObject({ live: true, liveSince, platform: 'web' });
});

test('making a space private counts as leaving, and changes of a private user are not reported', async () => {
  const deps = await openProcess();
  const ada = randomWallet();
  const events = await collectPresence(deps);
  await setPresence(deps, ada, { live: true });
  await upsertUser(deps, ada, { displayName: 'Ada' });
  await setPresence(deps, ada, SHOWN);
  await setPresence(deps, ada, { live: true, spacePublic: false, spaceUrl: 'https://space.example/secret' });
  await upsertUser(deps, ada, { displayName: 'Ada again' });
  await setPresence(deps, ada, { live: true, spacePublic: true });
  await vi.waitFor(() => expect(kinds(events)).toEqual(['joined', 'left', 'joined']));
  expect(JSON.stringify(events[1])).not.toContain('secret');
});

test('the times of a user whose space is private do not show others that it is there', async () => {
  const clock = movedClock();
  const deps = await openProcess({ clock });
  const ada = randomWallet();
  await setPresence(deps, ada, { live: true, spacePublic: false });
  const user = (await findUser(deps.db, ada))!;
  const { lastSeen, lastHeartbeat } = user;
  const day = Math.floor(clock() / DAY) * DAY;
  expect(lastHeartbeat).toBeGreaterThanOrEqual(day);
  for (const viewer of [null, randomWallet()])
    expect(shownTo(user, viewer, clock())).toMatchObject({ live: false, lastSeen: day, lastHeartbeat: day });
  expect(shownTo(user, ada, clock())).toMatchObject({ live: true, lastSeen, lastHeartbeat });
});

test('a stream for given wallets reports only those wallets', async () => {
  const deps = await openProcess();
  const [ada, bob] = [randomWallet(), randomWallet()];
  const events = await collectPresence(deps, [ada]);
  await setPresence(deps, bob, SHOWN);
  await setPresence(deps, ada, SHOWN);
  await vi.waitFor(() => expect(events.map(({ wallet }) => wallet)).toEqual([ada]));
});

test('heartbeats keep the start time of a live user, and a heartbeat alone does not make a user live', async () => {
  const clock = movedClock();
  const deps = await openProcess({ clock });
  const ada = randomWallet();
  expect(await heartbeat(deps, ada)).toBe(false);
  const { liveSince } = await setPresence(deps, ada, SHOWN);
  clock.offsetMs += MINUTES;
  expect(await heartbeat(deps, ada)).toBe(true);
  const again = await setPresence(deps, ada, { live: true });
  expect(again.liveSince).toBe(liveSince);
  expect(again.spaceUrl).toBe(SHOWN.spaceUrl);
  await setPresence(deps, ada, { live: false });
  expect(await heartbeat(deps, ada)).toBe(false);
});

test('heartbeats reach the database in batches and never decrease', async () => {
  const clock = movedClock();
  const deps = await openProcess({ clock });
  const wallets = Array.from({ length: 50 }, randomWallet);
  for (const wallet of wallets) await setPresence(deps, wallet, SHOWN);
  clock.offsetMs += MINUTES;
  const at = clock();
  await Promise.all(wallets.map((wallet) => heartbeat(deps, wallet)));
  await writeHeartbeats(deps);
  for (const wallet of wallets) {
    expect((await findUser(deps.db, wallet))?.lastHeartbeat).toBeGreaterThanOrEqual(at);
  }
});

test.each(['in-process', 'redis'])(
  'a user without heartbeats for two minutes has left, and subscribers are notified (%s)',
  async (store) => {
    const clock = movedClock();
    const redisUrl = store === 'redis' ? inject('redisUrl') : undefined;
    const deps = await openProcess({ clock, redisUrl, presence: true });
    const [ada, bob] = [randomWallet(), randomWallet()];
    const events = await collectPresence(deps);
    await setPresence(deps, ada, SHOWN);
    await setPresence(deps, bob, SHOWN);
    await vi.waitFor(() => expect(kinds(events)).toEqual(['joined', 'joined']));
    clock.offsetMs += 1.5 * MINUTES;
    expect(await heartbeat(deps, bob)).toBe(true);
    clock.offsetMs += 1 * MINUTES;
    await vi.waitFor(() => expect(events.at(-1)).toMatchObject({ kind: 'left', wallet: ada }));
    expect(await heartbeat(deps, ada)).toBe(false);
    expect(await heartbeat(deps, bob)).toBe(true);
    expect(await findUser(deps.db, ada)).toMatchObject({ live: false, liveSince: null });
    expect(events).toHaveLength(3);
  },
);

test('of many processes one publishes that a user left, and every process receives it once', async () => {
  const clock = movedClock();
  const databaseUrl = await testDatabase();
  const options = { clock, databaseUrl, redisUrl: inject('redisUrl'), presence: true };
  const processes = await Promise.all(Array.from({ length: 4 }, () => openProcess(options)));
  const streams = await Promise.all(processes.map((deps) => collectPresence(deps)));
  const messages: string[] = [];
  processes[0]?.bus.subscribe('presence', (message) => messages.push(message));
  const wallets = Array.from({ length: 40 }, randomWallet);
  for (const [i, wallet] of wallets.entries()) await setPresence(processes[i % 4]!, wallet, SHOWN);
  await vi.waitFor(() => expect(streams.map((events) => events.length)).toEqual([40, 40, 40, 40]));
  messages.length = 0;
  clock.offsetMs += 2 * MINUTES + 1;
  await vi.waitFor(() => expect(streams.map((events) => events.length)).toEqual([80, 80, 80, 80]));
  for (const events of streams) {
    expect(new Set(events.slice(40).map(({ wallet }) => wallet))).toEqual(new Set(wallets));
    expect(new Set(kinds(events.slice(40)))).toEqual(new Set(['left']));
  }
  const announced = messages.flatMap((message) => JSON.parse(message).users as { wallet: string }[]);
  expect(announced.map(({ wallet }) => wallet).sort()).toEqual([...wallets].sort());
});

test('messages lost by the bus are recovered from the database', async () => {
  const databaseUrl = await testDatabase();
  const [here, there] = [await openProcess({ databaseUrl }), await openProcess({ databaseUrl })];
  const events = await collectPresence(here);
  // Two processes without a common bus: messages of the other process never arrive.
  const ada = randomWallet();
  await setPresence(there, ada, SHOWN);
  await setPresence(there, ada, { live: true, platform: 'phone' });
  // A gap in the message numbers shows that messages were lost.
  here.bus.publish('presence', JSON.stringify({ from: 'there', number: 1, users: [] }));
  here.bus.publish('presence', JSON.stringify({ from: 'there', number: 4, users: [] }));
  await vi.waitFor(() => expect(events).toMatchObject([{ kind: 'joined', user: { platform: 'phone' } }]));
});

test('duplicate and late messages have no effect', async () => {
  const deps = await openProcess();
  const heard: string[] = [];
  deps.bus.subscribe('presence', (message) => heard.push(message));
  const events = await collectPresence(deps);
  const ada = randomWallet();
  await setPresence(deps, ada, SHOWN);
  await setPresence(deps, ada, { live: false });
  await vi.waitFor(() => expect(kinds(events)).toEqual(['joined', 'left']));
  for (const message of [...heard].reverse()) deps.bus.publish('presence', message);
  const bob = randomWallet();
  await setPresence(deps, bob, SHOWN);
  await vi.waitFor(() => expect(events.at(-1)?.wallet).toBe(bob));
  expect(kinds(events)).toEqual(['joined', 'left', 'joined']);
});
