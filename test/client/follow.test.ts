import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createQuittance, type QuittanceError } from '../../src/client/index.ts';
import { revokeKey } from '../../src/domain/access/keys/change-keys.ts';
import { ask } from '../graphql/ask.ts';
import { append, history, isBehind } from '../live/events.ts';
import { makeReceipt } from '../support/receipt.ts';
import { openRelay } from '../support/relay.ts';
import { newAccount, startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** A client behind a connection that the test can cut. */
async function connected() {
  const merchant = await server.merchant();
  const relay = await openRelay(server.url);
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const quittance = createQuittance({ url: relay.url, key: merchant.key });
  return { merchant, relay, abort, quittance, signal: abort.signal };
}

/** What a stream has sent so far; `failed` is how it ended, null for well. */
function gather<T, Shown>(stream: AsyncIterable<T>, show: (event: T) => Shown) {
  const heard: Shown[] = [];
  const ended = (async () => {
    for await (const event of stream) heard.push(show(event));
    return null;
  })().catch((error: QuittanceError) => error);
  return { heard, ended };
}

const nameOf = ({ receiptId, seq }: { receiptId: string; seq: number }) => `${receiptId}:${seq}`;

const isHeard = async (heard: readonly string[], { wallet }: TestMerchant) =>
  expect.poll(() => heard).toEqual(await history(server.deps.db, wallet));

test('every change of all receipts is heard once and in order, while the connection is cut again and again', async () => {
  const { merchant, relay, abort, quittance, signal } = await connected();
  for (const id of ['a', 'b']) await makeReceipt(server, merchant, id);
  const all = gather(quittance.receipts.follow({ after: '0.0', signal }), nameOf);
  const one = gather(quittance.receipts.follow({ receiptId: 'a', signal }), nameOf);
  await isHeard(all.heard, merchant);
  await expect.poll(() => one.heard).toEqual(['a:1']);
  for (let cut = 0; cut < 4; cut++) {
    await append(server.deps.db, server.deps.bus, merchant.wallet, 'a', 3);
    await relay.cut();
    await append(server.deps.db, server.deps.bus, merchant.wallet, 'b', 150);
    await append(server.deps.db, server.deps.bus, merchant.wallet, 'a');
    await relay.mend();
    await append(server.deps.db, server.deps.bus, merchant.wallet, 'a');
  }
  await isHeard(all.heard, merchant);
  await expect.poll(() => one.heard).toEqual(all.heard.filter((name) => name.startsWith('a:')));
  abort.abort();
  expect(await Promise.all([all.ended, one.ended])).toEqual([null, null]);
});

test('without a cursor a stream begins now, also if the server is away at first', async () => {
  const { merchant, relay, quittance, signal } = await connected();
  await makeReceipt(server, merchant, 'before');
  await expect.poll(() => isBehind(server.deps.db, merchant.wallet)).toBe(true);
  await relay.cut();
  const all = gather(quittance.receipts.follow({ signal }), nameOf);
  await relay.mend();
  // The first of these may come before the beginning.
  await expect
    .poll(async () => {
      await append(server.deps.db, server.deps.bus, merchant.wallet, 'before');
      return all.heard.length;
    })
    .toBeGreaterThan(0);
  await relay.cut();
  await append(server.deps.db, server.deps.bus, merchant.wallet, 'before', 5);
  await relay.mend();
  const whole = await history(server.deps.db, merchant.wallet);
  await expect.poll(() => all.heard.at(-1)).toBe(whole.at(-1));
  expect(all.heard).toEqual(whole.slice(-all.heard.length));
  expect(all.heard).not.toContain('before:1');
});

test('a reader that falls thousands of events behind receives each once', async () => {
  const { merchant, quittance, signal } = await connected();
  await makeReceipt(server, merchant, 'a');
  const stream = quittance.receipts.follow({ after: '0.0', signal });
  const first = await stream.next();
  await append(server.deps.db, server.deps.bus, merchant.wallet, 'a', 4_000);
  await append(server.deps.db, server.deps.bus, merchant.wallet, 'a');
  const rest = gather(stream, nameOf);
  await expect.poll(() => rest.heard.length).toBe(4_001);
  expect([nameOf(first.value!), ...rest.heard]).toEqual(await history(server.deps.db, merchant.wallet));
});

test('a stream that would be refused again throws the refusal: key, scope, receipt and cursor', async () => {
  const { merchant, quittance } = await connected();
  await makeReceipt(server, merchant, 'a');
  const refusalOf = async (key: string, options: object = { after: '0.0' }) =>
    gather(createQuittance({ url: server.url, key }).receipts.follow(options), nameOf).ended;
  expect(await refusalOf('qk_wrong')).toMatchObject({ code: 'unauthorized', status: 401 });
  const { key } = await server.merchant({ scopes: ['graphql:read'] });
  expect(await refusalOf(key)).toMatchObject({ code: 'forbidden', reason: 'scope_missing' });
  expect(await refusalOf(merchant.key, { receiptId: 'none' })).toMatchObject({ code: 'not_found', status: 404 });
  expect(await refusalOf(merchant.key, { after: 'nonsense' })).toMatchObject({ code: 'bad_cursor', field: 'after' });
  expect(await refusalOf(merchant.key, { after: 'ffffffff.1.1' })).toMatchObject({
    ...{ code: 'cursor_expired', details: { resumeAfter: expect.stringContaining('.') } },
  });

  const revoked = gather(quittance.receipts.follow({ after: '0.0' }), nameOf);
  await isHeard(revoked.heard, merchant);
  await revokeKey(server.deps, { id: merchant.keyId });
  expect(await revoked.ended).toMatchObject({ code: 'unauthorized', status: 401 });
});

test('live users are reported without repeats, and who left during a cut is reported afterwards', async () => {
  const { relay, quittance, signal } = await connected();
  const SET = 'mutation ($live: Boolean!) { setPresence(live: $live, spacePublic: true) { live } }';
  const NAME = 'mutation ($name: String!) { upsertUser(input: { displayName: $name }) { wallet } }';
  const people = await Promise.all(
    ['ada', 'bob', 'cyd', 'dan'].map(async (name) => {
      const account = newAccount();
      const session = await server.signIn(account);
      await ask(server, session, NAME, { name });
      return {
        wallet: account.address,
        live: (live: boolean) => ask(server, session, SET, { live }),
        rename: (to: string) => ask(server, session, NAME, { name: to }),
      };
    }),
  );
  const [ada, bob, cyd, dan] = people as [
    (typeof people)[0],
    (typeof people)[0],
    (typeof people)[0],
    (typeof people)[0],
  ];
  await ada.live(true);
  await bob.live(true);
  await dan.live(true);
  const show = ({ kind, user }: { kind: string; user: { displayName: string } }) => `${kind} ${user.displayName}`;
  const all = gather(quittance.presence.follow({ signal }), show);
  const some = gather(quittance.presence.follow({ wallets: [bob.wallet, cyd.wallet], signal }), show);
  const first = ['joined ada', 'joined bob', 'joined dan'];
  await expect.poll(() => all.heard.toSorted()).toEqual(first);
  await expect.poll(() => some.heard).toEqual(['joined bob']);
  await relay.cut();
  await bob.live(false);
  await cyd.live(true);
  await dan.rename('dana');
  await relay.mend();
  const later = ['changed dana', 'joined cyd', 'left bob'];
  await expect.poll(() => all.heard.slice(3).toSorted()).toEqual(later);
  await expect.poll(() => some.heard.slice(1).toSorted()).toEqual(['joined cyd', 'left bob']);
  await cyd.live(false);
  await expect.poll(() => all.heard.slice(6)).toEqual(['left cyd']);
  await expect.poll(() => some.heard.slice(3)).toEqual(['left cyd']);
  expect((await quittance.presence.list()).live).toHaveLength(2);
});
