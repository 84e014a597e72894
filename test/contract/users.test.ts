import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importUsers } from '../../src/domain/people/users/import.ts';
import { createDatabase } from '../support/database.ts';
import { openRelay } from '../support/relay.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';

const wallet = (n: number) => `0x${String(n).padStart(40, '0')}`;
const MINUTE = 60_000;

let server: TestServer;
let merchant: TestMerchant;
let offsetMs = 0;
const clock = () => Date.now() + offsetMs;

/** The rows of these tests: XP falls with the number, 3 and 4 are equals. */
const rows = () => [
  {
    wallet: wallet(1),
    displayName: 'Ada Lovelace',
    xp: 900,
    domains: ['math', 'poetry'],
    platforms: ['web'],
    languages: ['en', 'fr'],
  },
  { wallet: wallet(2), displayName: 'Émile_100%', xp: 800.5, domains: ['math'], languages: ['fr'] },
  {
    wallet: wallet(4),
    displayName: '<b>Dora</b>',
    xp: 700,
    domains: ['art'],
    platforms: ['web', 'tv'],
    languages: ['en'],
  },
  { wallet: wallet(3), displayName: 'Chen', xp: 700, bio: 'x', pfpUrl: 'https://pics.example/chen.png' },
  {
    wallet: wallet(5),
    displayName: 'Eve',
    xp: 100,
    live: true,
    spacePublic: true,
    spaceUrl: 'https://space.example/eve',
    platform: 'web',
    liveSince: clock() - MINUTE,
    lastHeartbeat: clock() - 1_000,
    languages: ['en'],
    domains: ['art'],
  },
  {
    wallet: wallet(6),
    displayName: 'Zoe\u0308 Faye',
    xp: 90,
    live: true,
    spacePublic: false,
    lastHeartbeat: clock() - 1_000,
  },
  {
    wallet: wallet(7),
    displayName: 'Gus Σίσυφος',
    xp: 80,
    live: true,
    spacePublic: true,
    lastHeartbeat: clock() - 3 * MINUTE,
  },
];

async function* linesOf(records: readonly object[]) {
  yield Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
}

beforeAll(async () => {
  server = await startTestServer({ clock });
  merchant = await server.merchant({ scopes: ['users:read'] });
  expect(await importUsers(server.deps, linesOf(rows()))).toMatchObject({ imported: 7, refused: 0 });
});
afterAll(() => server.stop());

const search = (query = '') => server.call('GET', `/api/users/search${query}`, { headers: merchant.auth });
async function found(query: string): Promise<number[]> {
  const { status, body } = await search(query);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.users.map((user: { wallet: string }) => Number(user.wallet));
}

describe('GET /api/users/search', () => {
  // Contract: users.fields, users.space-public, users.search
  test('answers all users by XP, the most first, and among equals by wallet, in the contract’s fields', async () => {
    const { status, body } = await search();
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['users', 'total']);
    expect(body.users.map((user: { wallet: string }) => Number(user.wallet))).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(body.total).toBe(7);
    expect(body.users[0]).toEqual({
      wallet: wallet(1),
      displayName: 'Ada Lovelace',
      pfpUrl: '',
      xp: 900,
      live: false,
      lastSeen: null,
      lastHeartbeat: null,
      domains: ['math', 'poetry'],
      platforms: ['web'],
      languages: ['en', 'fr'],
      spacePublic: false,
    });
    expect(body.users[4].spacePublic).toBe(true);
    expect(body.users[1].xp).toBe(800.5);
    expect(body.users[3].displayName).toBe('<b>Dora</b>');
  });

  // Contract: users.q, users.lists, users.xp, users.live
  test.each([
    ['?q=LOVE', [1]],
    ['?q=%C3%A9MILE', [2]],
    // The other form of the letter (NFD), in the search and in the name.
    ['?q=e%CC%81mile', [2]],
    ['?q=ZO%C3%8B', [6]],
    [`?q=${encodeURIComponent('ΣΊΣΥΦΟΣ')}`, [7]],
    [`?q=${encodeURIComponent('υφοσ')}`, [7]],
    [`?q=${wallet(3).toUpperCase()}`, [3]],
    ['?q=%25', [2]],
    ['?q=_', [2]],
    ['?q=a_a', []],
    ['?q=%3Cb%3E', [4]],
    ["?q=';drop%20table%20users;--", []],
    ['?domains=math', [1, 2]],
    ['?domains=math,poetry', [1]],
    ['?domains=%20math%20,,poetry', [1]],
    ['?domains=math&languages=fr', [1, 2]],
    ['?platforms=web,tv', [4]],
    ['?languages=en,fr', [1]],
    ['?languages=EN', []],
    ['?minXp=700&maxXp=800.5', [2, 3, 4]],
    ['?minXp=0', [1, 2, 3, 4, 5, 6, 7]],
    ['?maxXp=80', [7]],
    ['?minXp=1000', []],
    ['?live=true', [5]],
    ['?live=false', [1, 2, 3, 4, 5, 6, 7]],
    ['?live=true&q=eve&domains=art&minXp=1', [5]],
  ] as const)('%s finds %j', async (query, numbers) => {
    expect(await found(query)).toEqual(numbers);
  });

  // Contract: users.search, users.scan
  test('the first by XP are scanned, then filtered, then cut to the limit; the total counts before the cut', async () => {
    expect(await found('?limit=1&scan=2&domains=art')).toEqual([]);
    expect(await found('?limit=1&scan=4&domains=art')).toEqual([4]);
    const { body } = await search('?limit=2&scan=3');
    expect(body.users).toHaveLength(2);
    expect(body.total).toBe(3);
    expect((await search('?limit=2&q=zzz')).body).toEqual({ users: [], total: 0 });
  });

  // Contract: users.limit, users.scan, limits.search
  test.each([
    ['?limit=0', 1],
    ['?limit=-5', 1],
    ['?limit=2.9', 2],
    ['?limit=1e9', 7],
    ['?limit=Infinity', 7],
    ['?limit=-Infinity', 1],
    ['?limit=', 7],
    ['?limit=banana', 7],
    ['?limit=NaN', 7],
    ['?scan=0', 7],
    ['?scan=0&limit=3', 3],
    ['?scan=1&limit=5', 5],
    ['?scan=99999999999999999999', 7],
    ['?scan=null', 7],
  ])('%s is brought into range rather than refused', async (query, count) => {
    expect(await found(query)).toHaveLength(count);
  });

  // Contract: users.xp, limits.search
  test.each([
    ['?minXp=-1', 'minXp'],
    ['?maxXp=-0.5', 'maxXp'],
    ['?minXp=abc', 'minXp'],
    ['?maxXp=1e400', 'maxXp'],
    ['?minXp=NaN', 'minXp'],
    ['?live=yes', 'live'],
    ['?q=%00', 'q'],
    [`?q=${'x'.repeat(257)}`, 'q'],
    [`?domains=${Array.from({ length: 51 }, (_, i) => i).join(',')}`, 'domains'],
    [`?languages=${'x'.repeat(65)}`, 'languages[0]'],
    ['?languages=a%00b', 'languages'],
  ])('%s is invalid_input and names the parameter', async (query, field) => {
    const { status, body } = await search(query);
    expect([status, body.error, body.field]).toEqual([400, 'invalid_input', field]);
  });

  test('a user is live only with a public space and recent heartbeats', async () => {
    const { body } = await search();
    const live = body.users.filter((user: { live: boolean }) => user.live);
    expect(live.map((user: { wallet: string }) => Number(user.wallet))).toEqual([5]);
  });
});

// Contract: users.limit, users.scan, limits.search
test('without a limit 25 are answered, a hundred at most; without scan 400 are looked at, a thousand at most', async () => {
  const own = await startTestServer();
  const { auth } = await own.merchant({ scopes: ['users:read'] });
  const many = Array.from({ length: 1_001 }, (_, i) => ({ wallet: wallet(1_000 + i), displayName: 'Many', xp: i }));
  expect(await importUsers(own.deps, linesOf(many))).toMatchObject({ imported: 1_001 });
  for (const [query, count, total] of [
    ['', 25, 400],
    ['?limit=101', 100, 400],
    ['?scan=1001', 25, 1_000],
    ['?limit=1000&scan=1000', 100, 1_000],
    ['?scan=1&limit=30', 30, 30],
  ] as const) {
    const { body } = await own.call('GET', `/api/users/search${query}`, { headers: auth });
    expect([query, body.users.length, body.total]).toEqual([query, count, total]);
  }
  await own.stop();
});

describe('GET /api/users/live', () => {
  // Contract: users.live-list, users.live-fields, users.space-public
  test('lists who is live in public with a heartbeat of the last two minutes, in the contract’s fields', async () => {
    const { status, body } = await server.call('GET', '/api/users/live', { headers: merchant.auth });
    expect(status).toBe(200);
    expect(body).toEqual({
      live: [
        {
          wallet: wallet(5),
          displayName: 'Eve',
          pfpUrl: '',
          spaceUrl: 'https://space.example/eve',
          liveSince: expect.any(Number),
          lastHeartbeat: expect.any(Number),
          languages: ['en'],
          domains: ['art'],
          platform: 'web',
          spacePublic: true,
        },
      ],
    });
  });

  // Contract: users.live-list, users.live, limits.presence
  test('omits users without a heartbeat in the last two minutes', async () => {
    offsetMs += 2 * MINUTE;
    const { body } = await server.call('GET', '/api/users/live', { headers: merchant.auth });
    expect(body).toEqual({ live: [] });
    expect(await found('?live=true')).toEqual([]);
    offsetMs -= 2 * MINUTE;
  });
});

// Contract: users.search-degraded, users.live-degraded
test('with the database away both answer 200, empty and degraded', async () => {
  const database = await createDatabase();
  const relay = await openRelay(database.databaseUrl);
  const own = await startTestServer({ databaseUrl: relay.url });
  const { auth } = await own.merchant({ scopes: ['users:read'] });
  await own.call('GET', '/api/users/live', { headers: auth });
  await relay.cut();
  const degraded = { degraded: true, reason: 'datastore_unavailable' };
  const searched = await own.call('GET', '/api/users/search?q=x', { headers: auth });
  expect([searched.status, searched.body]).toEqual([200, { users: [], ...degraded }]);
  const listed = await own.call('GET', '/api/users/live', { headers: auth });
  expect([listed.status, listed.body]).toEqual([200, { live: [], ...degraded }]);
  await relay.mend();
  await own.stop();
  await database.drop();
});
