import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importUsers } from '../../src/domain/people/users/import.ts';
import { newAccount, startTestServer, type TestServer } from '../support/server.ts';
import { ask, codeOf, follow, socketClient } from './ask.ts';

const PROFILE = `wallet displayName pfpUrl bio xp domains platforms languages live liveSince lastSeen lastHeartbeat spacePublic spaceUrl platform
  followersCount followingCount`;
const UPSERT = `mutation ($input: UserInput!) { upsertUser(input: $input) { ${PROFILE} } }`;
const SET = `mutation ($live: Boolean!, $spacePublic: Boolean, $platform: String, $spaceUrl: String) {
  setPresence(live: $live, spacePublic: $spacePublic, platform: $platform, spaceUrl: $spaceUrl) { ${PROFILE} } }`;
const USER = `query ($wallet: Wallet!) { user(wallet: $wallet) { ${PROFILE} } }`;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

async function signedIn() {
  const account = newAccount();
  return { wallet: account.address.toLowerCase(), session: await server.signIn(account) };
}

describe('a signed-in wallet', () => {
  test('says who it is, and others read it; what it leaves out stays', async () => {
    const { wallet, session } = await signedIn();
    const input = {
      displayName: '<img src=x onerror=alert(1)>',
      bio: 'Line\none',
      pfpUrl: 'https://pics.example/a.png',
      domains: ['art', 'art', ' code '],
      languages: ['en'],
    };
    const made = await ask(server, session, UPSERT, { input });
    expect(made.body.data.upsertUser).toMatchObject({ ...input, wallet, xp: 0, domains: ['art', 'code'], live: false });
    await ask(server, session, UPSERT, { input: { bio: '' } });
    const { auth } = await server.merchant({ scopes: ['graphql:read'] });
    const read = await ask(server, auth, USER, { wallet });
    expect(read.body.data.user).toMatchObject({ displayName: input.displayName, bio: '', languages: ['en'] });
    expect((await ask(server, auth, USER, { wallet: `0x${'0'.repeat(40)}` })).body.data.user).toBeNull();
  });

  test.each([
    [{ displayName: 'x'.repeat(257) }, 'displayName'],
    [{ displayName: 'NUL \0' }, 'displayName'],
    [{ bio: 'lone \ud800' }, 'bio'],
    [{ bio: 'x'.repeat(1_001) }, 'bio'],
    [{ pfpUrl: 'javascript:alert(1)' }, 'pfpUrl'],
    [{ pfpUrl: 'data:text/html,<script>' }, 'pfpUrl'],
    [{ domains: Array.from({ length: 51 }, String) }, 'domains'],
    [{ domains: ['a,b'] }, 'domains[0]'],
    [{ languages: ['x'.repeat(65)] }, 'languages[0]'],
    [{ platforms: [''] }, 'platforms[0]'],
  ])('%j is invalid_input', async (input, field) => {
    const { session } = await signedIn();
    const answer = await ask(server, session, UPSERT, { input });
    expect(codeOf(answer), JSON.stringify(answer.body)).toBe('invalid_input');
    expect(answer.body.errors[0].extensions.field).toBe(field);
  });

  test('needs its CSRF token to write, cannot write XP or counts, and other callers cannot write at all', async () => {
    const { session } = await signedIn();
    const merchant = await server.merchant();
    for (const mutation of [
      'mutation { heartbeat }',
      'mutation { setPresence(live: true) { wallet } }',
      'mutation { upsertUser(input: {}) { wallet } }',
      `mutation { follow(wallet: "${merchant.wallet}") { followersCount } }`,
      `mutation { unfollow(wallet: "${merchant.wallet}") { followersCount } }`,
    ]) {
      expect(codeOf(await ask(server, { cookie: session.cookie as string }, mutation)), mutation).toBe('forbidden');
      expect(codeOf(await ask(server, merchant.auth, mutation)), mutation).toBe('forbidden');
      expect(codeOf(await ask(server, {}, mutation)), mutation).toBe('unauthorized');
    }
    for (const field of ['xp: 5', 'followersCount: 5', 'live: true'])
      expect(codeOf(await ask(server, session, `mutation { upsertUser(input: { ${field} }) { wallet } }`))).toBe(
        'invalid_input',
      );
  });

  test('is live while its heart beats; where, others see only of a public space', async () => {
    const { wallet, session } = await signedIn();
    const other = await signedIn();
    const beat = async () => (await ask(server, session, 'mutation { heartbeat }')).body.data.heartbeat;
    expect(await beat()).toBe(false);
    const own = await ask(server, session, SET, { live: true, spaceUrl: 'https://space.example/a', platform: 'web' });
    expect(own.body.data.setPresence).toMatchObject({
      live: true,
      spacePublic: false,
      spaceUrl: 'https://space.example/a',
    });
    expect(await beat()).toBe(true);
    const hidden = await ask(server, other.session, USER, { wallet });
    expect(hidden.body.data.user).toMatchObject({ live: false, liveSince: null, spaceUrl: '', platform: '' });
    await ask(server, session, SET, { live: true, spacePublic: true });
    const shown = await ask(server, other.session, USER, { wallet });
    expect(shown.body.data.user).toMatchObject({ live: true, spaceUrl: 'https://space.example/a', platform: 'web' });
    const listed = await ask(server, other.session, '{ liveUsers { wallet } }');
    expect(listed.body.data.liveUsers).toContainEqual({ wallet });
    expect(codeOf(await ask(server, session, SET, { live: true, spaceUrl: 'http://space.example' }))).toBe(
      'invalid_input',
    );
    expect(codeOf(await ask(server, session, SET, { live: true, platform: 'x'.repeat(65) }))).toBe('invalid_input');
    await ask(server, session, SET, { live: false });
    expect(await beat()).toBe(false);
  });

  test('follows and is followed', async () => {
    const [ada, bob] = [await signedIn(), await signedIn()];
    await ask(server, ada.session, UPSERT, { input: {} });
    const FOLLOW = 'mutation ($w: Wallet!) { follow(wallet: $w) { followersCount viewerFollows } }';
    expect((await ask(server, bob.session, FOLLOW, { w: ada.wallet })).body.data.follow).toEqual({
      followersCount: 1,
      viewerFollows: true,
    });
    expect(codeOf(await ask(server, bob.session, FOLLOW, { w: bob.wallet }))).toBe('invalid_input');
    expect(codeOf(await ask(server, bob.session, FOLLOW, { w: newAccount().address }))).toBe('not_found');
    const FOLLOWS =
      'query ($w: Wallet!, $v: Wallet) { follows(wallet: $w, viewer: $v) { followersCount followingCount viewerFollows } }';
    const { auth } = await server.merchant({ scopes: ['graphql:read'] });
    const of = async (headers: Record<string, string>, v?: string) =>
      (await ask(server, headers, FOLLOWS, { w: ada.wallet, v })).body.data.follows.viewerFollows;
    expect([await of(auth), await of(auth, bob.wallet), await of(bob.session), await of(ada.session)]).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});

test('the leaderboard is by XP; its limit is 1 to 200', async () => {
  const { auth } = await server.merchant({ scopes: ['graphql:read'] });
  for (const limit of [0, 201, -1])
    expect(codeOf(await ask(server, auth, `{ leaderboard(limit: ${limit}) { wallet } }`))).toBe('invalid_input');
  const users = Array.from({ length: 60 }, (_, n) => ({
    wallet: newAccount().address.toLowerCase(),
    xp: (n * 37) % 60,
  }));
  const lines = users.map((user) => JSON.stringify(user)).join('\n');
  await importUsers(server.deps, Readable.from([Buffer.from(lines)]));
  const board = async (args: string) =>
    (await ask(server, auth, `{ leaderboard${args} { wallet xp } }`)).body.data.leaderboard;
  const best = users.toSorted((a, b) => b.xp - a.xp);
  expect(await board('(limit: 3)')).toEqual(best.slice(0, 3));
  expect(await board('')).toEqual(best.slice(0, 50));
});

test('live presence is streamed only to keys with users:read and to sessions', async () => {
  const { wallet, session } = await signedIn();
  await ask(server, session, UPSERT, { input: { displayName: 'Ada' } });
  const merchant = await server.merchant({ scopes: ['graphql:read', 'users:read'] });
  const client = socketClient(server, merchant.auth);
  const stream = follow<{ presenceOf: { kind: string; user: { displayName: string; spaceUrl: string } } }>(
    client,
    'subscription ($w: [Wallet!]!) { presenceOf(wallets: $w) { kind at wallet user { displayName live spaceUrl } } }',
    { w: [wallet] },
  );
  const first = stream.next();
  await ask(server, session, SET, { live: true, spacePublic: true, spaceUrl: 'https://space.example/x' });
  expect((await first).presenceOf).toMatchObject({ kind: 'joined', user: { displayName: 'Ada', live: true } });
  await ask(server, session, SET, { live: true, spacePublic: false });
  expect((await stream.next()).presenceOf).toMatchObject({ kind: 'left', user: { live: false, spaceUrl: '' } });
  await stream.end();
  await client.dispose();

  const shut = await server.merchant({ scopes: ['graphql:read', 'receipts:read'] });
  for (const query of [
    'subscription { livePresence { kind } }',
    `subscription { presenceOf(wallets: ["${wallet}"]) { kind } }`,
  ]) {
    const refused = socketClient(server, shut.auth);
    const error = await follow(refused, query)
      .next()
      .catch((thrown: { errors: [{ extensions: { code: string } }] }) => thrown);
    expect((error as { errors: [{ extensions: { code: string } }] }).errors[0].extensions.code).toBe('forbidden');
    await refused.dispose();
  }
});
