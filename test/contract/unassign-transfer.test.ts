import { expect, test } from 'vitest';
import { payFromTestWallet } from '../../src/base/chain/local.ts';
import { localAccount } from '../../src/base/chain/local-accounts.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { ask, codeOf } from '../graphql/ask.ts';
import { openPaidShop } from './paid-shop.ts';

const { chain, server, merchant, session, mineUntil } = await openPaidShop();

const read = async (id: string) =>
  (
    await ask(server, session, 'query ($id: ID!) { receipt(receiptId: $id) { status payments { assigned } } }', {
      id,
    })
  ).body.data.receipt;

const PREVIEW = `query ($id: ID!, $hash: Hex!) { assignmentPreview(receiptId: $id, transactionHash: $hash) {
  status totalUsd beforeUsd countsUsd missingUsd surplusUsd } }`;
const ASSIGN = 'mutation ($id: ID!, $hash: Hex!) { assignTransfer(receiptId: $id, transactionHash: $hash) { status } }';
const UNDO = 'mutation ($hash: Hex!) { unassignTransfer(transactionHash: $hash) { status } }';

let count = 0;
/** A receipt of five dollars, and money that went straight to the split. */
async function stray(amount: bigint) {
  const id = `stray-${count++}`;
  const lineItems = [{ label: 'x', priceUsd: 5 }];
  await server.call('POST', '/api/receipts', { headers: merchant.auth, body: { id, lineItems } });
  const hash = await payFromTestWallet(chain.chain, { token: 'USDC', to: merchant.split as Wallet, amount });
  await mineUntil(async () => {
    const { body } = await ask(server, session, '{ unmatchedTransfers { nodes { transactionHash } } }');
    return body.data.unmatchedTransfers.nodes.some((one: { transactionHash: string }) => one.transactionHash === hash);
  });
  return (operation: string, headers: Record<string, string>) =>
    ask(server, headers, operation, operation === UNDO ? { hash } : { id, hash });
}

test('an assignment says before what it does, is marked, and is undone while the receipt is not paid', async () => {
  const send = await stray(4_000_000n);
  expect((await send(PREVIEW, session)).body.data.assignmentPreview).toEqual({
    ...{ status: 'tx_mismatch', totalUsd: 5, beforeUsd: '0', countsUsd: '4', missingUsd: '1', surplusUsd: '0' },
  });
  expect((await send(ASSIGN, session)).body.data.assignTransfer).toEqual({ status: 'tx_mismatch' });
  expect((await read('stray-0')).payments).toEqual([{ assigned: true }]);
  expect((await send(UNDO, session)).body.data.unassignTransfer).toEqual({ status: 'pending' });
  expect(await read('stray-0')).toEqual({ status: 'pending', payments: [] });
  expect((await send(PREVIEW, session)).body.data.assignmentPreview.countsUsd).toBe('4');
  expect(codeOf(await send(UNDO, session))).toBe('not_found');
});

test('keys, buyers, other merchants and requests without the CSRF token neither undo nor look, and change nothing', async () => {
  const send = await stray(4_000_000n);
  await send(ASSIGN, session);
  const other = await server.merchant();
  const theirs = await server.signIn(other.account);
  const { body: page } = await server.call('GET', '/portal/stray-1');
  const [, token] = /name="page-token" content="([^"]+)"/.exec(page) ?? [];
  const buyer = { authorization: `Bearer ${token}` };
  expect(codeOf(await send(UNDO, merchant.auth))).toBe('forbidden');
  expect(codeOf(await send(UNDO, buyer))).toBe('forbidden');
  expect(codeOf(await send(UNDO, { cookie: session.cookie as string }))).toBe('forbidden');
  expect(codeOf(await send(UNDO, theirs))).toBe('not_found');
  expect(codeOf(await send(UNDO, {}))).toBe('unauthorized');
  expect(codeOf(await send(PREVIEW, buyer))).toBe('forbidden');
  expect(codeOf(await send(PREVIEW, theirs))).toBe('not_found');
  expect(codeOf(await send(PREVIEW, {}))).toBe('unauthorized');
  expect(await read('stray-1')).toEqual({ status: 'tx_mismatch', payments: [{ assigned: true }] });
});

test('what is paid is not undone', async () => {
  const send = await stray(5_000_000n);
  await send(ASSIGN, session);
  await mineUntil(async () => ['paid', 'completed'].includes((await read('stray-2')).status));
  const { body } = await send(UNDO, session);
  expect(body.errors[0].extensions).toMatchObject({ code: 'invalid_input', field: 'transactionHash' });
  expect((await read('stray-2')).payments).toHaveLength(1);
});

test('coins from within a contract name no transaction and no wallet, and are assigned and taken back all the same', async () => {
  const ids = [`stray-${count++}`, `stray-${count++}`] as const;
  for (const id of ids) {
    const lineItems = [{ label: 'x', priceUsd: 5 }];
    await server.call('POST', '/api/receipts', { headers: merchant.auth, body: { id, lineItems } });
  }
  const [id, other] = ids;
  const quote = 'mutation ($id: ID!) { quotePayment(receiptId: $id, token: "ETH") { payTo amount } }';
  const { payTo, amount } = (await ask(server, session, quote, { id })).body.data.quotePayment;
  await ask(server, session, 'mutation ($id: ID!) { voidReceipt(receiptId: $id) { status } }', { id });
  // A contract that sends its coins on while it is created, and leaves no code.
  const value = `0x${(BigInt(amount) / 2n).toString(16)}`;
  const payer = { from: localAccount('deployer').address, value, data: `0x73${payTo.slice(2)}ff` };
  await chain.chain.client.request({ method: 'eth_sendTransaction' as never, params: [payer] as never });
  const text = '{ unmatchedTransfers { nodes { payTo chainId transactionHash recordedHash sender senderUrl } } }';
  let found: Record<string, unknown> | undefined;
  await mineUntil(async () => {
    const { nodes } = (await ask(server, session, text)).body.data.unmatchedTransfers;
    found = nodes.find((one: { payTo: string }) => one.payTo === payTo);
    return found !== undefined;
  });
  expect(found).toMatchObject({ transactionHash: null, sender: null, senderUrl: null });
  const { recordedHash: hash, chainId } = found!;
  const named = { id: other, hash, chainId };
  const assign = `mutation ($id: ID!, $hash: Hex!, $chainId: SafeInt) {
    assignTransfer(receiptId: $id, transactionHash: $hash, chainId: $chainId) {
      status payments { transactionHash recordedHash sender assigned } } }`;
  expect(codeOf(await ask(server, session, assign, { ...named, chainId: 1 }))).toBe('not_found');
  expect((await ask(server, session, assign, named)).body.data.assignTransfer).toEqual({
    status: 'tx_mismatch',
    payments: [{ transactionHash: null, recordedHash: hash, sender: null, assigned: true }],
  });
  expect((await ask(server, session, UNDO, { hash })).body.data.unassignTransfer).toEqual({ status: 'pending' });
});
