import { afterAll, beforeAll, expect, test } from 'vitest';
import { importUsers } from '../../src/domain/people/users/import.ts';
import { ask, codeOf, follow, socketClient } from '../graphql/ask.ts';
import { pngOf } from '../support/picture.ts';
import { newAccount, startTestServer, type TestServer } from '../support/server.ts';
import { runStatement } from '../support/statement.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const LARGE = pngOf(Buffer.alloc(180_000, 7));
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

async function withPicture(pfpUrl: string) {
  const account = newAccount();
  const session = await server.signIn(account);
  const text = 'mutation ($p: String!) { upsertUser(input: { pfpUrl: $p }) { wallet pfpUrl } }';
  const { body } = await ask(server, session, text, { p: pfpUrl });
  return { session, ...(body.data.upsertUser as { wallet: string; pfpUrl: string }) };
}

const countOf = async () =>
  (
    await runStatement<{ n: number }>(
      server.deps.db,
      { name: 'images-n', text: 'select count(*)::int as n from images' },
      [],
    )
  )[0]?.n;

test('a picture given as a data URI is stored once and served by its digest, for ever and as an image only', async () => {
  const first = await withPicture(LARGE);
  expect(first.pfpUrl).toMatch(new RegExp(`^${server.url}/images/[0-9a-f]{64}$`));
  expect((await withPicture(LARGE)).pfpUrl).toBe(first.pfpUrl);
  expect(await countOf()).toBe(1);
  const answer = await fetch(first.pfpUrl);
  expect(answer.status).toBe(200);
  // Opened by itself it is no page of this site.
  expect(answer.headers.get('content-disposition')).toBe('attachment');
  expect(Buffer.from(await answer.arrayBuffer()).equals(Buffer.from(LARGE.split(',')[1]!, 'base64'))).toBe(true);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  });
});

test('an SVG, base64 or percent-encoded, is served under a policy that runs no script', async () => {
  const encoded = await withPicture(`data:image/svg+xml,${encodeURIComponent(SVG)}`);
  const base64 = await withPicture(`data:image/svg+xml;base64,${Buffer.from(SVG).toString('base64')}`);
  expect(encoded.pfpUrl).toBe(base64.pfpUrl);
  const answer = await fetch(encoded.pfpUrl);
  expect(answer.headers.get('content-type')).toBe('image/svg+xml');
  expect(answer.headers.get('content-security-policy')).toContain('sandbox');
  expect(await answer.text()).toBe(SVG);
});

test('an https address stays as it is, the empty text takes the picture back, and what is not stored is 404', async () => {
  expect((await withPicture('https://cdn.example/ada.png')).pfpUrl).toBe('https://cdn.example/ada.png');
  expect((await withPicture('')).pfpUrl).toBe('');
  for (const path of ['0'.repeat(64), 'nothing', `${'0'.repeat(64)}.svg`])
    expect((await fetch(`${server.url}/images/${path}`)).status).toBe(404);
});

test('a live user with a large picture adds its address to presence, and no bytes', async () => {
  const { session, wallet, pfpUrl } = await withPicture(LARGE);
  const presence = follow<{ livePresence: { wallet: string; user: { pfpUrl: string } } }>(
    socketClient(
      server,
      { 'x-csrf-token': session['x-csrf-token'] },
      { cookie: session.cookie as string, origin: server.url },
    ),
    'subscription { livePresence { wallet user { pfpUrl } } }',
  );
  await ask(server, session, 'mutation { setPresence(live: true, spacePublic: true) { wallet } }');
  expect((await presence.next()).livePresence).toEqual({ wallet, user: { pfpUrl } });
  await presence.end();
  const listed = await ask(server, session, '{ liveUsers(limit: 1) { wallet pfpUrl } }');
  expect(listed.body.data.liveUsers).toEqual([{ wallet, pfpUrl }]);
  for (const limit of [0, 1_001])
    expect(codeOf(await ask(server, session, `{ liveUsers(limit: ${limit}) { wallet } }`))).toBe('invalid_input');
});

test('an import stores pictures too', async () => {
  const wallet = newAccount().address.toLowerCase();
  const lines = [`${JSON.stringify({ wallet, pfpUrl: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=' })}\n`];
  async function* chunks() {
    yield Buffer.from(lines.join(''));
  }
  expect(await importUsers(server.deps, chunks())).toMatchObject({ imported: 1, refused: 0 });
  const session = await server.signIn(newAccount());
  const { body } = await ask(server, session, 'query ($w: Wallet!) { user(wallet: $w) { pfpUrl } }', { w: wallet });
  expect((await fetch(body.data.user.pfpUrl)).headers.get('content-type')).toBe('image/gif');
});
