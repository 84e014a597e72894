import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, codeOf, follow, socketClient } from '../graphql/ask.ts';
import { newAccount, startTestServer, type TestServer } from '../support/server.ts';

const LIMIT = 5;
const TOGGLES = 30;

let server: TestServer;
const now = Date.now();
beforeAll(async () => {
  const RATE_LIMITS = JSON.stringify({ presence: LIMIT });
  server = await startTestServer({ env: { RATE_LIMITS }, clock: () => now });
});
afterAll(() => server.stop());

interface Heard {
  livePresence: { wallet: string; kind: string };
}

test('one wallet that toggles its presence causes no more events a minute than the limit, and others still may', async () => {
  const viewer = await server.signIn(newAccount());
  const stream = follow<Heard>(
    socketClient(
      server,
      { 'x-csrf-token': viewer['x-csrf-token'] },
      { cookie: viewer.cookie as string, origin: server.url },
    ),
    'subscription { livePresence { wallet kind } }',
  );
  const [first, noisy, last] = [newAccount(), newAccount(), newAccount()];
  const firstSession = await server.signIn(first);
  const noisySession = await server.signIn(noisy);
  const lastSession = await server.signIn(last);
  const set = (session: typeof viewer, live: boolean) =>
    ask(server, session, `mutation { setPresence(live: ${live}, spacePublic: true) { wallet } }`);
  const walletOf = ({ address }: typeof first) => address.toLowerCase();

  await set(firstSession, true);
  expect((await stream.next()).livePresence.wallet).toBe(walletOf(first));
  const codes: (string | null | undefined)[] = [];
  for (let n = 0; n < TOGGLES; n += 1) {
    const answer = await set(noisySession, n % 2 === 0);
    codes.push(answer.body.errors ? codeOf(answer) : undefined);
  }
  expect(codes.filter((code) => code === undefined).length).toBe(LIMIT);
  expect(codes.filter((code) => code === 'rate_limited').length).toBe(TOGGLES - LIMIT);
  await set(lastSession, true);
  let events = 0;
  for (;;) {
    const { wallet } = (await stream.next()).livePresence;
    if (wallet === walletOf(last)) break;
    expect(wallet).toBe(walletOf(noisy));
    events += 1;
  }
  expect(events).toBeLessThanOrEqual(LIMIT);
  await stream.end();
});
