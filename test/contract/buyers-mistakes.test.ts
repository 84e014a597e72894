import { afterAll, describe, expect, test } from 'vitest';
import type { Chain } from '../../src/base/chain/client.ts';
import { payFromTestWallet } from '../../src/base/chain/local.ts';
import { startTestChain } from '../../src/base/chain/test/anvil.ts';
import { SLOW_CHAIN_ID } from '../../src/base/core/local-chains.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { sendBatch } from '../../src/domain/payments/test/quoted.ts';
import { ReceiptAddressSchema } from '../../src/domain/sales/receipts/address.entity.ts';
import { ask } from '../graphql/ask.ts';
import { until } from '../support/program.ts';
import { openPaidShop } from './paid-shop.ts';

// How buyers really pay: on both chains, the money stands at its receipt without anyone's help.

const second = await startTestChain([], SLOW_CHAIN_ID);
afterAll(() => second.stop());
const { chain, server, merchant, session } = await openPaidShop({
  RATE_LIMITS: 'off',
  CHAIN_ID: '31337',
  CHAINS: JSON.stringify([{ chainId: SLOW_CHAIN_ID, rpcUrl: second.rpcUrl, confirmations: 1 }]),
});

const QUOTE = `mutation ($id: ID!, $token: String!, $chainId: SafeInt) {
  quotePayment(receiptId: $id, token: $token, chainId: $chainId) { payTo amount display } }`;
const RECEIPT = `query ($id: ID!) { receipt(receiptId: $id) {
  status receivedUsd missing { display token } payments { chainId token } } }`;

let count = 0;
/** A receipt of 10.05 dollars; its id. */
async function order(): Promise<string> {
  const id = `mistake-${count++}`;
  const body = { id, lineItems: [{ label: 'Mug', priceUsd: 10.05 }] };
  expect((await server.call('POST', '/api/receipts', { headers: merchant.auth, body })).status).toBe(201);
  return id;
}
const read = async (id: string) => (await ask(server, session, RECEIPT, { id })).body.data.receipt;
const addressOf = async (id: string): Promise<Wallet> =>
  (await server.deps.db.orm.em.fork().findOneOrFail(ReceiptAddressSchema, { receiptId: id })).address;

async function reaches(id: string, ...statuses: string[]): Promise<void> {
  await until(async () => {
    await Promise.all([chain.control.mine({ blocks: 1 }), second.control.mine({ blocks: 1 })]);
    return statuses.includes((await read(id)).status);
  });
}
const isPaid = (id: string) => reaches(id, 'paid', 'completed');

describe.each([
  { name: 'the first chain', on: chain.chain, other: second.chain, token: 'USDT' },
  { name: 'the second chain', on: second.chain, other: chain.chain, token: 'EURC' },
])('on $name', ({ on, other, token }) => {
  const quote = async (id: string, symbol = 'USDC') =>
    (await ask(server, session, QUOTE, { id, token: symbol, chainId: on.chainId })).body.data.quotePayment;
  const pay = (to: Wallet, amount: bigint, symbol = 'USDC', where: Chain = on) =>
    payFromTestWallet(where, { token: symbol, to, amount });

  test('the amount that is asked for has whole cents', async () => {
    expect(await quote(await order())).toMatchObject({ amount: '10050000', display: '10.05' });
  });

  test.each([
    ['an exchange has deducted its fee', 9_350_000n, '0.7'],
    ['a wallet has rounded down', 10_000_000n, '0.05'],
  ])('%s: what is missing is said, and the rest pays', async (_how, amount, missing) => {
    const id = await order();
    const { payTo } = await quote(id);
    await pay(payTo, amount);
    await reaches(id, 'tx_mismatch');
    expect((await read(id)).missing).toEqual({ display: missing, token: 'USDC' });
    const rest = await quote(id);
    expect(rest).toMatchObject({ payTo, display: missing });
    await pay(payTo, BigInt(rest.amount));
    await isPaid(id);
  });

  test.each([
    ['a wallet has rounded up', 11_000_000n, 11],
    ['the buyer has sent much too much', 100_000_000n, 100],
  ])('%s: it is paid, and all that was received can be refunded', async (_how, amount, received) => {
    const id = await order();
    await pay((await quote(id)).payTo, amount);
    await isPaid(id);
    expect((await read(id)).receivedUsd).toBe(received);
  });

  test('two parts, and a part in another token, add up', async () => {
    const id = await order();
    const { payTo } = await quote(id);
    await pay(payTo, 4_000_000n);
    await pay(payTo, 3_000_000n);
    await reaches(id, 'tx_mismatch');
    await until(async () => (await read(id)).payments.length === 2);
    const rest = await quote(id, token);
    expect(rest.payTo).toBe(payTo);
    await pay(payTo, BigInt(rest.amount), token);
    await isPaid(id);
    expect((await read(id)).payments.map((one: { token: string }) => one.token)).toEqual(['USDC', 'USDC', token]);
  });

  test('a second payment is a duplicate of its receipt', async () => {
    const id = await order();
    const { payTo, amount } = await quote(id);
    await pay(payTo, BigInt(amount));
    await isPaid(id);
    const again = await pay(payTo, BigInt(amount));
    const LIST = '{ unmatchedTransfers { nodes { transactionHash reason candidates { receiptId } } } }';
    await until(async () => {
      const { nodes } = (await ask(server, session, LIST)).body.data.unmatchedTransfers;
      const found = nodes.find((one: { transactionHash: string }) => one.transactionHash === again);
      if (found) expect([found.reason, found.candidates[0].receiptId]).toEqual(['duplicate', id]);
      return found !== undefined;
    });
  });

  test.each([3, 60])('an old link of %i days ago is paid', async (days) => {
    const id = await order();
    const { payTo, amount } = await quote(id);
    const em = server.deps.db.orm.em.fork();
    const ago = days * 86_400_000;
    const moved = 'update quotes set created_at = created_at - ?, expires_at = expires_at - ? where receipt_id = ?';
    await em.execute(moved, [ago, ago, id]);
    await em.execute('update receipts set created_at = created_at - ? where id = ?', [ago, id]);
    await pay(payTo, BigInt(amount));
    await isPaid(id);
  });

  test('a payment on the other network finds its receipt', async () => {
    const id = await order();
    const { payTo, amount } = await quote(id);
    await pay(payTo, BigInt(amount), 'USDC', other);
    await isPaid(id);
    expect((await read(id)).payments).toMatchObject([{ chainId: other.chainId }]);
  });

  test('a contract that pays several receipts at once pays each', async () => {
    const ids = [await order(), await order()];
    const payments = await Promise.all(ids.map(async (id) => ({ payTo: await addressOf(id), amount: '10050000' })));
    await sendBatch({ chain: on }, payments);
    for (const id of ids) await isPaid(id);
  });

  test('a payment before the page was opened is found', async () => {
    const id = await order();
    await pay(await addressOf(id), 10_050_000n);
    await isPaid(id);
  });
});
