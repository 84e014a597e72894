import { beforeAll, expect, test } from 'vitest';
import { payFromTestWallet } from '../../src/base/chain/local.ts';
import { RECEIPT_FACTORY, readRecord } from '../../src/base/chain/receipt-record.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { ReceiptAddressSchema } from '../../src/domain/sales/receipts/address.entity.ts';
import { resumeMerchant, suspendMerchant } from '../../src/domain/shop/merchants/suspend.ts';
import { ask, codeOf } from '../graphql/ask.ts';
import { newMember } from '../support/members.ts';
import { newAccount } from '../support/server.ts';
import { scrape } from '../system/operations/scrape.ts';
import { openPaidShop } from './paid-shop.ts';

// Nothing is worth its collection.
const recipient = newAccount();
const { server, merchant, session, mineUntil } = await openPaidShop({
  SWEEP_MAX_COST_PCT: '0',
  METRICS_PORT: '0',
  PLATFORM_RECIPIENT: recipient.address,
});

const receiptId = 'to-collect';
const LIST = '{ payouts { nodes { waitsFor requestedAt amount } } }';
const WAITING = '{ waitingPayouts { batches { waitsFor amount display payouts releases requested } } }';
const COLLECTIONS = `query ($split: Wallet, $token: String, $receiptId: ID) {
  collections(split: $split, token: $token, receiptId: $receiptId) {
    chainId split token tokenAddress amount display addresses waiting
    deployments { to } transaction { to data value } } }`;
const RECORDS = 'query ($receiptId: ID!) { addressRecords(receiptId: $receiptId) }';
const RELEASE =
  'mutation ($receiptId: ID, $collected: Boolean) { releasePayouts(receiptId: $receiptId, collected: $collected) { payouts releases } }';

const collections = async (headers: Record<string, string>, variables = {}) =>
  (await ask(server, headers, COLLECTIONS, variables)).body.data.collections;
const payouts = async () => (await ask(server, session, LIST)).body.data.payouts.nodes;

let payTo: string;
beforeAll(async () => {
  const body = { id: receiptId, lineItems: [{ label: 'Bread', priceUsd: 10 }] };
  await server.call('POST', '/api/receipts', { headers: merchant.auth, body });
  const { address } = await server.deps.db.orm.em.fork().findOneOrFail(ReceiptAddressSchema, { receiptId });
  payTo = address;
  await payFromTestWallet(server.deps.chain, { token: 'USDC', to: address, amount: 10_000_000n });
  await mineUntil(async () => (await payouts()).length > 0);
});

test('a payout whose money is at the receipt’s address waits for its collection, over GraphQL and REST', async () => {
  for (const payout of await payouts()) expect(payout).toMatchObject({ waitsFor: 'collection', amount: null });
  const { body } = await server.call('GET', '/api/payouts', { headers: merchant.auth });
  for (const payout of body.payouts) expect(payout).toMatchObject({ receiptId, waitsFor: 'collection', amount: null });
  expect((await ask(server, session, WAITING)).body.data.waitingPayouts.batches).toEqual([
    expect.objectContaining({ waitsFor: 'collection', display: '10', releases: 1, requested: false }),
  ]);
});

test('the metrics have the US dollars that are not collected, by chain', async () => {
  const uncollected = async () =>
    (await scrape(server.metricsUrl as string)).filter(({ name }) => name === 'quittance_uncollected_usd');
  await expect.poll(uncollected).toMatchObject([{ labels: { chain: '31337' }, value: 10 }]);
});

test('the payment at the address is a split transaction that GraphQL finds by it, and REST by split and recipient', async () => {
  const rest = async (query: string) =>
    (await server.call('GET', `/api/split/transactions${query}`, { headers: merchant.auth })).body;
  const all = await rest('');
  expect(all).toMatchObject([{ receiptId, amount: 10, status: 'pending', transactionHash: expect.any(String) }]);
  for (const address of [merchant.split, merchant.wallet]) expect(await rest(`?address=${address}`)).toEqual(all);
  expect(await rest(`?address=${payTo}`)).toEqual([]);
  const query = '{ splitTransactions(address: "ADDRESS") { nodes { receiptId } } }'.replace('ADDRESS', payTo);
  expect((await ask(server, session, query)).body.data.splitTransactions.nodes).toEqual([{ receiptId }]);
});

test('a member that reads the split, a key with its scope and each recipient get the transaction that collects', async () => {
  const expected = {
    chainId: 31_337,
    split: merchant.split,
    token: 'USDC',
    amount: '10000000',
    addresses: 1,
    waiting: 1,
  };
  const own = await collections(session);
  expect(own).toMatchObject([{ ...expected, display: '10', transaction: { value: '0' } }]);
  expect(own[0].transaction.data).toMatch(/^0x[0-9a-f]+$/);
  expect(await collections(merchant.auth)).toEqual(own);
  for (const [role, reads] of [
    ['manager', true],
    ['bookkeeper', true],
    ['cashier', false],
    ['developer', false],
  ] as const) {
    const member = await newMember(server, merchant.wallet as Wallet, role);
    expect([role, await collections(member.session)]).toEqual([role, reads ? own : []]);
  }
  // The platform's wallet is a recipient, and no member.
  const platform = await server.signIn(recipient);
  expect(await collections(platform)).toEqual(own);
  expect(codeOf(await ask(server, platform, LIST))).not.toBeNull();
});

test('an anonymous caller, a key without the scope, a stranger and another merchant collect nothing', async () => {
  expect(codeOf(await ask(server, {}, COLLECTIONS))).toBe('unauthorized');
  const other = await server.merchant();
  const strange = await server.signIn(other.account);
  for (const variables of [{}, { split: merchant.split }, { receiptId }, { receiptId, token: `0x${'9'.repeat(40)}` }])
    for (const headers of [strange, other.auth]) expect(await collections(headers, variables)).toEqual([]);
  expect(codeOf(await ask(server, session, COLLECTIONS, { token: `0x${'9'.repeat(40)}` }))).toBe('invalid_input');
});

test('the record of an address is read by whom its split pays, and makes the address again without this server', async () => {
  const records = async (headers: Record<string, string>, id = receiptId) =>
    (await ask(server, headers, RECORDS, { receiptId: id })).body.data.addressRecords;
  const own = await records(session);
  expect(own).toEqual([
    {
      ...{
        address: payTo,
        factory: RECEIPT_FACTORY,
        split: merchant.split,
        salt: expect.any(String),
        onlyChainId: null,
      },
      ...{ merchant: merchant.wallet, receiptId, createdAt: expect.any(Number), number: 0 },
      recipients: expect.arrayContaining([{ address: recipient.address.toLowerCase(), sharesBps: 50 }]),
    },
  ]);
  expect(readRecord(JSON.stringify(own[0]))).toEqual(own[0]);
  expect(await records(merchant.auth)).toEqual(own);
  expect(await records(await server.signIn(recipient))).toEqual(own);
  for (const [role, reads] of [
    ['bookkeeper', true],
    ['cashier', false],
    ['developer', false],
  ] as const) {
    const member = await newMember(server, merchant.wallet as Wallet, role);
    expect([role, await records(member.session)]).toEqual([role, reads ? own : []]);
  }
  const other = await server.merchant();
  for (const headers of [other.auth, await server.signIn(other.account)]) expect(await records(headers)).toEqual([]);
  expect(await records(session, 'another')).toEqual([]);
  expect(codeOf(await ask(server, {}, RECORDS, { receiptId }))).toBe('unauthorized');
  expect(codeOf(await ask(server, session, RECORDS, { receiptId: '' }))).toBe('invalid_input');
});

test('only roles that move money have it collected, and what is asked for is collected and released', async () => {
  for (const role of ['bookkeeper', 'cashier', 'developer'] as const) {
    const member = await newMember(server, merchant.wallet as Wallet, role);
    expect([role, codeOf(await ask(server, member.session, RELEASE))]).toEqual([role, 'forbidden']);
  }
  const only = (variables: object) => ask(server, session, RELEASE, { ...variables });
  expect((await only({ receiptId: 'another' })).body.data.releasePayouts).toEqual({ payouts: 0, releases: 0 });
  expect((await only({ collected: true })).body.data.releasePayouts).toEqual({ payouts: 0, releases: 0 });
  await suspendMerchant(server.deps, merchant.wallet as Wallet, 'a report');
  expect(codeOf(await only({}))).toBe('merchant_suspended');
  // Its own wallet collects all the same.
  expect(await collections(session)).toHaveLength(1);
  await resumeMerchant(server.deps, merchant.wallet as Wallet);
  expect((await only({ collected: false })).body.data.releasePayouts).toMatchObject({ releases: 1 });
  await mineUntil(async () =>
    (await payouts()).every(({ waitsFor }: { waitsFor: string | null }) => waitsFor === null),
  );
  expect(await collections(session)).toEqual([]);
});
