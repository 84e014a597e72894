import { encodeFunctionData, erc20Abi } from 'viem';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { toAddress } from '../../../base/chain/address.ts';
import { deploymentTransaction } from '../../../base/chain/create2.ts';
import { mintTestTokens } from '../../../base/chain/local.ts';
import { localAccount } from '../../../base/chain/local-accounts.ts';
import { createSender } from '../../../base/chain/sender.ts';
import { releaseTransaction } from '../../../base/chain/splitter.ts';
import type { Recipient } from '../../../base/core/shares.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { openWallet, type SigningWallet } from '../../../base/onchain/spender/spender-key.ts';
import { quotePayment } from '../../payments/paying/quote-payment.ts';
import { payPast } from '../../payments/test/quoted.ts';
import { openWorld, randomWallet, type World } from '../../payments/test/world.ts';
import { assignTransfer } from '../../payments/unmatched/assign.ts';
import { SplitSchema } from '../../shop/splits/split.entity.ts';
import { createSettler } from './settle.ts';
import { readShares } from './share-view.ts';

let world: World;
let wallet: SigningWallet;
beforeAll(async () => {
  world = await openWorld();
  wallet = openWallet('settlement', world.deps.settings.settlementPrivateKey!);
});
afterAll(() => world.stop());

/** Reads the chain, settles and mines blocks until there is nothing left to do. */
async function settleAll(settler = createSettler(world.deps, wallet)) {
  for (let round = 0; round < 4; round++) {
    await world.mine(2);
    const { cursor } = await world.look();
    await settler(cursor.confirmed);
  }
}

async function paid(merchant: Wallet, totalCents: number, token = 'USDC') {
  const receiptId = await world.receipt(merchant, totalCents);
  const { quote, hash } = await payPast(world, { merchant, receiptId, token });
  return { receiptId, quote, hash, amount: BigInt(quote.amount) };
}

const usdc = () => toAddress(world.chain.tokens.find(({ symbol }) => symbol === 'USDC')!.address!);

// Contract: service.split-shares, states.paid-completed
test('the split is deployed, every share is released to the base unit, and the receipt is completed once', async () => {
  const { wallet: merchant, split, recipients } = await world.merchant();
  const receiptId = await world.receipt(merchant, 1_111);
  const quote = await quotePayment(world.deps, { merchant, receiptId, token: 'USDC' });
  await world.pay(quote);
  const amount = BigInt(quote.amount);
  await settleAll();
  expect(await world.status(merchant, receiptId)).toBe('completed');
  const what = (await world.history(merchant, receiptId)).map((row) => row.what);
  expect(what).toEqual(['status:pending', 'status:tx_mined', 'status:paid', 'status:completed']);
  for (const { address, sharesBps } of recipients) {
    expect(await world.balanceOf(address)).toBe((amount * BigInt(sharesBps)) / 10_000n);
  }
  const [shares] = await readShares(world.deps.db, merchant, [receiptId]);
  expect(shares).toEqual(
    recipients.map(({ address, sharesBps }) =>
      expect.objectContaining({
        payee: address,
        split,
        sharesBps,
        token: 'USDC',
        owed: String((amount * BigInt(sharesBps)) / 10_000n),
        released: String((amount * BigInt(sharesBps)) / 10_000n),
        transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      }),
    ),
  );
});

test('the amounts owed to each payee for many payments add up to what the contract owes, to the base unit', async () => {
  const recipients: Recipient[] = [
    { address: randomWallet(), sharesBps: 3_333 },
    { address: randomWallet(), sharesBps: 6_617 },
    { address: randomWallet(), sharesBps: 50 },
  ];
  const { wallet: merchant } = await world.merchant({ recipients });
  const payments = [];
  for (const cents of [1, 333, 1_007, 12_345]) payments.push(await paid(merchant, cents));
  await settleAll();
  const total = payments.reduce((sum, { amount }) => sum + amount, 0n);
  const shares = (
    await readShares(
      world.deps.db,
      merchant,
      payments.map(({ receiptId }) => receiptId),
    )
  ).flat();
  for (const { address, sharesBps } of recipients) {
    const owed = shares.filter(({ payee }) => payee === address).reduce((sum, share) => sum + BigInt(share.owed!), 0n);
    expect(owed).toBe((total * BigInt(sharesBps)) / 10_000n);
    expect(await world.balanceOf(address)).toBe(owed);
  }
  for (const { receiptId } of payments) expect(await world.status(merchant, receiptId)).toBe('completed');
});

test('a transfer from before the split was watched counts in the total and belongs to no receipt', async () => {
  const { wallet: merchant, split, recipients } = await world.merchant();
  await world.deps.db.orm.em
    .fork()
    .execute('update splits set created_block = created_block + 3 where address = ?', [split]);
  await world.pay({ token: 'USDC', payTo: split, amount: '777' });
  await world.mine(5);
  const { receiptId, amount } = await paid(merchant, 500);
  await settleAll();
  expect(await world.status(merchant, receiptId)).toBe('completed');
  const [shares] = await readShares(world.deps.db, merchant, [receiptId]);
  for (const { address, sharesBps } of recipients) {
    const bps = BigInt(sharesBps);
    const share = shares!.find(({ payee }) => payee === address)!;
    expect(BigInt(share.owed!)).toBe(((777n + amount) * bps) / 10_000n - (777n * bps) / 10_000n);
  }
});

test('ether passes through the split like tokens', async () => {
  const { wallet: merchant, recipients } = await world.merchant();
  await settleAll();
  const { receiptId, amount } = await paid(merchant, 2_500, 'ETH');
  await settleAll();
  expect(await world.status(merchant, receiptId)).toBe('completed');
  for (const { address, sharesBps } of recipients) {
    expect(await world.chain.client.getBalance({ address: toAddress(address) })).toBe(
      (amount * BigInt(sharesBps)) / 10_000n,
    );
  }
});

test('a payee that refuses ether keeps its receipt from completion, and delays no other payee', async () => {
  // The token contract has no way to receive ether.
  const refusing = usdc().toLowerCase() as Wallet;
  const other = randomWallet();
  const { wallet: merchant } = await world.merchant({
    recipients: [
      { address: refusing, sharesBps: 5_000 },
      { address: other, sharesBps: 5_000 },
    ],
  });
  const neighbour = await world.merchant();
  const settler = createSettler(world.deps, wallet);
  await settleAll(settler);
  const { receiptId, amount } = await paid(merchant, 2_500, 'ETH');
  const beside = await paid(neighbour.wallet, 2_500, 'ETH');
  await settleAll(settler);
  expect(await world.status(merchant, receiptId)).toBe('paid');
  expect(await world.chain.client.getBalance({ address: toAddress(other) })).toBe(amount / 2n);
  const [shares] = await readShares(world.deps.db, merchant, [receiptId]);
  expect(shares!.find(({ payee }) => payee === refusing)).toMatchObject({ released: '0', settledAt: null });
  expect(shares!.find(({ payee }) => payee === other)).toMatchObject({ released: String(amount / 2n) });
  expect(await world.status(neighbour.wallet, beside.receiptId)).toBe('completed');
});

test('without a settlement key recipients release their own shares, and the receipt is completed when the chain shows it', async () => {
  const { wallet: merchant, split, recipients } = await world.merchant();
  const { receiptId } = await paid(merchant, 900);
  const watching = createSettler(world.deps, null);
  await settleAll(watching);
  expect(await world.status(merchant, receiptId)).toBe('paid');

  const { salt, initCode } = await world.deps.db.orm.em.fork().findOneOrFail(SplitSchema, { address: split });
  const anybody = createSender(world.chain, localAccount('buyer', 2).privateKey);
  await anybody.send(deploymentTransaction({ salt: salt!, initCode: initCode! }));
  const [first, second] = recipients;
  await anybody.send(releaseTransaction(split, usdc().toLowerCase() as Wallet, first!.address));
  await settleAll(watching);
  expect(await world.status(merchant, receiptId)).toBe('paid');
  await anybody.send(releaseTransaction(split, usdc().toLowerCase() as Wallet, second!.address));
  await settleAll(watching);
  expect(await world.status(merchant, receiptId)).toBe('completed');
});

test('an unverified split never completes a receipt', async () => {
  const { wallet: merchant } = await world.merchant({ verified: false });
  const { receiptId } = await paid(merchant, 900);
  await settleAll();
  expect(await world.status(merchant, receiptId)).toBe('paid');
  expect(await readShares(world.deps.db, merchant, [receiptId])).toEqual([[]]);
});

test('a payment by a batching contract from an unknown sender pays like any other', async () => {
  const { wallet: merchant } = await world.merchant();
  const receiptId = await world.receipt(merchant, 700);
  const quote = await quotePayment(world.deps, { merchant, receiptId, token: 'USDC' });
  const exchange = createSender(world.chain, localAccount('buyer', 3).privateKey);
  await mintTestTokens(world.chain, 'USDC', exchange.address, BigInt(quote.amount));
  await exchange.send({
    to: usdc().toLowerCase() as Wallet,
    data: encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [toAddress(quote.payTo), BigInt(quote.amount)],
    }),
  });
  await settleAll();
  expect(await world.read(merchant, receiptId)).toMatchObject({ status: 'completed', buyerWallet: exchange.address });
});

test('a failed payee is retried in time, even if the clock was set back by an hour meanwhile', async () => {
  let shiftMs = 0;
  const payee = randomWallet();
  const { wallet: merchant } = await world.merchant({ recipients: [{ address: payee, sharesBps: 10_000 }] });
  const settler = createSettler({ ...world.deps, clock: () => Date.now() + shiftMs }, wallet);
  await settleAll(settler);
  // The payee first reverts all transfers, and later accepts them.
  await world.control.setCode({ address: toAddress(payee), bytecode: '0x60006000fd' });
  const { receiptId } = await paid(merchant, 2_500, 'ETH');
  await settleAll(settler);
  expect(await world.status(merchant, receiptId)).toBe('paid');
  await world.control.setCode({ address: toAddress(payee), bytecode: '0x' });
  shiftMs = -3_600_000;
  const completed = async () => {
    await settleAll(settler);
    expect(await world.status(merchant, receiptId)).toBe('completed');
  };
  await vi.waitFor(completed, { timeout: 60_000, interval: 500 });
});

async function asked(merchant: Wallet, cents: number) {
  const id = await world.receipt(merchant, cents);
  return { id, payTo: await world.address(merchant, id) };
}

const send = (payTo: Wallet, amount: bigint) => world.pay({ token: 'USDC', payTo, amount: String(amount) });

const sharesOf = async (merchant: Wallet, id: string) => (await readShares(world.deps.db, merchant, [id])).flat();
const owedOf = async (merchant: Wallet, id: string) => (await sharesOf(merchant, id)).map(({ owed }) => owed);

const FIRST = 1_000_000n;
const SECOND = 3_000_000n;
const sharesIn = (amount: bigint) => [String((amount * 9_950n) / 10_000n), String((amount * 50n) / 10_000n)];

test.each(['with it', 'after it'])(
  'money at the address of another receipt pays out the receipt that it is assigned to: collected %s',
  async (when) => {
    const { wallet: merchant } = await world.merchant();
    const [own, other] = [await asked(merchant, 100), await asked(merchant, 300)];
    await send(own.payTo, FIRST);
    if (when === 'after it') await settleAll();
    const hash = await send(own.payTo, SECOND);
    await settleAll();
    expect(await world.status(merchant, own.id)).toBe('completed');
    await assignTransfer(world.deps, { merchant, transactionHash: hash, receiptId: other.id, by: merchant });
    await settleAll();
    expect(await world.status(merchant, other.id)).toBe('completed');
    expect(await owedOf(merchant, own.id)).toEqual(sharesIn(FIRST));
    expect(await owedOf(merchant, other.id)).toEqual(sharesIn(SECOND));
    for (const { transactionHash } of await sharesOf(merchant, other.id)) expect(transactionHash).not.toBeNull();
  },
);

test('a receipt that its own money and money at the address of another one paid has the shares of both', async () => {
  const { wallet: merchant } = await world.merchant();
  const [own, other] = [await asked(merchant, 100), await asked(merchant, 400)];
  await send(own.payTo, FIRST);
  await send(other.payTo, FIRST);
  await settleAll();
  const hash = await send(own.payTo, SECOND);
  await settleAll();
  await assignTransfer(world.deps, { merchant, transactionHash: hash, receiptId: other.id, by: merchant });
  await settleAll();
  expect(await world.status(merchant, other.id)).toBe('completed');
  expect(await owedOf(merchant, own.id)).toEqual(sharesIn(FIRST));
  expect(await owedOf(merchant, other.id)).toEqual(sharesIn(FIRST + SECOND));
});
