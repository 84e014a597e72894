import { encodeFunctionData, erc20Abi } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deploymentTransaction } from '../chain/create2.ts';
import { localAccount, mintTestTokens } from '../chain/local.ts';
import { createSender } from '../chain/sender.ts';
import { Split } from '../splits/split.entity.ts';
import { assignTransfer } from './assign.ts';
import { createBackoff } from './backoff.ts';
import { deploySplits } from './deploy.ts';
import { readMissing } from './missing.ts';
import { quotePayment, reserveQuote } from './quote.ts';
import { followHints } from './submissions.ts';
import { submitTransaction } from './submit.ts';
import { openWorld, type World } from './test/world.ts';
import { listUnmatched } from './unmatched.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

async function quoted(totalCents: number, token = 'USDC', options: Parameters<World['merchant']>[0] = {}) {
  const { wallet: merchant } = await world.merchant(options);
  const receiptId = await world.receipt(merchant, totalCents);
  const quote = await quotePayment(world.deps, { merchant, receiptId, token });
  return { merchant, receiptId, quote };
}

const submit = async (merchant: Awaited<ReturnType<typeof quoted>>['merchant'], receiptId: string, hash: string) => {
  await submitTransaction(world.deps, { merchant, receiptId, transactionHash: hash });
  const { cursor } = await world.look();
  await followHints(world.deps, cursor);
};

test('an exact payment is seen at once and paid after its confirmations', async () => {
  const { merchant, receiptId, quote } = await quoted(1_250);
  const hash = await world.pay(quote);
  await world.look();
  const block = await world.chain.client.getBlock();
  expect(await world.read(merchant, receiptId)).toMatchObject({
    status: 'tx_mined',
    transactionHash: hash,
    transactionTimestamp: Number(block.timestamp) * 1000,
    paidToken: 'USDC',
    paidAmount: quote.amount,
    buyerWallet: expect.stringMatching(/^0x[0-9a-f]{40}$/),
  });
  await world.mine(1);
  await world.look();
  expect(await world.status(merchant, receiptId)).toBe('tx_mined');
  await world.mine(1);
  await world.look();
  expect(await world.status(merchant, receiptId)).toBe('paid');
  expect((await world.history(merchant, receiptId)).map(({ what }) => what)).toEqual([
    'status:pending',
    'status:tx_mined',
    'status:paid',
  ]);
  await world.look();
  expect((await world.read(merchant, receiptId)).seq).toBe(4);
});

test('an amount that a page showed without its script pays too: pending comes first', async () => {
  const { wallet: merchant } = await world.merchant();
  const receiptId = await world.receipt(merchant, 300);
  await world.pay(await reserveQuote(world.deps, { merchant, receiptId, token: 'USDT' }));
  await world.look();
  expect((await world.history(merchant, receiptId)).map(({ what }) => what)).toEqual([
    'status:pending',
    'status:tx_mined',
  ]);
});

test('ether pays through the deployed splitter', async () => {
  const { wallet: merchant, split } = await world.merchant();
  const sender = createSender(world.chain, world.deps.settings.settlementPrivateKey!);
  await deploySplits({ ...world.deps, backoff: createBackoff(Date.now) }, sender);
  const receiptId = await world.receipt(merchant, 2_000);
  const quote = await quotePayment(world.deps, { merchant, receiptId, token: 'ETH' });
  expect(quote.payTo).toBe(split);
  await world.pay(quote);
  await world.mine(2);
  await world.look();
  expect(await world.read(merchant, receiptId)).toMatchObject({
    status: 'paid',
    paidToken: 'ETH',
    paidAmount: quote.amount,
  });
});

test('one base unit short is not paid, and stays listed with the receipt it may belong to', async () => {
  const { merchant, receiptId, quote } = await quoted(1_000);
  const hash = await world.pay(quote, -1n);
  await world.mine(2);
  await world.look();
  expect(await world.status(merchant, receiptId)).toBe('pending');
  expect(await listUnmatched(world.deps, merchant)).toEqual([
    expect.objectContaining({
      transactionHash: hash,
      token: 'USDC',
      amount: String(BigInt(quote.amount) - 1n),
      reason: 'unknown_amount',
      candidates: [{ receiptId, status: 'pending', totalCents: 1_000 }],
    }),
  ]);
});

test('one base unit short, pointed at by its hash, is a mismatch of one base unit; the remainder pays', async () => {
  const { merchant, receiptId, quote } = await quoted(1_000);
  const hash = await world.pay(quote, -1n);
  await submit(merchant, receiptId, hash);
  expect(await world.status(merchant, receiptId)).toBe('tx_mismatch');
  expect(await readMissing(world.deps, merchant, receiptId)).toEqual({
    usd: '0.000001',
    token: 'USDC',
    amount: '1',
    display: '0.000001',
  });
  const rest = await quotePayment(world.deps, { merchant, receiptId, token: 'USDC' });
  expect(Number(rest.amount)).toBeGreaterThan(1);
  expect(Number(rest.amount)).toBeLessThanOrEqual(10_000);
  await world.pay(rest);
  await world.mine(2);
  await world.look();
  expect(await world.status(merchant, receiptId)).toBe('paid');
  expect((await world.history(merchant, receiptId)).at(-1)!.detail).not.toHaveProperty('surplusUsd');
});

test('credits in two tokens add up', async () => {
  const { merchant, receiptId, quote } = await quoted(1_000);
  await submit(merchant, receiptId, await world.pay({ ...quote, amount: '4000000' }));
  const rest = await quotePayment(world.deps, { merchant, receiptId, token: 'USDT' });
  expect(Number(rest.amount)).toBeGreaterThan(Number(quote.amount) - 4_000_000);
  await world.pay(rest);
  await world.mine(2);
  await world.look();
  expect(await world.read(merchant, receiptId)).toMatchObject({ status: 'paid', paidToken: 'USDT' });
});

test('more than was asked, pointed at by its hash, is paid and the surplus noted', async () => {
  const { merchant, receiptId, quote } = await quoted(1_000);
  await submit(merchant, receiptId, await world.pay(quote, 250_000n));
  await world.mine(2);
  await world.look();
  expect(await world.status(merchant, receiptId)).toBe('paid');
  expect((await world.history(merchant, receiptId)).at(-1)).toMatchObject({
    what: 'status:paid',
    detail: { surplusUsd: '0.25' },
  });
});

test('an unknown amount is credited by hash only where one receipt alone waits for money there', async () => {
  const { merchant, receiptId, quote } = await quoted(1_000);
  const second = await world.receipt(merchant, 1_000);
  await quotePayment(world.deps, { merchant, receiptId: second, token: 'USDC' });
  await submit(merchant, receiptId, await world.pay(quote, -5n));
  expect(await world.status(merchant, receiptId)).toBe('pending');
  const [unmatched] = await listUnmatched(world.deps, merchant);
  expect(unmatched!.candidates.map((candidate) => candidate.receiptId).sort()).toEqual([receiptId, second].sort());
});

test('a hint changes nothing for whoever gives it: the transfer pays the receipt whose amount it is', async () => {
  const { merchant, receiptId, quote } = await quoted(1_000);
  const second = await world.receipt(merchant, 1_000);
  await quotePayment(world.deps, { merchant, receiptId: second, token: 'USDC' });
  await submit(merchant, second, await world.pay(quote));
  expect(await world.status(merchant, receiptId)).toBe('tx_mined');
  expect(await world.status(merchant, second)).toBe('pending');
});

test('fifty claims of one transaction pay one receipt', async () => {
  const { merchant, receiptId, quote } = await quoted(1_000);
  const others = await Promise.all(Array.from({ length: 50 }, () => world.receipt(merchant, 1_000)));
  await Promise.all(others.map((id) => reserveQuote(world.deps, { merchant, receiptId: id, token: 'USDC' })));
  const transactionHash = await world.pay(quote);
  await Promise.all(
    [...others, receiptId].map((id) => submitTransaction(world.deps, { merchant, receiptId: id, transactionHash })),
  );
  await world.mine(2);
  await world.look();
  const statuses = await Promise.all(others.map((id) => world.status(merchant, id)));
  expect(await world.status(merchant, receiptId)).toBe('paid');
  expect(new Set(statuses)).toEqual(new Set(['generated']));
});

test('a second payment of the same amount is a duplicate', async () => {
  const { merchant, receiptId, quote } = await quoted(1_000);
  await world.pay(quote);
  await world.mine(2);
  await world.look();
  await world.pay(quote);
  await world.look();
  expect(await world.status(merchant, receiptId)).toBe('paid');
  expect(await listUnmatched(world.deps, merchant)).toEqual([
    expect.objectContaining({
      reason: 'duplicate',
      candidates: [expect.objectContaining({ receiptId, status: 'paid' })],
    }),
  ]);
});

test('a payment from before the receipt was made is not its payment', async () => {
  const { merchant, receiptId, quote } = await quoted(1_000);
  const head = await world.chain.client.getBlockNumber();
  await world.deps.orm.em
    .fork()
    .execute('update receipts set created_block = ? where id = ?', [Number(head) + 5, receiptId]);
  await world.pay(quote);
  await world.look();
  expect(await world.status(merchant, receiptId)).toBe('pending');
  expect(await listUnmatched(world.deps, merchant)).toEqual([expect.objectContaining({ reason: 'too_old' })]);
});

test('the wrong token and the wrong recipient, pointed at, are a mismatch, and the right payment still pays', async () => {
  const buyer = createSender(world.chain, localAccount('buyer', 1).privateKey);

  const wrongToken = await quoted(1_000);
  await submit(wrongToken.merchant, wrongToken.receiptId, await world.pay({ ...wrongToken.quote, token: 'USDT' }));
  expect(await world.history(wrongToken.merchant, wrongToken.receiptId)).toContainEqual({
    what: 'status:tx_mismatch',
    detail: expect.objectContaining({ reason: 'wrong_token' }),
  });

  const wrongPlace = await quoted(1_000);
  await mintTestTokens(world.chain, 'USDC', buyer.address, 100_000_000n);
  const usdc = world.chain.tokens.find(({ symbol }) => symbol === 'USDC')!.address!;
  const { hash } = await buyer.send({
    to: usdc,
    data: encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: ['0x000000000000000000000000000000000000dEaD', BigInt(wrongPlace.quote.amount)],
    }),
  });
  await submit(wrongPlace.merchant, wrongPlace.receiptId, hash!);
  expect(await world.status(wrongPlace.merchant, wrongPlace.receiptId)).toBe('tx_mismatch');
  expect(await readMissing(world.deps, wrongPlace.merchant, wrongPlace.receiptId)).toMatchObject({ usd: '10' });

  await world.pay(wrongPlace.quote);
  await world.mine(2);
  await world.look();
  expect(await world.status(wrongPlace.merchant, wrongPlace.receiptId)).toBe('paid');
});

test('a reverted transaction fails the receipt that it meant to pay, and no other', async () => {
  const poor = privateKeyToAccount(generatePrivateKey());
  await world.control.setBalance({ address: poor.address, value: 10n ** 18n });
  const { merchant, receiptId, quote } = await quoted(1_000);
  const other = await quoted(1_000);
  const usdc = world.chain.tokens.find(({ symbol }) => symbol === 'USDC')!.address! as string as `0x${string}`;
  const transaction = await poor.signTransaction({
    type: 'eip1559',
    chainId: 31337,
    nonce: 0,
    to: usdc,
    gas: 100_000n,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 1n,
    data: encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [quote.payTo as string as `0x${string}`, BigInt(quote.amount)],
    }),
  });
  const hash = await world.chain.client.sendRawTransaction({ serializedTransaction: transaction });
  await submit(other.merchant, other.receiptId, hash);
  expect(await world.status(other.merchant, other.receiptId)).toBe('pending');
  await submit(merchant, receiptId, hash);
  expect(await world.read(merchant, receiptId)).toMatchObject({
    status: 'failed',
    failureCode: 'PORTAL_CHAIN_TX_REVERTED',
  });
  // It can be tried again.
  await world.pay(await quotePayment(world.deps, { merchant, receiptId, token: 'USDC' }));
  await world.look();
  expect(await world.read(merchant, receiptId)).toMatchObject({ status: 'tx_mined', failureCode: null });
});

test('ether that runs out of gas on its way fails the receipt that it meant to pay', async () => {
  const payer = privateKeyToAccount(generatePrivateKey());
  await world.control.setBalance({ address: payer.address, value: 10n ** 19n });
  const { wallet: merchant, split } = await world.merchant({ deployed: true });
  const { salt, initCode } = await world.deps.orm.em.fork().findOneOrFail(Split, { address: split });
  const sender = createSender(world.chain, world.deps.settings.settlementPrivateKey!);
  await sender.waitFor((await sender.send(deploymentTransaction({ salt: salt!, initCode: initCode! }))).hash!);
  const receiptId = await world.receipt(merchant, 1_000);
  // Only shown so far: the payment is not begun, and what failed is told all the same.
  const quote = await reserveQuote(world.deps, { merchant, receiptId, token: 'ETH' });
  const transaction = await payer.signTransaction({
    type: 'eip1559',
    chainId: 31337,
    nonce: 0,
    to: quote.payTo as string as `0x${string}`,
    value: BigInt(quote.amount),
    // Enough to send, too little for the splitter to note what it received.
    gas: 21_100n,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 1n,
  });
  await submit(
    merchant,
    receiptId,
    await world.chain.client.sendRawTransaction({ serializedTransaction: transaction }),
  );
  expect(await world.read(merchant, receiptId)).toMatchObject({
    status: 'failed',
    failureCode: 'PORTAL_CHAIN_TX_REVERTED',
  });
});

test('ether that comes after its price has expired counts at the price of its time', async () => {
  const { wallet: merchant, split } = await world.merchant({ deployed: true });
  const { salt, initCode } = await world.deps.orm.em.fork().findOneOrFail(Split, { address: split });
  const sender = createSender(world.chain, world.deps.settings.settlementPrivateKey!);
  await sender.waitFor((await sender.send(deploymentTransaction({ salt: salt!, initCode: initCode! }))).hash!);
  const old = { ...world.deps, clock: () => Date.now() - 60 * 60 * 1000 };
  const [short, enough] = [await world.receipt(merchant, 10_000), await world.receipt(merchant, 10_000)];
  const quoteShort = await quotePayment(old, { merchant, receiptId: short, token: 'ETH' });
  const quoteEnough = await quotePayment(old, { merchant, receiptId: enough, token: 'ETH' });
  world.rates.set('ETH', '2480');
  await world.pay(quoteShort);
  await world.look();
  expect(await world.status(merchant, short)).toBe('tx_mismatch');
  expect(Number((await readMissing(world.deps, merchant, short))!.usd)).toBeCloseTo(20, 1);
  world.rates.set('ETH', '3200');
  await world.pay(quoteEnough);
  await world.look();
  expect(await world.status(merchant, enough)).toBe('tx_mined');
  world.rates.set('ETH', '3100');
});

test('the merchant can say where an unmatched transfer belongs, even after its confirmations', async () => {
  const { merchant, receiptId, quote } = await quoted(1_000);
  const hash = await world.pay(quote, 1_000_000n);
  await world.mine(2);
  await world.look();
  const assignment = { merchant, receiptId, transactionHash: hash, by: merchant };
  const { wallet: stranger } = await world.merchant();
  await expect(assignTransfer(world.deps, { ...assignment, merchant: stranger })).rejects.toMatchObject({
    code: 'not_found',
  });
  await assignTransfer(world.deps, assignment);
  expect(await world.status(merchant, receiptId)).toBe('tx_mined');
  await world.look();
  expect(await world.status(merchant, receiptId)).toBe('paid');
  await expect(assignTransfer(world.deps, assignment)).rejects.toMatchObject({ code: 'not_found' });
  expect(await listUnmatched(world.deps, merchant)).toEqual([]);
});

test('a hint must be a transaction hash, and at most twenty are taken for one receipt', async () => {
  const { merchant, receiptId } = await quoted(1_000);
  const hint = (transactionHash: string) => submitTransaction(world.deps, { merchant, receiptId, transactionHash });
  for (const form of ['0x12', 'hash', `0x${'g'.repeat(64)}`]) {
    await expect(hint(form)).rejects.toMatchObject({ code: 'invalid_input' });
  }
  await expect(
    submitTransaction(world.deps, { merchant, receiptId: 'R-none', transactionHash: `0x${'1'.repeat(64)}` }),
  ).rejects.toMatchObject({ code: 'not_found' });
  const hashOf = (n: number) => `0x${n.toString(16).padStart(64, '0')}`;
  for (let n = 1; n <= 20; n++) expect(await hint(hashOf(n))).toEqual({ receiptId, status: 'pending' });
  await expect(hint(hashOf(21))).rejects.toMatchObject({ code: 'invalid_input' });
  expect(await hint(hashOf(20))).toEqual({ receiptId, status: 'pending' });
});
