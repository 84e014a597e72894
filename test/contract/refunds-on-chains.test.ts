import { parse } from 'csv-parse/sync';
import pg from 'pg';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { PART } from '../../migrations/Migration20261128110000_sums_of_money.ts';
import type { Chain } from '../../src/base/chain/client.ts';
import { deployOnce } from '../../src/base/chain/deploy-once.ts';
import { payFromTestWallet } from '../../src/base/chain/local.ts';
import { localAccount } from '../../src/base/chain/local-accounts.ts';
import { createSender } from '../../src/base/chain/sender.ts';
import { startTestChain } from '../../src/base/chain/test/anvil.ts';
import { furtherTestToken } from '../../src/base/chain/test-token.ts';
import { SLOW_CHAIN_ID } from '../../src/base/core/local-chains.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { issuePageToken } from '../../src/domain/access/gateway/page-token.ts';
import { randomWallet } from '../../src/domain/payments/test/world.ts';
import { readHoldings } from '../../src/domain/reports/billing/holdings.ts';
import { ask, codeOf } from '../graphql/ask.ts';
import { until } from '../support/program.ts';
import { buyerOf } from './buyer-money.ts';
import { openPaidShop } from './paid-shop.ts';

// One split address on two chains. USDC has 6 decimals on the first and 18 on the second.
const DOLLAR = { first: 10n ** 6n, second: 10n ** 18n } as const;
const plan = furtherTestToken('Test Bridged USD', 'USDC', 18);
const second = await startTestChain([], SLOW_CHAIN_ID);
afterAll(() => second.stop());
await deployOnce(second.chain, createSender(second.chain, localAccount('deployer').privateKey), plan);
const usdc18 = { symbol: plan.symbol, address: plan.address, decimals: plan.decimals };
const { chain, server, merchant, session } = await openPaidShop({
  CHAIN_ID: '31337',
  CHAINS: JSON.stringify([
    {
      ...{ chainId: SLOW_CHAIN_ID, rpcUrl: second.rpcUrl, confirmations: 1 },
      tokens: { USDC: { address: plan.address, decimals: 18 } },
    },
  ]),
});
const chains: Readonly<Record<'first' | 'second', Chain>> = {
  first: chain.chain,
  second: { ...second.chain, tokens: [usdc18] },
};
const FIRST = chain.chain.chainId;
const mine = () => Promise.all([chain, second].map(({ control }) => control.mine({ blocks: 1 })));
const buyer = buyerOf(server, merchant.wallet, session);

const RECEIPT = `query ($id: ID!) { receipt(receiptId: $id) {
  status refundedUsd refundableUsd refunds { state usd provenUsd transactions { chainId transactionUrl } } } }`;
const read = async (id: string) => (await ask(server, session, RECEIPT, { id })).body.data.receipt;
const reaches = (id: string, ...statuses: string[]) =>
  until(async () => {
    await mine();
    return statuses.includes((await read(id)).status);
  });

interface Draft {
  readonly chainId: number;
  readonly token: string;
  readonly amount: string;
  readonly usd: number;
  readonly to: string;
}
const DRAFTS = `query ($id: ID!, $usd: Usd!, $buyer: Wallet) { refundDrafts(receiptId: $id, usd: $usd, buyer: $buyer) {
  chainId token amount usd to } }`;
const draftsOf = async (id: string, usd: number, to: Wallet): Promise<Draft[]> => {
  const { body } = await ask(server, session, DRAFTS, { id, usd, buyer: to });
  if (body.errors) throw new Error(JSON.stringify(body.errors));
  return body.data.refundDrafts;
};

/** Sends money to a buyer and lets it have its confirmations. */
async function sendTo(on: 'first' | 'second', to: Wallet, amount: bigint): Promise<string> {
  const hash = await payFromTestWallet(chains[on], { token: 'USDC', to, amount });
  await chains[on].client.waitForTransactionReceipt({ hash, pollingInterval: 20 });
  await mine();
  await mine();
  return hash;
}
const prove = (id: string, to: Wallet, usd: number, txHash: string, more: object = {}) =>
  server.call('POST', '/api/receipts/refund', {
    headers: session,
    body: { receiptId: id, wallet: merchant.wallet, buyer: to, usd, txHash, ...more },
  });

let count = 0;
/**
 * A receipt paid on both chains: the first part by a signed claim on the first chain, the rest quoted on the second.
 */
async function paidOnBoth(totalUsd: number, firstUsd: bigint): Promise<string> {
  const id = `both-${count++}`;
  const body = { id, lineItems: [{ label: 'Bag', priceUsd: totalUsd }] };
  await server.call('POST', '/api/receipts', { headers: merchant.auth, body });
  await buyer.payPart(chains.first, id, await buyer.quote(id), firstUsd * DOLLAR.first);
  await reaches(id, 'tx_mismatch');
  const rest = await buyer.quote(id, 'USDC', SLOW_CHAIN_ID);
  await buyer.send(chains.second, rest, BigInt(rest.amount));
  await reaches(id, 'paid', 'completed');
  return id;
}

test('what the server drafts for a receipt that two chains paid is accepted as proof, chain by chain', async () => {
  const id = await paidOnBoth(100, 60n);
  expect((await read(id)).refundableUsd).toBe(100);
  const to = randomWallet();
  const drafts = await draftsOf(id, 100, to);
  expect(drafts.map(({ chainId, usd }) => [chainId, usd])).toEqual([
    [FIRST, 60],
    [SLOW_CHAIN_ID, 40],
  ]);
  expect(drafts.map(({ amount }) => BigInt(amount))).toEqual([60n * DOLLAR.first, 40n * DOLLAR.second]);
  const single = 'query ($id: ID!) { refundDraft(receiptId: $id, usd: 100) { chainId usd amount } }';
  const { body } = await ask(server, session, single, { id });
  expect(body.data.refundDraft).toEqual({ chainId: FIRST, usd: 60, amount: String(60n * DOLLAR.first) });
  for (const { chainId, usd, amount } of drafts) {
    const txHash = await sendTo(chainId === FIRST ? 'first' : 'second', to, BigInt(amount));
    expect((await prove(id, to, usd, txHash)).status).toBe(200);
  }
  const { refunds, ...receipt } = await read(id);
  expect(receipt).toEqual({ status: 'refunded', refundedUsd: 100, refundableUsd: 0 });
  expect(refunds).toMatchObject([
    { usd: 60, transactions: [{ chainId: FIRST, transactionUrl: null }] },
    { usd: 40, transactions: [{ chainId: SLOW_CHAIN_ID, transactionUrl: null }] },
  ]);
});

test('a draft has at most what is left of the token on its chain, after the refunds on that chain', async () => {
  const id = await paidOnBoth(100, 60n);
  const to = randomWallet();
  const part = await sendTo('first', to, 45n * DOLLAR.first);
  expect((await prove(id, to, 45, part)).status).toBe(200);
  const drafts = await draftsOf(id, 55, to);
  expect(drafts.map(({ chainId, usd }) => [chainId, usd])).toEqual([
    [SLOW_CHAIN_ID, 40],
    [FIRST, 15],
  ]);
});

test('a proof is looked up on the chain that it names, and not on one that did not pay', async () => {
  const id = await paidOnBoth(20, 10n);
  const to = randomWallet();
  const txHash = await sendTo('second', to, 10n * DOLLAR.second);
  const wrong = await prove(id, to, 10, txHash, { chainId: FIRST });
  expect(wrong.body).toMatchObject({ error: 'invalid_input', field: 'txHash' });
  expect((await prove(id, to, 10, txHash, { chainId: 1 })).body).toMatchObject({ field: 'chainId' });
  const right = `mutation ($input: RefundReceiptInput!) { refundReceipt(input: $input) { refundedUsd } }`;
  const input = { receiptId: id, wallet: merchant.wallet, buyer: to, usd: 10, txHash, chainId: SLOW_CHAIN_ID };
  expect((await ask(server, session, right, { input })).body.data.refundReceipt).toEqual({ refundedUsd: 10 });

  const alone = `alone-${count++}`;
  const lineItems = [{ label: 'Bag', priceUsd: 5 }];
  await server.call('POST', '/api/receipts', { headers: merchant.auth, body: { id: alone, lineItems } });
  const quote = await buyer.quote(alone);
  await buyer.send(chains.first, quote, BigInt(quote.amount));
  await reaches(alone, 'paid', 'completed');
  const elsewhere = await sendTo('second', to, 5n * DOLLAR.second);
  expect((await prove(alone, to, 5, elsewhere)).body).toMatchObject({ error: 'invalid_input', field: 'txHash' });
  const named = await prove(alone, to, 5, elsewhere, { chainId: SLOW_CHAIN_ID });
  expect(named.body).toMatchObject({ error: 'invalid_input', field: 'chainId' });
  expect((await read(alone)).refundedUsd).toBe(0);
});

test('a token of one name with other decimals on another chain never makes a refund count for more', async () => {
  const id = await paidOnBoth(100, 50n);
  const to = randomWallet();
  const small = await sendTo('second', to, 25n * DOLLAR.second);
  const refused = await prove(id, to, 50, small);
  expect(refused.body).toMatchObject({ error: 'invalid_input', field: 'txHash' });
  expect(refused.body.message).toContain('25.00');
  expect((await prove(id, to, 25, small)).status).toBe(200);
  const onFirst = await sendTo('first', to, 25n * DOLLAR.first);
  expect((await prove(id, to, 26, onFirst)).body).toMatchObject({ error: 'invalid_input', field: 'txHash' });
  expect((await prove(id, to, 25, onFirst)).status).toBe(200);
  expect(await read(id)).toMatchObject({ refundedUsd: 50, refundableUsd: 50 });
});

/** The rows of a receipt in an export. */
async function rowsOf(id: string, rows: string, query = ''): Promise<Record<string, string>[]> {
  const path = `/api/exports/receipts?rows=${rows}&order=asc&${query}`;
  const { body } = await server.call('GET', path, { headers: merchant.auth });
  return (parse(body, { columns: true }) as Record<string, string>[]).filter(({ receiptId }) => receiptId === id);
}

test('a payment in parts is listed and exported part by part, each with its chain, and so are its refunds', async () => {
  const id = await paidOnBoth(100, 60n);
  const to = randomWallet();
  const txHash = await sendTo('second', to, 30n * DOLLAR.second);
  expect((await prove(id, to, 30, txHash)).status).toBe(200);
  const LIST = `query ($id: ID!) { receipt(receiptId: $id) { receivedUsd
    payments { chainId token display countedUsd transactionHash sender at confirmedAt } } }`;
  const { receivedUsd, payments } = (await ask(server, merchant.auth, LIST, { id })).body.data.receipt;
  expect(receivedUsd).toBe(100);
  expect(payments).toMatchObject([
    { chainId: FIRST, token: 'USDC', display: '60', countedUsd: '60' },
    { chainId: SLOW_CHAIN_ID, token: 'USDC', confirmedAt: expect.any(Number) },
  ]);
  expect(await rowsOf(id, 'receipts')).toMatchObject([
    { receivedUsd: '100.00', payments: '2', paidAmount: '', refundedUsd: '30.00', netUsd: '70.00' },
  ]);
  const exported = await rowsOf(id, 'payments');
  expect(exported.map(({ chainId, amount, transactionHash }) => [Number(chainId), amount, transactionHash])).toEqual(
    payments.map((one: Record<string, string>) => [one.chainId, one.display, one.transactionHash]),
  );
  const [refund, ...others] = await rowsOf(id, 'refunds');
  expect(others).toEqual([]);
  expect(refund).toMatchObject({
    ...{ amountUsd: '30.00', currency: 'USD', amount: '30.00', chainId: String(SLOW_CHAIN_ID), token: 'USDC' },
    ...{ tokenAmount: '30', transactionHash: txHash, buyer: to },
  });
  const at = Date.parse(refund!.refundedAt!);
  // The status of its receipt may have moved since.
  const { status: _, ...same } = refund!;
  expect(await rowsOf(id, 'refunds', `createdFrom=${at}&createdTo=${at}`)).toMatchObject([same]);
  expect(await rowsOf(id, 'refunds', `createdFrom=${at + 1}`)).toEqual([]);

  const stranger = await server.merchant({ scopes: ['graphql:read', 'shop:read'] });
  expect(codeOf(await ask(server, stranger.auth, LIST, { id }))).toBe('forbidden');
  const other = await server.merchant();
  expect(codeOf(await ask(server, other.auth, LIST, { id }))).toBe('not_found');
  const { settings, clock } = server.deps;
  const token = await issuePageToken(settings, { merchant: merchant.wallet, receiptId: id }, clock());
  const asPage = { authorization: `Bearer ${token}` };
  const senders = 'query ($id: ID!) { receipt(receiptId: $id) { payments { sender } } }';
  expect(codeOf(await ask(server, asPage, senders, { id }))).toBe('forbidden');
});

test('the parts of refunds from before the column are computed by the migration', async () => {
  const id = await paidOnBoth(100, 60n);
  const to = randomWallet();
  for (const usd of [10, 7.01]) {
    const txHash = await sendTo('first', to, (BigInt(usd * 100) * DOLLAR.first) / 100n);
    expect((await prove(id, to, usd, txHash)).status).toBe(200);
  }
  const database = new pg.Client({ connectionString: server.deps.settings.databaseUrl });
  await database.connect();
  const parts = async () =>
    (
      await database.query('select usd_cents from refund_transfers where receipt_id = $1 order by created_at', [id])
    ).rows.map((row) => Number(row.usd_cents));
  expect(await parts()).toEqual([1_000, 701]);
  await database.query('update refund_transfers set usd_cents = null');
  await database.query(`update refund_transfers set usd_cents = (${PART})`);
  expect(await parts()).toEqual([1_000, 701]);
  await database.query(`delete from receipt_history where receipt_id = $1 and name = 'refund_partial'`, [id]);
  await database.query(`update refund_transfers set usd_cents = (${PART})`);
  expect(await parts()).toEqual([1_000, 701]);
  await database.end();
});

test('a refund that a server of the version before has proven is in exports and statistics with its amount', async () => {
  const id = await paidOnBoth(100, 60n);
  const to = randomWallet();
  const proven = async (usd: number) => {
    const txHash = await sendTo('first', to, (BigInt(usd * 100) * DOLLAR.first) / 100n);
    expect((await prove(id, to, usd, txHash)).status).toBe(200);
  };
  await proven(10);
  await proven(7.01);
  const exported = () => rowsOf(id, 'refunds');
  const before = await exported();
  expect(before.map(({ amountUsd }) => Number(amountUsd))).toEqual(expect.arrayContaining([10, 7.01]));
  const database = new pg.Client({ connectionString: server.deps.settings.databaseUrl });
  await database.connect();
  onTestFinished(() => database.end());
  await database.query('update refund_transfers set usd_cents = null where receipt_id = $1', [id]);
  expect(await exported()).toEqual(before);
  await proven(1);
  await until(async () => {
    const { rows } = await database.query('select sent_back_cents from counted_receipts where id = $1', [id]);
    const cents: string[] = rows[0]?.sent_back_cents ?? [];
    return cents.reduce((sum, one) => sum + Number(one), 0) === 1_801;
  });
});

test('a refund of a part payment on two chains is taken once from what is reserved, on each in its own decimals', async () => {
  const id = `both-${count++}`;
  const lineItems = [{ label: 'Bag', priceUsd: 100 }];
  await server.call('POST', '/api/receipts', { headers: merchant.auth, body: { id, lineItems } });
  for (const [on, usd] of [
    ['first', 60n],
    ['second', 20n],
  ] as const)
    await buyer.payPart(chains[on], id, await buyer.quote(id, 'USDC', chains[on].chainId), usd * DOLLAR[on]);
  const reserved = () =>
    Promise.all(
      (['first', 'second'] as const).map(async (on) => {
        const held = await readHoldings({ ...server.deps, chain: chains[on] }, merchant.wallet);
        return held.find(({ token }) => token.symbol === 'USDC')!.reserved;
      }),
    );
  const shares = (onFirst: bigint, onSecond: bigint) =>
    [onFirst * DOLLAR.first, onSecond * DOLLAR.second].map((amount) => (amount * 9_950n) / 10_000n);
  await until(async () => {
    await mine();
    return (await read(id)).refundableUsd === 80;
  });
  expect(await reserved()).toEqual(shares(60n, 20n));
  const to = randomWallet();
  const txHash = await sendTo('first', to, 40n * DOLLAR.first);
  expect((await prove(id, to, 40, txHash)).status).toBe(200);
  expect(await reserved()).toEqual(shares(30n, 10n));
});

test('drafts of a receipt are for its admin, and refused as the refund would be', async () => {
  const id = await paidOnBoth(10, 5n);
  expect(codeOf(await ask(server, merchant.auth, DRAFTS, { id, usd: 1 }))).toBe('forbidden');
  expect(codeOf(await ask(server, session, DRAFTS, { id, usd: 10.01 }))).toBe('invalid_usd');
  expect(codeOf(await ask(server, session, DRAFTS, { id, usd: 1, buyer: merchant.wallet }))).toBe('invalid_buyer');
  expect(codeOf(await ask(server, session, DRAFTS, { id: 'none', usd: 1 }))).toBe('not_found');
});
