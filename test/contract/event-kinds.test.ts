import { createWalletClient, erc20Abi, http, maxUint256 } from 'viem';
import { expect, test } from 'vitest';
import { toAddress } from '../../src/base/chain/address.ts';
import { mintTestTokens, payFromTestWallet } from '../../src/base/chain/local.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { spenderOf } from '../../src/base/onchain/spender/spender.ts';
import { newAccount } from '../support/server.ts';
import { makePlan, subscribe, subscriptionBody, tokenOf, walletOf } from '../support/subscriber.ts';
import { stock } from './catalog.ts';
import { openPaidShop } from './paid-shop.ts';

const { chain, server, merchant, session, mineUntil } = await openPaidShop();

interface Event {
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: each kind has data of its own
  readonly data: any;
}

async function eventsAbout(field: string, value: string): Promise<Event[]> {
  const events: Event[] = [];
  for (let after = ''; ; ) {
    const { body } = await server.call('GET', `/api/events?limit=200${after}`, { headers: merchant.auth });
    if (body.events.length === 0) return events;
    events.push(...body.events.filter(({ data }: Event) => data[field] === value));
    after = `&after=${body.nextCursor}`;
  }
}
const typesAbout = async (field: string, value: string) =>
  (await eventsAbout(field, value)).map(({ type }) => type).toSorted();

async function ask(query: string, variables: object) {
  const { body } = await server.call('POST', '/api/graphql', { headers: session, body: { query, variables } });
  expect(body.errors).toBeUndefined();
  return body.data;
}
const PAY = 'mutation ($id: ID!) { payWithTestWallet(receiptId: $id, token: "USDC") { transactionHash } }';

async function sell(sku: string): Promise<string> {
  const body = { items: [{ sku, qty: 1 }] };
  return (await server.call('POST', '/api/orders', { headers: merchant.auth, body })).body.receipt.receiptId;
}
async function paid(receiptId: string) {
  await ask(PAY, { id: receiptId });
  await mineUntil(async () => (await typesAbout('receiptId', receiptId)).includes('receipt.completed'));
}
async function send(to: Wallet, amount: bigint): Promise<string> {
  const hash = await payFromTestWallet(chain.chain, { token: 'USDC', to, amount });
  await chain.chain.client.waitForTransactionReceipt({ hash, pollingInterval: 20 });
  await chain.control.mine({ blocks: 1 });
  return hash;
}

test('a sale, its payout, a shortage and its refund are reported once each', async () => {
  await stock(server, merchant, [{ sku: 'LAST', priceUsd: 12.5, stockQty: 1 }]);
  const [first, second] = [await sell('LAST'), await sell('LAST')];
  await paid(first);
  await paid(second);
  const life = ['completed', 'created', 'paid', 'pending', 'tx_mined'].map((name) => `receipt.${name}`);
  const payouts = (await eventsAbout('receiptId', first)).filter(({ type }) => type === 'payout.released');
  expect(payouts.map(({ data }) => data.payee)).toContain(merchant.wallet);
  expect(payouts[0]!.data).toMatchObject({ token: 'USDC', split: merchant.split, amount: expect.any(String) });
  expect(await typesAbout('receiptId', first)).toEqual([...payouts.map(() => 'payout.released'), ...life]);
  const [short] = (await eventsAbout('receiptId', second)).filter(({ type }) => type === 'stock.short');
  expect(short!.data.items).toEqual([{ sku: 'LAST', qty: 1 }]);

  const buyer = walletOf(newAccount());
  const refund = async (usd: number, txHash?: string) => {
    const said = txHash ? {} : { reason: 'returned', note: 'all of it' };
    const body = { receiptId: first, wallet: merchant.wallet, buyer, usd, txHash, ...said };
    expect((await server.call('POST', '/api/receipts/refund', { headers: session, body })).status).toBe(200);
  };
  const { totalUsd } = (await server.call('GET', `/api/receipts/${first}`, { headers: merchant.auth })).body;
  await refund(totalUsd);
  await refund(5, await send(buyer, 5_000_000n));
  await refund(Math.round((totalUsd - 5) * 100) / 100, await send(buyer, 20_000_000n));
  await expect.poll(() => typesAbout('receiptId', first)).toContain('refund.completed');
  const refunds = (await eventsAbout('receiptId', first)).filter(({ type }) => /refund/.test(type));
  expect(refunds.map(({ type, data }) => [type, data.usd])).toEqual([
    ['refund.requested', totalUsd],
    ['refund.partial', 5],
    ['receipt.refunded', undefined],
    ['refund.completed', Math.round((totalUsd - 5) * 100) / 100],
  ]);
  expect(refunds[0]!.data).toMatchObject({ reason: 'returned', note: 'all of it' });
});

test('money that pays no receipt is reported once', async () => {
  const hash = await send(merchant.split as Wallet, 1_234_567n);
  await mineUntil(async () => (await eventsAbout('transactionHash', hash)).length > 0);
  expect(await eventsAbout('transactionHash', hash)).toMatchObject([
    { type: 'transfer.unmatched', data: { amount: '1234567', token: 'USDC', reason: 'unknown_amount' } },
  ]);
});

test('a subscription is reported as created, charged, past due, cancelled and expired', async () => {
  const plan = await makePlan(server, merchant);
  const rich = newAccount();
  await chain.control.setBalance({ address: rich.address, value: 10n ** 18n });
  await mintTestTokens(server.deps.chain, 'USDC', walletOf(rich), 1_000_000_000n);
  const args = [toAddress(spenderOf(server.deps).spender), maxUint256] as const;
  const address = toAddress(tokenOf(server, 'USDC'));
  const wallet = createWalletClient({ account: rich, transport: http(chain.rpcUrl) });
  const hash = await wallet.writeContract({ abi: erc20Abi, address, functionName: 'approve', args, chain: null });
  await server.deps.chain.client.waitForTransactionReceipt({ hash });
  const poor = newAccount();
  const begin = async (customer: typeof rich): Promise<string> =>
    (await subscribe(server, merchant, await subscriptionBody(server, plan, { customer }))).body.subscription
      .subscriptionId;
  const [charged, failed] = [await begin(rich), await begin(poor)];
  const headers = { 'x-cron-secret': server.deps.settings.cronSecret };
  const charge = (subscriptionId: string) =>
    server.call('POST', '/api/subscriptions/charge', { headers, body: { subscriptionId } });
  // The worker charges new subscriptions too: either may be first.
  await charge(charged);
  expect((await charge(failed)).body.success).not.toBe(true);
  const body = { subscriptionId: charged, wallet: rich.address };
  await server.call('POST', '/api/subscriptions/cancel', { headers: await server.signIn(rich), body });
  await expect
    .poll(() => typesAbout('subscriptionId', charged))
    .toEqual(['subscription.cancelled', 'subscription.charged', 'subscription.created']);
  await expect
    .poll(() => typesAbout('subscriptionId', failed))
    .toEqual(['subscription.created', 'subscription.past_due']);
  const [, report] = await eventsAbout('subscriptionId', failed);
  expect(report!.data).toMatchObject({
    ...{ planId: plan.planId, customerWallet: walletOf(poor), status: 'past_due', priceUsd: 14.5 },
    failureCode: 'PORTAL_CHAIN_INSUFFICIENT_BALANCE',
  });
  await chain.control.increaseTime({ seconds: 500 * 86_400 });
  await chain.control.mine({ blocks: 1 });
  await server.call('POST', '/api/cron/charge-subscriptions', { headers });
  await expect.poll(() => typesAbout('subscriptionId', failed)).toContain('subscription.expired');
});
