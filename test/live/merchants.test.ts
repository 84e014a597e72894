import { afterAll, beforeAll, expect, test } from 'vitest';
import { issuePageToken } from '../../src/domain/access/gateway/page-token.ts';
import { issueKey } from '../../src/domain/access/keys/issue.ts';
import { follow, socketClient } from '../graphql/ask.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { append } from './events.ts';
import { openEvents } from './sse.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ redis: true });
});
afterAll(() => server.stop());

const SHARED = ['same-1', 'same-2'];
const EVENTS = 40;
const ONE =
  'subscription ($id: ID!, $after: Int) { receiptStatus(receiptId: $id, afterSeq: $after) { receiptId seq transactionHash } }';
const ALL = 'subscription ($after: String) { receiptStatuses(after: $after) { receiptId seq transactionHash } }';

/** A merchant whose events are identified by its mark, whatever the ids of its receipts. */
async function marked(mark: string): Promise<TestMerchant & { mark: string }> {
  const merchant = await server.merchant();
  for (const id of SHARED) {
    const body = { id, lineItems: [{ label: 'x', priceUsd: 5 }] };
    await server.call('POST', '/api/receipts', { headers: merchant.auth, body });
  }
  await server.deps.db.orm.em
    .getConnection()
    .execute('update receipts set transaction_hash = ? where merchant = ?', [mark, merchant.wallet]);
  return { ...merchant, mark };
}

interface StreamEvent {
  receiptId: string;
  seq: number;
  transactionHash: string;
}

test('no event crosses merchants, with the same receipt ids, operations and variables, over sockets, event streams, keys, sessions and page tokens', async () => {
  const merchants = await Promise.all(['0xaa', '0xbb', '0xcc'].map(marked));
  const heard = new Map<string, { mark: string; events: StreamEvent[]; least: number }>();
  const ends: (() => unknown)[] = [];
  const collect = (name: string, mark: string, least: number) => {
    const box = { mark, events: [] as StreamEvent[], least };
    heard.set(`${mark} ${name}`, box);
    return box.events;
  };
  const read = async (name: string, mark: string, least: number, next: () => Promise<Record<string, StreamEvent>>) => {
    const events = collect(name, mark, least);
    for (;;) {
      const result = await next().catch(() => null);
      if (!result) return;
      events.push((result.receiptStatus ?? result.receiptStatuses) as StreamEvent);
    }
  };
  for (const merchant of merchants) {
    const { mark } = merchant;
    const second = await issueKey(server.deps, {
      merchant: merchant.wallet,
      scopes: ['graphql:read', 'receipts:read'],
    });
    const session = await server.signIn(merchant.account);
    const receiptId = SHARED[0] as string;
    const token = await issuePageToken(server.deps.settings, { merchant: merchant.wallet, receiptId }, Date.now());
    const proofs: [string, Record<string, string>, Record<string, string>][] = [
      ['key', merchant.auth, {}],
      ['second key', { 'x-api-key': second.key }, {}],
      [
        'session',
        { 'x-csrf-token': session['x-csrf-token'] as string },
        { cookie: session.cookie as string, origin: server.url },
      ],
      ['page', { Authorization: `Bearer ${token}` }, {}],
    ];
    for (const [name, params, headers] of proofs) {
      const client = socketClient(server, params, headers);
      ends.push(() => client.dispose());
      const one = follow<Record<string, StreamEvent>>(client, ONE, { id: receiptId, after: 0 });
      void read(`${name} one`, mark, EVENTS + 1, one.next);
      if (name === 'page') continue;
      const all = follow<Record<string, StreamEvent>>(client, ALL, { after: '0.0' });
      void read(`${name} all`, mark, 2 * (EVENTS + 1), all.next);
    }
    const events = await openEvents<Record<string, StreamEvent>>(server, merchant.auth, ALL, { after: '0.0' });
    ends.push(events.end);
    void read('event stream', mark, 2 * (EVENTS + 1), events.next);
  }
  for (let i = 0; i < EVENTS; i++)
    await Promise.all(
      merchants.flatMap(({ wallet }) => SHARED.map((id) => append(server.deps.db, server.deps.bus, wallet, id))),
    );
  for (const [name, { mark, events, least }] of heard) {
    await expect.poll(() => events.length, { message: name, timeout: 60_000 }).toBe(least);
    expect(new Set(events.map(({ transactionHash }) => transactionHash)), name).toEqual(new Set([mark]));
  }
  for (const end of ends) await end();
});
