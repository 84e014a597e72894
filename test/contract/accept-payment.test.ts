import { expect, test } from 'vitest';
import { payFromTestWallet } from '../../src/base/chain/local.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { ask, codeOf } from '../graphql/ask.ts';
import { openReceiver } from '../support/receiver.ts';
import { newAccount } from '../support/server.ts';
import { openPaidShop } from './paid-shop.ts';

const platform = newAccount();
const { chain, server, merchant, session, mineUntil } = await openPaidShop({ PLATFORM_ADMINS: platform.address });

const ACCEPT = `mutation ($id: ID!, $wallet: Wallet) { acceptPayment(receiptId: $id, wallet: $wallet) { status } }`;
const RECEIPT = `query ($id: ID!) { receipt(receiptId: $id) {
  status acceptedUsd
  history { kind status tracking actor accepted { totalUsd receivedUsd missingUsd } } } }`;
const accept = (id: string, headers: Record<string, string>, wallet?: string) =>
  ask(server, headers, ACCEPT, { id, wallet });
const read = async (id: string) => (await ask(server, session, RECEIPT, { id })).body.data.receipt;

let count = 0;
/** A receipt of five dollars for which four have arrived. */
async function partlyPaid(webhookUrl?: string): Promise<string> {
  const id = `part-${count++}`;
  await server.call('POST', '/api/receipts', {
    headers: merchant.auth,
    body: { id, lineItems: [{ label: 'x', priceUsd: 5 }], webhook_url: webhookUrl },
  });
  const quote = 'mutation ($id: ID!) { quotePayment(receiptId: $id, token: "USDC") { payTo } }';
  const { payTo } = (await ask(server, session, quote, { id })).body.data.quotePayment;
  await payFromTestWallet(chain.chain, { token: 'USDC', to: payTo, amount: 4_000_000n });
  await mineUntil(async () => (await read(id)).status === 'tx_mismatch');
  return id;
}

test('an admin accepts an incomplete payment: it becomes paid, and history and webhook name what is missing', async () => {
  const receiver = await openReceiver();
  const id = await partlyPaid(receiver.url);
  expect((await accept(id, session)).body.data.acceptPayment).toEqual({ status: 'tx_mined' });
  await mineUntil(async () => ['paid', 'completed'].includes((await read(id)).status));
  const { acceptedUsd, history } = await read(id);
  expect(acceptedUsd).toBe('1');
  const actor = `wallet:${merchant.wallet}`;
  expect(history).toContainEqual(
    expect.objectContaining({ kind: 'status', status: 'tx_mined', actor, accepted: null }),
  );
  expect(history).toContainEqual({
    ...{ kind: 'note', status: 'tx_mined', tracking: 'accepted_difference', actor },
    accepted: { totalUsd: '5', receivedUsd: '4', missingUsd: '1' },
  });
  await expect
    .poll(() => receiver.received.find(({ event }) => event.status === 'paid')?.event)
    .toMatchObject({ acceptedUsd: '1', totalUsd: 5 });
});

test('a buyer, a key, another merchant and a request without the CSRF token are refused, and nothing changes', async () => {
  const id = await partlyPaid();
  const other = await server.merchant();
  const theirs = await server.signIn(other.account);
  const { body: page } = await server.call('GET', `/portal/${id}`);
  const [, token] = /name="page-token" content="([^"]+)"/.exec(page) ?? [];
  expect(codeOf(await accept(id, { authorization: `Bearer ${token}` }))).toBe('forbidden');
  expect(codeOf(await accept(id, merchant.auth))).toBe('forbidden');
  expect(codeOf(await accept(id, { cookie: session.cookie as string }))).toBe('forbidden');
  expect(codeOf(await accept(id, theirs))).toBe('not_found');
  expect(codeOf(await accept(id, theirs, merchant.wallet))).toBe('forbidden');
  expect(codeOf(await accept(id, {}))).toBe('unauthorized');
  const actors = 'query ($id: ID!) { receipt(receiptId: $id) { history { actor } } }';
  expect(codeOf(await ask(server, { authorization: `Bearer ${token}` }, actors, { id }))).toBe('forbidden');
  expect(await read(id)).toMatchObject({ status: 'tx_mismatch', acceptedUsd: null });

  const admin = await server.signIn(platform);
  expect(codeOf(await accept(id, admin))).toBe('wallet_required');
  expect((await accept(id, admin, merchant.wallet)).body.data.acceptPayment).toEqual({ status: 'tx_mined' });
  const { history } = await read(id);
  // The chain may have confirmed it since.
  const byPeople = history.filter(({ actor }: { actor: string }) => actor !== 'chain');
  expect(byPeople.at(-1).actor).toBe(`wallet:${platform.address.toLowerCase()}`);
});

test('a receipt for which nothing was received is refused', async () => {
  const id = `part-${count++}`;
  await server.call('POST', '/api/receipts', {
    headers: merchant.auth,
    body: { id, lineItems: [{ label: 'x', priceUsd: 5 }] },
  });
  const { body } = await accept(id, session);
  expect(body.errors[0].extensions).toMatchObject({ code: 'invalid_input', field: 'receiptId' });
  expect((await read(id)).status).toBe('pending');
});

test('a rate is stated by the merchant’s admin only, as a number, and never in place of a known one', async () => {
  const id = `part-${count++}`;
  const lineItems = [{ label: 'x', priceUsd: 5 }];
  await server.call('POST', '/api/receipts', { headers: merchant.auth, body: { id, lineItems } });
  const quote = 'mutation ($id: ID!) { quotePayment(receiptId: $id, token: "USDC") { payTo } }';
  await ask(server, session, quote, { id });
  const to = merchant.split as Wallet;
  const hash = await payFromTestWallet(chain.chain, { token: 'USDC', to, amount: 3_000_000n });
  const listed = 'query { unmatchedTransfers { nodes { transactionHash } } }';
  const isListed = async () => {
    const { body } = await ask(server, session, listed);
    return body.data.unmatchedTransfers.nodes.some((one: { transactionHash: string }) => one.transactionHash === hash);
  };
  await mineUntil(isListed);
  const state = (headers: Record<string, string>, usdPerToken: string) =>
    ask(
      server,
      headers,
      `mutation ($id: ID!, $hash: Hex!, $usdPerToken: String) {
        assignTransfer(receiptId: $id, transactionHash: $hash, usdPerToken: $usdPerToken) { status } }`,
      { id, hash, usdPerToken },
    );
  const other = await server.merchant();
  expect(codeOf(await state(merchant.auth, '1'))).toBe('forbidden');
  expect(codeOf(await state({}, '1'))).toBe('unauthorized');
  expect(codeOf(await state({ cookie: session.cookie as string }, '1'))).toBe('forbidden');
  expect(codeOf(await state(await server.signIn(other.account), '1'))).toBe('not_found');
  for (const usdPerToken of ['0', '-1', '1e9', '', 'much', '1000000000', '0.0000000000000000001', '2000']) {
    const answer = await state(session, usdPerToken);
    expect([usdPerToken, codeOf(answer), answer.body.errors[0].extensions.field]).toEqual([
      ...[usdPerToken, 'invalid_input', 'usdPerToken'],
    ]);
  }
  expect(await isListed()).toBe(true);
  expect((await read(id)).status).toBe('pending');
});
