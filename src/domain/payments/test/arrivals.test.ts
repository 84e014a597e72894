import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createChain } from '../../../base/chain/client.ts';
import type { TransactionCall } from '../../../base/chain/create2.ts';
import { deployOnce } from '../../../base/chain/deploy-once.ts';
import { payFromTestWallet } from '../../../base/chain/local.ts';
import { localAccount } from '../../../base/chain/local-accounts.ts';
import { receiptSalt } from '../../../base/chain/receipt-address.ts';
import { collectCall, RECEIPT_FACTORY, receiptFactoryDeployment } from '../../../base/chain/receipt-record.ts';
import { createSender, type Sender } from '../../../base/chain/sender.ts';
import { openNode } from '../../../base/chain/test/node.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { SplitSchema } from '../../shop/splits/split.entity.ts';
import { QuoteSchema } from '../quotes/quote.entity.ts';
import { TransferSchema } from '../transfers/core/transfer.entity.ts';
import { assignTransfer } from '../unmatched/assign.ts';
import { markUnmatched } from '../unmatched/mark-unmatched.ts';
import { watchCoins } from '../watching/coin-watches.ts';
import { reevaluateReceipt } from '../watching/reevaluate.ts';
import { scan } from '../watching/scan.ts';
import { openWorld, type World } from './world.ts';

let world: World;
let sender: Sender;
beforeAll(async () => {
  world = await openWorld();
  sender = createSender(world.chain, localAccount('settlement').privateKey);
  await deployOnce(world.chain, sender, receiptFactoryDeployment());
});
afterAll(() => world.stop());

let merchant: Wallet;
let split: Wallet;
beforeEach(async () => {
  ({ wallet: merchant, split } = await world.merchant());
});

/** A receipt of 310 dollars, which is 0.1 ether, with an address that is watched for coins. */
async function asked(totalCents = 31_000): Promise<{ id: string; payTo: Wallet }> {
  const id = await world.receipt(merchant, totalCents);
  const payTo = await world.address(merchant, id);
  const watch = { chainId: world.chain.chainId, address: payTo, until: Date.now() + 3_600_000 };
  await world.deps.db.transaction((uow) => watchCoins(uow, watch));
  return { id, payTo };
}

const ETHER = 10n ** 18n;
const send = async (token: string, to: Wallet, amount: bigint) => {
  const hash = await payFromTestWallet(world.chain, { token, to, amount });
  await world.chain.client.waitForTransactionReceipt({ hash, pollingInterval: 20 });
  return hash;
};
const arrivals = (payTo: Wallet) =>
  world.deps.db.orm.em
    .fork()
    .find(TransferSchema, { payTo, canonical: true }, { orderBy: { blockNumber: 1, logIndex: 1 } });
/** Reads up to the newest block, with full depth behind it, and confirms what was found. */
const look = async () => {
  await world.mine(3);
  while ((await world.look()).again);
};

async function collectionOf(id: string, token: Wallet | null): Promise<TransactionCall> {
  const { createdAt } = await world.read(merchant, id);
  const salts = [receiptSalt({ merchant, receiptId: id, createdAt, number: 0 })];
  return collectCall({ factory: RECEIPT_FACTORY, split, token, salts, payees: [] });
}

/** Deploys the split, and collects from a receipt's address. */
async function collect(id: string, token: Wallet | null): Promise<void> {
  const { salt, initCode } = await world.deps.db.orm.em.fork().findOneOrFail(SplitSchema, { address: split });
  await deployOnce(world.chain, sender, { address: split, salt: salt!, initCode: initCode! });
  const { hash } = await sender.send(await collectionOf(id, token));
  await sender.waitFor(hash!);
}

test('coins at the address pay the receipt with their hash, sender and time', async () => {
  const { id, payTo } = await asked();
  const hash = await send('ETH', payTo, ETHER / 10n);
  await look();
  expect(await world.read(merchant, id)).toMatchObject({
    status: 'paid',
    transactionHash: hash,
    buyerWallet: localAccount('buyer').address,
    paidToken: 'ETH',
    paidAmount: String(ETHER / 10n),
  });
});

test('coins in parts, with tokens between them, add up', async () => {
  const { id, payTo } = await asked();
  await send('ETH', payTo, ETHER / 40n);
  await send('USDC', payTo, 200_000_000n);
  await look();
  expect(await world.status(merchant, id)).toBe('tx_mismatch');
  await send('ETH', payTo, ETHER / 40n);
  await look();
  expect(await world.status(merchant, id)).toBe('paid');
  expect((await arrivals(payTo)).map(({ token, amount }) => [token, amount])).toEqual([
    ['ETH', String(ETHER / 40n)],
    ['USDC', '200000000'],
    ['ETH', String(ETHER / 40n)],
  ]);
});

test('coins that are collected before they were read are found by their collection', async () => {
  const { id, payTo } = await asked();
  await send('ETH', payTo, ETHER / 10n);
  await collect(id, null);
  await look();
  expect(await world.status(merchant, id)).toBe('paid');
  expect(await arrivals(payTo)).toMatchObject([{ amount: String(ETHER / 10n), collected: true }]);
});

test('a node that was started from a late block shows coins from there on, and its chain stays available', async () => {
  const { id, payTo } = await asked();
  await world.look();
  await send('ETH', payTo, ETHER / 20n);
  await world.mine(2);
  const oldest = await world.chain.client.getBlockNumber();
  await send('ETH', payTo, ETHER / 20n);
  const rpcUrl = await openNode(world.rpcUrl, async ({ method, params }) =>
    method === 'eth_getBalance' && BigInt(params![1] as never) < oldest
      ? { error: { code: -32_602, message: 'block out of range' } }
      : null,
  );
  const deps = { ...world.deps, chain: createChain({ ...world.chain, rpcUrl }) };
  await world.mine(3);
  while ((await scan(deps)).again);
  expect(await world.status(merchant, id)).toBe('paid');
  expect(await arrivals(payTo)).toMatchObject([
    { blockNumber: Number(oldest), amount: String(ETHER / 20n) },
    { blockNumber: Number(oldest) + 1, amount: String(ETHER / 20n) },
  ]);
});

test('coins count also if anyone collects them for a split that is not verified', async () => {
  ({ wallet: merchant, split } = await world.merchant({ verified: false }));
  const { id, payTo } = await asked();
  const part = String(ETHER / 20n);
  await send('ETH', payTo, ETHER / 20n);
  await collect(id, null);
  await look();
  expect(await arrivals(payTo)).toMatchObject([{ amount: part, collected: true }]);
  expect(await arrivals(split)).toMatchObject([
    { amount: part, sender: payTo, addressOf: id, confirmedAt: expect.any(Number) },
  ]);
  // The address holds as much as it did before.
  await sender.send({ to: payTo, data: '0x', value: ETHER / 20n });
  await look();
  expect(await world.status(merchant, id)).toBe('paid');
  expect(await arrivals(payTo)).toMatchObject([
    { amount: part, collected: true },
    { amount: part, collected: false },
  ]);
});

test('coins that arrive after a collection in the same block are not taken for collected', async () => {
  const { id, payTo } = await asked();
  await send('ETH', payTo, ETHER / 100n);
  await collect(id, null);
  await look();
  await send('ETH', payTo, ETHER / 25n);
  await world.control.setAutomine(false);
  onTestFinished(() => world.control.setAutomine(true));
  await sender.send(await collectionOf(id, null));
  await sender.send({ to: payTo, data: '0x', value: ETHER / 20n });
  await world.control.mine({ blocks: 1 });
  await world.control.setAutomine(true);
  await look();
  expect((await arrivals(payTo)).map(({ amount, collected }) => [amount, collected])).toEqual([
    [String(ETHER / 100n), true],
    [String(ETHER / 25n), true],
    [String(ETHER / 20n), false],
  ]);
  expect(await world.status(merchant, id)).toBe('paid');
});

test('dust names no buyer and keeps nothing open, before and after a payment', async () => {
  const { id, payTo } = await asked();
  await send('ETH', payTo, 1n);
  await send('USDC', payTo, 1n);
  await look();
  expect(await world.read(merchant, id)).toMatchObject({
    status: 'generated',
    buyerWallet: null,
    transactionHash: null,
  });
  await send('USDC', payTo, 310_000_000n);
  await look();
  const paid = await world.read(merchant, id);
  expect(paid.status).toBe('paid');
  await send('USDC', payTo, 1n);
  await look();
  expect((await world.read(merchant, id)).seq).toBe(paid.seq);
});

test('a second payment is a duplicate of its own receipt', async () => {
  const { id, payTo } = await asked();
  await send('USDC', payTo, 310_000_000n);
  await look();
  await send('USDC', payTo, 310_000_000n);
  await look();
  expect(await world.status(merchant, id)).toBe('paid');
  expect((await arrivals(payTo)).map(({ unmatchedReason, meantFor }) => [unmatchedReason, meantFor])).toEqual([
    [null, null],
    ['duplicate', [id]],
  ]);
});

test('a reorganization takes coins back, and they pay again where they return', async () => {
  const { id, payTo } = await asked();
  const before = await world.control.snapshot();
  await send('ETH', payTo, ETHER / 10n);
  await world.look();
  expect(await world.status(merchant, id)).toBe('tx_mined');
  await world.control.revert({ id: before });
  await world.mine(2);
  await world.look();
  expect(await world.status(merchant, id)).toBe('pending');
  await send('ETH', payTo, ETHER / 10n);
  await look();
  expect(await world.status(merchant, id)).toBe('paid');
});

test('a collection pays no receipt: not by hand, and not by the amount that version 0.1 asked for', async () => {
  const { id, payTo } = await asked(1_000);
  const other = await world.receipt(merchant, 1_000);
  const amount = '10001234';
  const now = Date.now();
  // An amount that a row of version 0.1 asks for at the split.
  await world.deps.db.orm.em.fork().insert(QuoteSchema, {
    ...{ merchant, id: `quote_${other}`, receiptId: other, chainId: world.chain.chainId, payTo: split, token: 'USDC' },
    ...{ amount, usd: '10', usdPerUnit: '1', createdAt: now, expiresAt: now + 86_400_000, earlier: [] },
  });
  await send('USDC', payTo, BigInt(amount));
  await look();
  await collect(id, world.chain.tokens.find(({ symbol }) => symbol === 'USDC')!.address);
  await look();
  const { transactionHash, logIndex } = await world.deps.db.orm.em
    .fork()
    .findOneOrFail(TransferSchema, { sender: payTo });
  const name = { merchant, transactionHash, logIndex, by: merchant };
  await expect(assignTransfer(world.deps, { ...name, receiptId: other })).rejects.toMatchObject({ code: 'not_found' });
  await expect(markUnmatched(world.deps, { ...name, marked: true })).rejects.toMatchObject({ code: 'not_found' });
  expect(await reevaluateReceipt(world.deps, merchant, other)).toMatchObject({ rematched: 1, after: 'generated' });
});

test('two transfers of one hash on two chains are decided on by their chain', async () => {
  const { payTo } = await asked();
  const paid = await asked();
  await send('USDC', payTo, 310_000_000n);
  await look();
  const hash = await send('USDC', payTo, 310_000_000n);
  await look();
  // Coins that arrive from within contracts in the same block of both chains have the same place in the records.
  const em = world.deps.db.orm.em.fork();
  const [row] = await em.find(TransferSchema, { transactionHash: hash });
  await em.insert(TransferSchema, { ...row!, chainId: 31_338 });
  const name = { merchant, transactionHash: hash, logIndex: row!.logIndex };
  const assignment = { ...name, receiptId: paid.id, by: merchant };
  await expect(assignTransfer(world.deps, assignment)).rejects.toThrow('chainId is required');
  await expect(markUnmatched(world.deps, { ...name, marked: true, by: merchant })).rejects.toThrow(
    'chainId is required',
  );
  const { chainId } = world.chain;
  expect(await assignTransfer(world.deps, { ...assignment, chainId })).toMatchObject({ status: 'tx_mined' });
});
