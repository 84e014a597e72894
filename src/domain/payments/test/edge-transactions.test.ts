import { encodeFunctionData, erc20Abi } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { toAddress } from '../../../base/chain/address.ts';
import { deploymentTransaction } from '../../../base/chain/create2.ts';
import { mintTestTokens, payFromTestWallet } from '../../../base/chain/local.ts';
import { localAccount } from '../../../base/chain/local-accounts.ts';
import { createSender } from '../../../base/chain/sender.ts';
import {
  accountFactory,
  accountOf,
  createAccountTransaction,
  executeTransaction,
} from '../../../base/chain/spend-permission-account.ts';
import { startTestChain } from '../../../base/chain/test/anvil.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { rowsOf } from '../../../base/platform/test/rows.ts';
import { submitTransaction } from '../matching/submit.ts';
import { readMissing } from '../paying/missing.ts';
import { quotePayment, showQuote } from '../paying/quote-payment.ts';
import { listUnmatched } from '../unmatched/unmatched.ts';
import { inParallel } from './in-parallel.ts';
import { merchantWithEther, quoted, sendBatch, submit } from './quoted.ts';
import { openWorld, randomWallet, type World } from './world.ts';

// The target and outcome of a transaction, and its hints. Amounts and times are in edge-amounts.

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

test('claimed for another receipt: a transfer pays the receipt whose address received it, regardless of hints', async () => {
  const { merchant, receiptId, quote } = await quoted(world, 1_000);
  const second = await world.receipt(merchant, 1_000);
  await quotePayment(world.deps, { merchant, receiptId: second, token: 'USDC' });
  await submit(world, { merchant, receiptId: second }, await world.pay(quote));
  expect(await world.status(merchant, receiptId)).toBe('tx_mined');
  expect(await world.status(merchant, second)).toBe('pending');
});

test('claimed for fifty receipts at once: one transaction pays one receipt', async () => {
  const { merchant, receiptId, quote } = await quoted(world, 1_000);
  const others = await inParallel(Array.from({ length: 50 }), 8, async () => {
    const id = await world.receipt(merchant, 1_000);
    await showQuote(world.deps, { merchant, receiptId: id, token: 'USDC' });
    return id;
  });
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

test('wrong token: with a hint a token that is not accepted is a mismatch, and the right payment still pays', async () => {
  const buyer = createSender(world.chain, localAccount('buyer', 1).privateKey);
  const made = await quoted(world, 1_000);
  const transfer = (to: Wallet) =>
    encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [toAddress(to), 10_000_000n] });
  const unknown = randomWallet();
  await world.control.setCode({ address: toAddress(unknown), bytecode: '0x00' });
  const { hash } = await buyer.send({ to: unknown, data: transfer(made.quote.payTo) });
  await submit(world, made, hash!);
  expect(await world.history(made.merchant, made.receiptId)).toContainEqual({
    what: 'status:tx_mismatch',
    detail: expect.objectContaining({ reason: 'wrong_token' }),
  });
  expect(await readMissing(world.deps, made.merchant, made.receiptId)).toMatchObject({ usd: '10' });
  await world.pay(made.quote);
  await world.mine(2);
  await world.look();
  expect(await world.status(made.merchant, made.receiptId)).toBe('paid');
});

test('wrong recipient: a payment of the same amount to somebody else moves no receipt that a hint names', async () => {
  const buyer = createSender(world.chain, localAccount('buyer', 1).privateKey);
  const made = await quoted(world, 1_000);
  await mintTestTokens(world.chain, 'USDC', buyer.address, 100_000_000n);
  const usdc = world.chain.tokens.find(({ symbol }) => symbol === 'USDC')!.address!;
  const { hash } = await buyer.send({
    to: usdc,
    data: encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: ['0x000000000000000000000000000000000000dEaD', BigInt(made.quote.amount)],
    }),
  });
  await submit(world, made, hash!);
  expect(await world.status(made.merchant, made.receiptId)).toBe('pending');
});

test('reverted: a transaction fails only the receipt that it was meant to pay', async () => {
  const poor = privateKeyToAccount(generatePrivateKey());
  await world.control.setBalance({ address: poor.address, value: 10n ** 18n });
  const { merchant, receiptId, quote } = await quoted(world, 1_000);
  const other = await quoted(world, 1_000);
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
  await submit(world, other, hash);
  expect(await world.status(other.merchant, other.receiptId)).toBe('pending');
  await submit(world, { merchant, receiptId }, hash);
  expect(await world.read(merchant, receiptId)).toMatchObject({
    status: 'failed',
    failureCode: 'PORTAL_CHAIN_TX_REVERTED',
  });
  // The payment can be retried.
  await world.pay(await quotePayment(world.deps, { merchant, receiptId, token: 'USDC' }));
  await world.look();
  expect(await world.read(merchant, receiptId)).toMatchObject({ status: 'tx_mined', failureCode: null });
});

test('reverted: an ether transfer to an address that has code by now fails the receipt that it was meant to pay', async () => {
  const payer = privateKeyToAccount(generatePrivateKey());
  await world.control.setBalance({ address: payer.address, value: 10n ** 19n });
  const merchant = await merchantWithEther(world);
  const receiptId = await world.receipt(merchant, 1_000);
  // The receipt was only shown and the payment not started: the failure is recorded nevertheless.
  const quote = await showQuote(world.deps, { merchant, receiptId, token: 'ETH' });
  await world.control.setCode({ address: toAddress(quote.payTo), bytecode: '0xfe' });
  const transaction = await payer.signTransaction({
    type: 'eip1559',
    chainId: 31337,
    nonce: 0,
    to: quote.payTo as string as `0x${string}`,
    value: BigInt(quote.amount),
    gas: 30_000n,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 1n,
  });
  await submit(
    world,
    { merchant, receiptId },
    await world.chain.client.sendRawTransaction({ serializedTransaction: transaction }),
  );
  expect(await world.read(merchant, receiptId)).toMatchObject({
    status: 'failed',
    failureCode: 'PORTAL_CHAIN_TX_REVERTED',
  });
});

test('wrong chain: a payment on another chain does not count, and its hash moves no receipt', async () => {
  const elsewhere = await startTestChain();
  onTestFinished(() => elsewhere.stop());
  const { merchant, receiptId, quote } = await quoted(world, 1_000);
  const hash = await payFromTestWallet(elsewhere.chain, {
    token: 'USDC',
    to: quote.payTo,
    amount: BigInt(quote.amount),
  });
  await submit(world, { merchant, receiptId }, hash);
  await world.mine(3);
  await submit(world, { merchant, receiptId }, hash);
  expect(await world.status(merchant, receiptId)).toBe('pending');
  expect(await rowsOf(listUnmatched(world.deps, merchant))).toEqual([]);
  await world.pay(quote);
  await world.look();
  expect(await world.status(merchant, receiptId)).toBe('tx_mined');
});

test('batched: each transfer of one transaction pays its own receipt, also of other merchants, and unmatched ones are listed', async () => {
  const [one, two] = [await quoted(world, 1_000), await quoted(world, 2_000)];
  const sibling = await world.receipt(one.merchant, 3_000);
  const three = await quotePayment(world.deps, { merchant: one.merchant, receiptId: sibling, token: 'USDC' });
  const odd = { payTo: await world.splitOf(two.merchant), amount: '7' };
  const hash = await sendBatch(world, [one.quote, two.quote, three, odd]);
  await world.mine(2);
  await world.look();
  for (const [merchant, id] of [
    [one.merchant, one.receiptId],
    [two.merchant, two.receiptId],
    [one.merchant, sibling],
  ] as const) {
    expect(await world.read(merchant, id)).toMatchObject({ status: 'paid', transactionHash: hash });
  }
  expect(await rowsOf(listUnmatched(world.deps, one.merchant, { includeDust: true }))).toEqual([]);
  expect(await rowsOf(listUnmatched(world.deps, two.merchant, { includeDust: true }))).toEqual([
    expect.objectContaining({ transactionHash: hash, amount: '7', reason: 'unknown_amount' }),
  ]);
});

test('exchange withdrawal: sender and contract do not matter, and no hint is needed', async () => {
  const { merchant, receiptId, quote } = await quoted(world, 1_000);
  const operator = createSender(world.chain, localAccount('buyer', 2).privateKey);
  const run = async (...[call]: Parameters<typeof operator.send>) => {
    const { hash } = await operator.send(call);
    expect(await operator.waitFor(hash!)).toBe('success');
    return hash!;
  };
  const owners = [operator.address];
  await operator.send(deploymentTransaction(accountFactory));
  await run(createAccountTransaction(owners));
  const hotWallet = accountOf(owners);
  await mintTestTokens(world.chain, 'USDC', hotWallet, 100_000_000n);
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [toAddress(quote.payTo), BigInt(quote.amount)],
  });
  const to = world.chain.tokens.find(({ symbol }) => symbol === 'USDC')!.address!;
  const hash = await run(executeTransaction(hotWallet, { to, data }));
  await world.mine(2);
  await world.look();
  expect(await world.read(merchant, receiptId)).toMatchObject({
    status: 'paid',
    transactionHash: hash,
    buyerWallet: hotWallet,
  });
});
