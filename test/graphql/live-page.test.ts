import { afterAll, beforeAll, expect, test } from 'vitest';
import { issuePageToken, PAGE_TOKEN_MS } from '../../src/domain/access/gateway/page-token.ts';
import { newAccount, startTestServer, type TestServer } from '../support/server.ts';
import { ask, codeOf, follow, socketClient } from './ask.ts';

const LIVE = '{ liveUsers { wallet displayName platform spaceUrl liveSince xp languages } }';
const PRESENCE = 'subscription { livePresence { kind wallet user { displayName live liveSince platform } } }';
const SET =
  'mutation ($live: Boolean!, $spacePublic: Boolean) { setPresence(live: $live, spacePublic: $spacePublic, platform: "web") { wallet } }';

/** What a stream that is not to be had says. */
const codesOf = (refusal: { errors?: { extensions?: { code?: string } }[] }) => refusal.errors?.[0]?.extensions?.code;

let server: TestServer;
let page: { authorization: string };
beforeAll(async () => {
  server = await startTestServer();
  page = { authorization: `Bearer ${await issuePageToken(server.deps.settings, 'live', Date.now())}` };
});
afterAll(() => server.stop());

test('the token of the live page reads who is live, and follows it with those who are signed in', async () => {
  const account = newAccount();
  const wallet = account.address.toLowerCase();
  const session = await server.signIn(account);
  await ask(server, session, SET, { live: true, spacePublic: true });
  const listed = await ask(server, page, LIVE);
  expect(listed.body.data.liveUsers).toMatchObject([{ wallet, platform: 'web', xp: 0 }]);

  const followed = follow<{ livePresence: object }>(socketClient(server, page), PRESENCE);
  expect(await followed.next()).toMatchObject({
    livePresence: { kind: 'joined', wallet, user: { live: true, liveSince: expect.any(Number) } },
  });
  await ask(server, session, SET, { live: true, spacePublic: false });
  // Becoming private is leaving. Nothing after it is sent to others, or to the wallet itself over this stream.
  expect(await followed.next()).toEqual({
    livePresence: {
      kind: 'left',
      wallet,
      user: { displayName: '', live: false, liveSince: null, platform: '' },
    },
  });
  await followed.end();
});

test('it opens nothing else: no other field, no write, no route', async () => {
  const { wallet } = await server.merchant();
  const queries = [
    '{ leaderboard { wallet } }',
    '{ searchUsers { total } }',
    `{ user(wallet: "${wallet}") { xp } }`,
    `{ follows(wallet: "${wallet}") { followersCount } }`,
    '{ me { wallet } }',
    '{ receipts { nodes { receiptId } } }',
    '{ receiptsCursor }',
    '{ receipt(receiptId: "x") { status } }',
    '{ shopConfig { name } }',
    `{ plans(wallet: "${wallet}") { nodes { name } } }`,
    'mutation { heartbeat }',
    'mutation { setPresence(live: true) { wallet } }',
    'mutation { logout }',
    'mutation { reportTracking(receiptId: "x", status: "link_opened") { status } }',
  ];
  for (const query of queries) expect([query, codeOf(await ask(server, page, query))]).toEqual([query, 'forbidden']);
  const streams = [
    `subscription { presenceOf(wallets: ["${wallet}"]) { kind } }`,
    'subscription { receiptStatuses { seq } }',
    'subscription { receiptStatus(receiptId: "x") { seq } }',
    'subscription { subscriptionEvents { cursor } }',
  ];
  for (const query of streams) {
    const refused = await follow(socketClient(server, page), query).next().catch(codesOf);
    expect([query, refused]).toEqual([query, 'forbidden']);
  }
  for (const route of ['/api/users/live', '/api/users/search', '/api/receipts', '/api/inventory', '/api/auth/me'])
    expect([route, (await server.call('GET', route, { headers: page })).status]).toEqual([route, 403]);
});

test('it is good for its time, and no other page’s token passes for it', async () => {
  const { settings } = server.deps;
  const worn = await issuePageToken(settings, 'live', Date.now() - PAGE_TOKEN_MS - 1_000);
  expect((await ask(server, { authorization: `Bearer ${worn}` }, LIVE)).status).toBe(401);
  const { wallet } = await server.merchant();
  for (const subject of [
    { merchant: wallet, receiptId: 'live' },
    { merchant: wallet, planId: 'live' },
  ]) {
    const token = await issuePageToken(settings, subject, Date.now());
    expect(codeOf(await ask(server, { authorization: `Bearer ${token}` }, LIVE))).toBe('forbidden');
  }
});

test('a key without users:read is refused the stream that others share', async () => {
  const { auth } = await server.merchant({ scopes: ['graphql:read'] });
  const shared = follow<{ livePresence: object }>(socketClient(server, page), PRESENCE);
  const first = shared.next();
  const refused = await follow(socketClient(server, auth), PRESENCE).next().catch(codesOf);
  expect(refused).toBe('forbidden');
  await ask(server, await server.signIn(newAccount()), SET, { live: true, spacePublic: true });
  expect(await first).toMatchObject({ livePresence: { kind: 'joined' } });
  await shared.end();
});

test('between a merchant’s list of receipts and the stream after its cursor nothing is missed', async () => {
  const { auth } = await server.merchant();
  const make = (id: string) =>
    server.call('POST', '/api/receipts', { headers: auth, body: { id, lineItems: [{ label: 'x', priceUsd: 5 }] } });
  await make('before');
  const { receiptsCursor: after } = (await ask(server, auth, '{ receiptsCursor }')).body.data;
  await make('between');
  const { receipts } = (await ask(server, auth, '{ receipts { nodes { receiptId } } }')).body.data;
  expect(receipts.nodes).toHaveLength(2);
  const query = 'subscription ($after: String) { receiptStatuses(after: $after) { receiptId cursor } }';
  const followed = follow<{ receiptStatuses: { receiptId: string } }>(socketClient(server, auth), query, { after });
  // What an older open transaction anywhere holds back may come again; what was made in between comes.
  let receiptId: string;
  do ({ receiptId } = (await followed.next()).receiptStatuses);
  while (receiptId !== 'between');
  await followed.end();
  const { auth: other } = await server.merchant({ scopes: ['graphql:read'] });
  expect(codeOf(await ask(server, other, '{ receiptsCursor }'))).toBe('forbidden');
  expect(codeOf(await ask(server, {}, '{ receiptsCursor }'))).toBe('unauthorized');
});
