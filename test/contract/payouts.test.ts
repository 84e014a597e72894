import { beforeAll, expect, test } from 'vitest';
import { payFromTestWallet } from '../../src/base/chain/local.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { suspendMerchant } from '../../src/domain/shop/merchants/suspend.ts';
import { ask, codeOf, follow, socketClient } from '../graphql/ask.ts';
import { newMember } from '../support/members.ts';
import { openPaidShop } from './paid-shop.ts';

const { chain, server, merchant, session, mineUntil } = await openPaidShop({
  SWEEP_MAX_COST_PCT: '0',
  RELEASE_REQUESTS_PER_DAY: '5',
});

const STATE = `receiptId recipient sharesBps split chainId token decimals amount display state waitsFor
  requestedAt createdAt releasedAt transactionHash`;
const LIST = `query ($filter: PayoutFilter, $after: String, $first: Int) {
  payouts(filter: $filter, after: $after, first: $first) { nodes { id ${STATE} cursor } totalCount } }`;
const WAITING = `{ waitingPayouts { releasesPerDay releasesLeft
  batches { split token amount display payouts releases since waitsFor requested } } }`;
const RELEASE = 'mutation ($token: String) { releasePayouts(token: $token) { payouts releases } }';

const read = async (filter: object = {}) => (await ask(server, session, LIST, { filter })).body.data.payouts;
const waiting = async () => (await ask(server, session, WAITING)).body.data.waitingPayouts;

let receipts = 0;

/** A receipt that is paid straight to the split, so that nothing is to be collected; its id. */
async function paid(priceUsd = 10): Promise<string> {
  const receiptId = `payout-${receipts++}`;
  const body = { id: receiptId, lineItems: [{ label: 'Bread', priceUsd }] };
  await server.call('POST', '/api/receipts', { headers: merchant.auth, body });
  const to = merchant.split as Wallet;
  const hash = await payFromTestWallet(chain.chain, { token: 'USDC', to, amount: BigInt(priceUsd * 1e6) });
  const assign =
    'mutation ($hash: Hex!, $id: ID!) { assignTransfer(transactionHash: $hash, receiptId: $id) { status } }';
  await mineUntil(async () => !(await ask(server, session, assign, { hash, id: receiptId })).body.errors);
  await mineUntil(async () => (await read({ receiptId })).nodes.some((one: { amount: string }) => one.amount !== null));
  return receiptId;
}

let first: string;
interface Share {
  readonly id: string;
  readonly receiptId: string;
  readonly recipient: string;
  readonly amount: string;
  readonly display: string;
  readonly createdAt: number;
  readonly cursor: string;
}
let shares: readonly Share[];
beforeAll(async () => {
  first = await paid();
  shares = (await read()).nodes;
});

test('a payout names recipient, receipt, exact amount, and what it waits for', async () => {
  expect(shares.length).toBeGreaterThan(0);
  const total = shares.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  expect(total).toBeGreaterThanOrEqual(10_000_000n - 10n);
  for (const share of shares) {
    expect(share).toMatchObject({
      ...{ receiptId: first, split: merchant.split, token: 'USDC', decimals: 6, chainId: 31_337 },
      ...{ state: 'waiting', waitsFor: 'minimum', requestedAt: null, releasedAt: null, transactionHash: null },
    });
    expect(Number(share.display)).toBe(Number(share.amount) / 1e6);
  }
  const { batches, ...limits } = await waiting();
  expect(limits).toEqual({ releasesPerDay: 5, releasesLeft: 5 });
  expect(batches).toMatchObject([
    { split: merchant.split, token: 'USDC', payouts: shares.length, releases: shares.length, waitsFor: 'minimum' },
  ]);
  expect(BigInt(batches[0].amount)).toBe(total);
});

test('payouts are found by recipient, state, receipt and time, and all conditions must hold', async () => {
  const one = shares[0]!;
  const found = async (filter: object) => (await read(filter)).nodes.map(({ id }: { id: string }) => id);
  const ids = shares.map(({ id }) => id);
  expect(await found({ recipient: one.recipient })).toEqual([one.id]);
  expect(await found({ recipient: one.recipient, receiptId: first, state: 'waiting' })).toEqual([one.id]);
  expect(await found({ recipient: `0x${'9'.repeat(40)}` })).toEqual([]);
  expect(await found({ state: 'released' })).toEqual([]);
  expect(await found({ state: 'waiting', createdFrom: one.createdAt, createdTo: one.createdAt })).toEqual(ids);
  expect(await found({ createdTo: one.createdAt - 1 })).toEqual([]);
  expect(await found({ receiptId: 'R-none' })).toEqual([]);
  expect(codeOf(await ask(server, session, LIST, { filter: { createdFrom: -1 } }))).toBe('invalid_input');
});

test('a script lists payouts over REST, page by page, with the same fields', async () => {
  const get = (query: string) => server.call('GET', `/api/payouts${query}`, { headers: merchant.auth });
  const page = await get(`?limit=1&state=waiting&receiptId=${first}`);
  expect(page.status).toBe(200);
  const { id, cursor, ...fields } = shares[0]!;
  expect(page.body.payouts).toEqual([{ ...fields, transactionUrl: null }]);
  expect(page.body.nextCursor === null).toBe(shares.length === 1);
  expect((await get('')).body).toMatchObject({ nextCursor: null });
  for (const wrong of ['limit=0', 'limit=x', 'state=paid', 'recipient=0x1', 'createdFrom=soon'])
    expect([wrong, (await get(`?${wrong}`)).body.error]).toEqual([wrong, 'invalid_input']);
  expect((await get('?cursor=abc')).body).toMatchObject({ error: 'bad_cursor', field: 'cursor' });
});

test('only roles that move money ask for a release, and only those that read the split see payouts', async () => {
  for (const [role, reads, releases] of [
    ['manager', true, true],
    ['bookkeeper', true, false],
    ['cashier', false, false],
    ['developer', false, false],
  ] as const) {
    const member = await newMember(server, merchant.wallet as Wallet, role);
    const list = await ask(server, member.session, LIST);
    expect([role, codeOf(list)]).toEqual([role, reads ? null : 'forbidden']);
    const asked = await ask(server, member.session, RELEASE, { token: 'NONE' });
    expect([role, codeOf(asked)]).toEqual([role, releases ? null : 'forbidden']);
  }
  const { 'x-csrf-token': _, ...withoutToken } = session;
  expect(codeOf(await ask(server, withoutToken, RELEASE))).toBe('forbidden');
  expect(codeOf(await ask(server, merchant.auth, RELEASE))).toBe('forbidden');
  const other = await server.merchant();
  const { body } = await ask(server, await server.signIn(other.account), LIST);
  expect(body.data.payouts.nodes).toEqual([]);
});

test('a release that is asked for pays every recipient, and a stream shows each change until it is released', async () => {
  const client = socketClient(server, session, { origin: server.url, cookie: session.cookie as string });
  interface Change {
    payouts: { receiptId: string; state: string; waitsFor: string | null; requestedAt: number | null };
  }
  const stream = follow<Change>(
    client,
    'subscription ($after: String) { payouts(after: $after) { receiptId state waitsFor requestedAt } }',
    { after: shares.at(-1)!.cursor },
  );
  expect((await ask(server, session, RELEASE)).body.data.releasePayouts).toEqual({
    payouts: shares.length,
    releases: shares.length,
  });
  expect(await waiting()).toMatchObject({ releasesLeft: 5 - shares.length });
  await mineUntil(async () => (await read({ state: 'released' })).totalCount === shares.length);
  const seen: Change['payouts'][] = [];
  while (!seen.some(({ state }) => state === 'released')) seen.push((await stream.next()).payouts);
  expect(seen.every(({ receiptId }) => receiptId === first)).toBe(true);
  expect(seen.at(-1)).toMatchObject({ waitsFor: null, requestedAt: expect.any(Number) });
  await stream.end();
  await client.dispose();
  for (const share of (await read()).nodes)
    expect(share).toMatchObject({ transactionHash: expect.any(String), releasedAt: expect.any(Number) });
  expect((await waiting()).batches).toEqual([]);
  // Nothing waits now, which is no error.
  expect((await ask(server, session, RELEASE)).body.data.releasePayouts).toEqual({ payouts: 0, releases: 0 });
});

test('a request beyond the limit of a day and one of a suspended merchant are refused and change nothing', async () => {
  const allowed = 5 - shares.length;
  for (let used = 0; used + shares.length <= allowed; used += shares.length) {
    const receiptId = await paid(1);
    expect(codeOf(await ask(server, session, RELEASE))).toBeNull();
    await mineUntil(async () => (await read({ receiptId, state: 'waiting' })).totalCount === 0);
  }
  const receiptId = await paid(1);
  const refused = await ask(server, session, RELEASE);
  expect(codeOf(refused)).toBe('release_limit_reached');
  expect(refused.body.errors[0].extensions.releases).toBe(shares.length);
  expect((await read({ receiptId })).nodes[0].requestedAt).toBeNull();
  await suspendMerchant(server.deps, merchant.wallet as Wallet, 'a report');
  expect(codeOf(await ask(server, session, RELEASE))).toBe('merchant_suspended');
});
