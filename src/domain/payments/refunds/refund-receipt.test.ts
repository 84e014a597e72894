import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encodeFunctionData, erc20Abi } from 'viem';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { busyMs } from '../../../../test/support/busy.ts';
import { createChain } from '../../../base/chain/client.ts';
import { localAccount } from '../../../base/chain/local-accounts.ts';
import { createSender } from '../../../base/chain/sender.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { readMissing } from '../paying/missing.ts';
import { quotePayment } from '../paying/quote-payment.ts';
import { sendBatch as sendBatchTo } from '../test/quoted.ts';
import { openWorld, randomWallet, type World } from '../test/world.ts';
import { readRefundsOf } from './read.ts';
import { type Paid, refunding, refused } from './test/refunding.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.stop());

const { paid, confirm, refund, send, refundsOf } = refunding(() => world);

/** Sends several amounts of USDC to the buyer in one transaction and confirms it; returns the hash. */
async function sendBatch(buyer: Wallet, amounts: readonly bigint[]): Promise<`0x${string}`> {
  const payments = amounts.map((amount) => ({ payTo: buyer, amount: String(amount) }));
  const hash = await sendBatchTo(world, payments);
  await world.mine(2);
  return hash;
}

/** Fifty calls at once. A caller that a busy server refuses for now asks again. */
const fiftyAtOnce = <T>(call: (place: number) => Promise<T>) => {
  const ask = async (place: number, left = 20): Promise<T> =>
    call(place).catch((error: { code?: string }) => {
      if (error.code === 'datastore_unavailable' && left > 0) return ask(place, left - 1);
      throw error;
    });
  return Promise.allSettled(Array.from({ length: 50 }, (_, place) => ask(place)));
};

const lastOf = async ({ merchant, receiptId }: Paid) => (await world.history(merchant, receiptId)).at(-1)!;

describe('a request', () => {
  test('is stored with its items and recorded in the history, and leaves the status unchanged', async () => {
    const receipt = await paid(1_250);
    const items = [{ label: 'Mug', priceUsd: 12.5, qty: 2 }];
    expect(await refund(receipt, 4, { items })).toMatchObject({ status: 'paid' });
    const [[row]] = (await readRefundsOf(world.deps.db, receipt.merchant, [receipt.receiptId])) as [[unknown]];
    expect(row).toMatchObject({
      state: 'requested',
      usdCents: 400,
      provenCents: 0,
      buyer: receipt.buyer,
      items: [{ label: 'Mug', priceCents: 1_250, qty: 2 }],
      transactionHashes: [],
      refundedAt: null,
    });
    expect(await lastOf(receipt)).toEqual({
      what: 'tracking:refund_requested',
      detail: { usd: 4, buyer: receipt.buyer, refundIds: [expect.stringMatching(/^refund_/)] },
    });
  });

  test('keeps its reason and its note, and a proof adds them only where the request said none', async () => {
    const receipt = await paid(1_250);
    const rowsOf = async () => (await readRefundsOf(world.deps.db, receipt.merchant, [receipt.receiptId]))[0]!;
    await refund(receipt, 4, { reason: 'returned', note: '  one mug was broken ' });
    await refund(receipt, 2);
    expect((await rowsOf()).map(({ reason, note }) => [reason, note])).toEqual([
      ['returned', 'one mug was broken'],
      [null, null],
    ]);
    const txHash = await send(receipt.buyer, 6_000_000n);
    await refund(receipt, 6, { txHash, reason: 'goodwill', note: 'both' });
    expect((await rowsOf()).map(({ state, reason, note }) => [state, reason, note])).toEqual([
      ['refunded', 'returned', 'one mug was broken'],
      ['refunded', 'goodwill', 'both'],
    ]);
    expect(JSON.stringify((await lastOf(receipt)).detail)).not.toContain('both');
  });

  test('with an unknown reason or a note that is too long is refused, and nothing is stored', async () => {
    const receipt = await paid(1_250);
    const wrong = [{ reason: 'because' }, { reason: '' }, { note: 'x'.repeat(501) }, { note: 'a\0b' }, { note: 5 }];
    for (const more of wrong)
      await expect(refund(receipt, 4, more)).rejects.toMatchObject(refused('invalid_input', Object.keys(more)[0]));
    expect(await refundsOf(receipt)).toEqual([]);
    await refund(receipt, 4, { note: 'x'.repeat(500), reason: null });
    expect(await refundsOf(receipt)).toEqual([['requested', 400, 0]]);
  });

  test('never exceeds what was paid, even with fifty concurrent requests', async () => {
    const receipt = await paid(1_005);
    const answers = await fiftyAtOnce(() => refund(receipt, 1));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    for (const answer of answers) {
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject(refused('invalid_usd', 'usd'));
    }
    expect(await refundsOf(receipt)).toHaveLength(10);
    await refund(receipt, 0.05);
    await expect(refund(receipt, 0.01)).rejects.toMatchObject({ code: 'invalid_usd', extra: { refundableUsd: 0 } });
  });

  test.each(['generated', 'pending', 'tx_mined', 'failed', 'refunded'] as const)(
    'on a receipt that is %s is refused',
    async (status) => {
      const { wallet: merchant } = await world.merchant();
      const receiptId = await world.receipt(merchant, 500, { status });
      const asked = { merchant, receiptId, buyer: randomWallet() };
      await expect(refund(asked, 1)).rejects.toMatchObject(refused('invalid_input', 'receiptId'));
      expect(await refundsOf(asked)).toEqual([]);
    },
  );

  test('on a receipt with a total of zero is refused, because nothing was paid', async () => {
    const { wallet: merchant } = await world.merchant();
    const receiptId = await world.receipt(merchant, 0, { status: 'completed' });
    await expect(refund({ merchant, receiptId, buyer: randomWallet() }, 1)).rejects.toMatchObject(
      refused('invalid_input', 'receiptId'),
    );
  });

  test('for the merchant itself, its split or the zero address is refused with invalid_buyer', async () => {
    const receipt = await paid(300);
    for (const buyer of [receipt.merchant, receipt.split, `0x${'0'.repeat(40)}` as Wallet]) {
      await expect(refund({ ...receipt, buyer }, 1)).rejects.toMatchObject(refused('invalid_buyer', 'buyer'));
    }
  });

  test('to an address of the merchant’s receipts is refused: no payment proves its own refund', async () => {
    const receipt = await paid(300);
    const other = await paid(300, 'USDC', 0n, receipt);
    for (const { quote, hash } of [receipt, other]) {
      const toSplit = refund({ ...receipt, buyer: quote.payTo }, 3, { txHash: hash });
      await expect(toSplit).rejects.toMatchObject(refused('invalid_buyer', 'buyer'));
    }
    expect(await refundsOf(receipt)).toEqual([]);
  });
});

describe('a proof', () => {
  test('of the whole amount moves the receipt to refunded', async () => {
    const receipt = await paid(1_005);
    const txHash = await send(receipt.buyer, 10_050_000n);
    expect(await refund(receipt, 10.05, { txHash })).toMatchObject({ status: 'refunded' });
    expect(await refundsOf(receipt)).toEqual([['refunded', 1_005, 1_005]]);
    expect(await lastOf(receipt)).toEqual({
      what: 'status:refunded',
      detail: {
        usd: 10.05,
        buyer: receipt.buyer,
        refundIds: [expect.any(String)],
        transactionHash: txHash,
        chainId: world.chain.chainId,
        senderVerified: false,
        transfers: [{ token: 'USDC', amount: '10050000', display: '10.05' }],
      },
    });
    await expect(refund(receipt, 1)).rejects.toMatchObject(refused('invalid_input', 'receiptId'));
  });

  test('of a part is a note with the amount, and parts add up to refunded', async () => {
    const receipt = await paid(1_000);
    expect(await refund(receipt, 4, { txHash: await send(receipt.buyer, 4_000_000n) })).toMatchObject({
      status: 'paid',
    });
    expect(await lastOf(receipt)).toMatchObject({ what: 'note:refund_partial', detail: { usd: 4 } });
    await expect(refund(receipt, 6.01, { txHash: await send(receipt.buyer, 7_000_000n) })).rejects.toMatchObject(
      refused('invalid_usd'),
    );
    const rest = await send(receipt.buyer, 6_000_000n, 'USDT');
    expect(await refund(receipt, 6, { txHash: rest })).toMatchObject({ status: 'refunded' });
  });

  test('fulfils open requests first, those of this buyer before others, and only the excess becomes a new refund', async () => {
    const receipt = await paid(1_000);
    await refund({ ...receipt, buyer: randomWallet() }, 2);
    await refund(receipt, 3);
    await refund(receipt, 4, { txHash: await send(receipt.buyer, 4_000_000n) });
    expect(await refundsOf(receipt)).toEqual([
      ['requested', 200, 100],
      ['refunded', 300, 300],
    ]);
    await refund(receipt, 6, { txHash: await send(receipt.buyer, 6_000_000n) });
    expect(await refundsOf(receipt)).toEqual([
      ['refunded', 200, 200],
      ['refunded', 300, 300],
      ['refunded', 500, 500],
    ]);
    expect(await world.status(receipt.merchant, receipt.receiptId)).toBe('refunded');
  });

  test('counts once: fifty concurrent uses of one transaction prove one refund, on one receipt of a merchant', async () => {
    const one = await paid(1_000);
    const two = await paid(1_000, 'USDC', 0n, one);
    const txHash = await send(one.buyer, 1_000_000n);
    const answers = await fiftyAtOnce((i) => refund({ ...(i % 2 ? one : two), buyer: one.buyer }, 1, { txHash }));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject(refused('invalid_input', 'txHash'));
    }
    expect([...(await refundsOf(one)), ...(await refundsOf(two))]).toEqual([['refunded', 100, 100]]);
  });

  test('that is one cent short, to another wallet, in another token or older than the payment is refused', async () => {
    const other = randomWallet();
    const early = await send(other, 5_000_000n);
    const receipt = await paid(500);
    const no = (txHash: string, buyer = receipt.buyer) =>
      expect(refund({ ...receipt, buyer }, 5, { txHash })).rejects.toMatchObject(refused('invalid_input', 'txHash'));
    await no(await send(receipt.buyer, 4_999_999n));
    await no(await send(other, 5_000_000n));
    await no(early, other);
    await no(receipt.hash);
    await no(`0x${'ab'.repeat(32)}`);
    expect(await refundsOf(receipt)).toEqual([]);
    expect(await world.status(receipt.merchant, receipt.receiptId)).toBe('paid');
  });

  test('that is reverted or not in a block yet is refused', async () => {
    const receipt = await paid(500);
    const sender = createSender(world.chain, localAccount('buyer', 3).privateKey);
    const token = world.chain.tokens[0]!.address as `0x${string}`;
    const data = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [receipt.buyer as `0x${string}`, 10n ** 30n],
    });
    const hash = await world.chain.client.request({
      method: 'eth_sendTransaction' as never,
      params: [{ from: sender.address, to: token, data, gas: '0x30d40' }] as never,
    });
    await world.mine(1);
    await expect(refund(receipt, 5, { txHash: hash })).rejects.toMatchObject({
      message: expect.stringContaining('reverted'),
    });

    await world.control.setAutomine(false);
    onTestFinished(() => world.control.setAutomine(true));
    const waiting = await world.chain.client.request({
      method: 'eth_sendTransaction' as never,
      params: [{ from: sender.address, to: receipt.buyer, value: '0x1' }] as never,
    });
    await expect(refund(receipt, 5, { txHash: waiting })).rejects.toMatchObject({
      message: expect.stringContaining('not in a block yet'),
      extra: { field: 'txHash', reason: 'too_early' },
    });
    await world.control.setAutomine(true);
    await world.mine(1);
  });

  test('by a batch can prove several refunds, one transfer each, and several of its transfers can prove one refund', async () => {
    const one = await paid(500);
    const two = await paid(500, 'USDC', 0n, one);
    const { buyer } = one;
    const txHash = await sendBatch(buyer, [5_000_000n, 3_000_000n]);
    await refund({ ...two, buyer }, 3, { txHash });
    expect(await refund({ ...one, buyer }, 5, { txHash })).toMatchObject({ status: 'refunded' });
    await expect(refund({ ...two, buyer }, 1, { txHash })).rejects.toMatchObject(refused('invalid_input', 'txHash'));
    const halves = await sendBatch(buyer, [1_000_000n, 1_000_000n]);
    expect(await refund({ ...two, buyer }, 2, { txHash: halves })).toMatchObject({ status: 'refunded' });
  });

  test('in coins counts at the current rate, and never less than what the same coins paid', async () => {
    const receipt = await paid(3_100, 'ETH');
    const half = BigInt(receipt.quote.amount) / 2n + 1n;
    world.rates.set('ETH', '1550');
    onTestFinished(() => void world.rates.set('ETH', '3100'));
    await refund(receipt, 15.5, { txHash: await send(receipt.buyer, half, 'ETH') });
    world.rates.set('ETH', '6200');
    const quarter = BigInt(receipt.quote.amount) / 4n + 1n;
    expect(await refund(receipt, 15.5, { txHash: await send(receipt.buyer, quarter, 'ETH') })).toMatchObject({
      status: 'refunded',
    });
  });

  test('can also return a surplus', async () => {
    const receipt = await paid(1_000, 'USDC', 5_000_000n);
    expect(await world.status(receipt.merchant, receipt.receiptId)).toBe('paid');
    await refund(receipt, 5, { txHash: await send(receipt.buyer, 5_000_000n) });
    expect(await lastOf(receipt)).toMatchObject({ what: 'note:refund_partial', detail: { usd: 5 } });
    await refund(receipt, 10, { txHash: await send(receipt.buyer, 10_000_000n) });
    expect(await world.status(receipt.merchant, receipt.receiptId)).toBe('refunded');
  });

  test('can return an underpayment, and a returned part is due again', async () => {
    const receipt = await paid(1_000, 'USDC', -4_000_000n);
    const { merchant, receiptId } = receipt;
    expect(await world.status(merchant, receiptId)).toBe('tx_mismatch');
    await refund(receipt, 2, { txHash: await send(receipt.buyer, 2_000_000n) });
    expect(await world.status(merchant, receiptId)).toBe('tx_mismatch');
    expect(Number((await readMissing(world.deps, merchant, receiptId))!.usd)).toBeCloseTo(6, 1);
    const quote = await quotePayment(world.deps, { merchant, receiptId, token: 'USDC' });
    await world.pay(quote);
    await confirm();
    expect(await world.status(merchant, receiptId)).toBe('paid');
    await expect(refund(receipt, 10.01)).rejects.toMatchObject(refused('invalid_usd'));
    await refund(receipt, 10, { txHash: await send(receipt.buyer, 10_000_000n) });
    expect(await world.status(merchant, receiptId)).toBe('refunded');
  });

  test('of a whole underpayment ends the receipt', async () => {
    const receipt = await paid(1_000, 'USDC', -4_000_000n);
    const { quote } = receipt;
    const back = Number(BigInt(quote.amount) - 4_000_000n) / 1e6;
    const usd = Math.floor(back * 100) / 100;
    expect(await refund(receipt, usd, { txHash: await send(receipt.buyer, 6_100_000n) })).toMatchObject({
      status: 'refunded',
    });
  });

  test.each([
    ['hangs', (): void => {}],
    [
      'serves another chain',
      (body: string, answer: (text: string) => void) => {
        const calls = [JSON.parse(body)].flat() as { id: number; method: string }[];
        const results = calls.map(({ id, method }) => ({
          jsonrpc: '2.0',
          id,
          result: method === 'eth_chainId' ? '0x1' : null,
        }));
        answer(JSON.stringify(body.startsWith('[') ? results : results[0]));
      },
    ],
    ['returns nonsense', (_body: string, answer: (text: string) => void) => answer('{"jsonrpc":"2.0","id":1}')],
  ])('against a node that %s is chain_unavailable within 2.5 s, and changes nothing', async (_, behave) => {
    const node = createServer((request, response) => {
      let body = '';
      request.on('data', (text) => {
        body += text;
      });
      request.on('end', () => behave(body, (text) => void response.end(text)));
    });
    await new Promise<void>((listening) => node.listen(0, '127.0.0.1', listening));
    onTestFinished(() => {
      node.closeAllConnections();
      node.close();
    });
    const rpcUrl = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
    const chain = createChain({ ...world.chain, rpcUrl });
    const receipt = await paid(500);
    const txHash = await send(receipt.buyer, 5_000_000n);
    const before = await world.history(receipt.merchant, receipt.receiptId);
    const began = performance.now();
    await expect(refund(receipt, 5, { txHash }, { ...world.deps, chain })).rejects.toMatchObject({
      code: 'chain_unavailable',
    });
    expect(performance.now() - began).toBeLessThan(busyMs(2_500));
    expect(await refundsOf(receipt)).toEqual([]);
    expect(await world.history(receipt.merchant, receipt.receiptId)).toEqual(before);
  });
});

test('the same Idempotency-Key makes one refund, even after the receipt is refunded, and another body is refused', async () => {
  const receipt = await paid(500);
  const txHash = await send(receipt.buyer, 5_000_000n);
  const again = () => refund(receipt, 5, { txHash }, world.deps, 'once');
  const answers = await Promise.all([again(), again()]);
  expect(answers.map(({ status }) => status)).toEqual(['refunded', 'refunded']);
  expect(await again()).toMatchObject({ status: 'refunded' });
  expect(await refundsOf(receipt)).toEqual([['refunded', 500, 500]]);
  await expect(refund(receipt, 4, { txHash }, world.deps, 'once')).rejects.toMatchObject(
    refused('invalid_input', 'Idempotency-Key'),
  );
});
