import { encodeFunctionData, erc20Abi } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toAddress } from '../../../base/chain/address.ts';
import { mintTestTokens, payFromTestWallet } from '../../../base/chain/local.ts';
import { localAccount } from '../../../base/chain/local-accounts.ts';
import { createSender } from '../../../base/chain/sender.ts';
import { startTestChain } from '../../../base/chain/test/anvil.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { rowsOf } from '../../../base/platform/test/rows.ts';
import { quotePayment } from '../paying/quote-payment.ts';
import { payTwice, storedTransfer } from '../test/quoted.ts';
import { openWorld, type World } from '../test/world.ts';
import { watchAddresses } from '../transfers/watched.ts';
import { listUnmatched } from '../unmatched/unmatched.ts';
import { revertTransfer } from './reorg.ts';
import { scan } from './scan.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

async function quoted(totalCents = 1_000) {
  const { wallet: merchant } = await world.merchant();
  const receiptId = await world.receipt(merchant, totalCents);
  return { merchant, receiptId, quote: await quotePayment(world.deps, { merchant, receiptId, token: 'USDC' }) };
}

/** The current state of the chain, and a function that restores it. */
async function snapshot(): Promise<() => Promise<void>> {
  const id = await world.control.snapshot();
  return async () => {
    await world.control.revert({ id });
    // Otherwise the same transactions would produce the same blocks.
    await world.control.increaseTime({ seconds: 7 });
  };
}

test.for([
  { mayRestart: false, chain: 'a public chain' },
  { mayRestart: true, chain: 'a local chain' },
])(
  'on $chain a payment counts in a lower block than the head that its receipt saw on a replaced branch',
  async ({ mayRestart }) => {
    const deps = { ...world.deps, chain: { ...world.chain, mayRestart } };
    const { wallet: merchant } = await world.merchant();
    await world.look();
    const back = await snapshot();
    await world.mine(5);
    await scan(deps);
    const receiptId = await world.receipt(merchant, 1_000);
    const onNewSplit = await world.merchant();
    const second = await world.receipt(onNewSplit.wallet, 1_000);
    await back();
    for (const [of, id] of [
      [merchant, receiptId],
      [onNewSplit.wallet, second],
    ] as const)
      await world.pay(await quotePayment(deps, { merchant: of, receiptId: id, token: 'USDC' }));
    await world.mine(2);
    await scan(deps);
    expect(await world.status(merchant, receiptId)).toBe('paid');
    expect(await world.status(onNewSplit.wallet, second)).toBe('paid');
  },
);

/** The signed transaction with a hash, to mine it again after a reorganisation. */
async function rawOf(hash: `0x${string}`): Promise<`0x${string}`> {
  return (await world.chain.client.request({
    method: 'eth_getRawTransactionByHash' as never,
    params: [hash] as never,
  })) as `0x${string}`;
}

const whats = async (merchant: Wallet, id: string) => (await world.history(merchant, id)).map(({ what }) => what);

test('a payment whose block is removed before its confirmations is reverted, and pays again when it is mined again', async () => {
  const { merchant, receiptId, quote } = await quoted();
  const back = await snapshot();
  const hash = await world.pay(quote);
  await world.look();
  expect(await world.status(merchant, receiptId)).toBe('tx_mined');

  await back();
  await world.mine(3);
  await world.look();
  expect(await world.read(merchant, receiptId)).toMatchObject({
    status: 'pending',
    transactionHash: null,
    transactionTimestamp: null,
    paidToken: null,
    paidAmount: null,
    buyerWallet: null,
  });
  expect((await world.history(merchant, receiptId)).at(-1)).toMatchObject({
    what: 'status:pending',
    detail: { transactionHash: hash, reorganised: true },
  });

  // The buyer's tokens were minted in a block that was removed too.
  const again = await world.pay(quote);
  await world.mine(2);
  await world.look();
  expect(await world.read(merchant, receiptId)).toMatchObject({ status: 'paid', transactionHash: again });
  expect(await rowsOf(listUnmatched(world.deps, merchant))).toEqual([]);
});

test('the same transaction in another block is the same payment', async () => {
  const { merchant, receiptId, quote } = await quoted();
  const hash = await world.pay(quote);
  const raw = await rawOf(hash);
  await world.look();
  await world.control.request({
    method: 'anvil_reorg' as never,
    params: [1, [[raw, 0]]] as never,
  });
  await world.look();
  expect(await world.read(merchant, receiptId)).toMatchObject({ status: 'tx_mined', transactionHash: hash });
  expect(await whats(merchant, receiptId)).toEqual([
    'status:pending',
    'status:tx_mined',
    'status:pending',
    'status:tx_mined',
  ]);
  await world.mine(2);
  await world.look();
  expect(await world.status(merchant, receiptId)).toBe('paid');
});

test('a block that returns restores its payment', async () => {
  const { merchant, receiptId, quote } = await quoted();
  await world.pay(quote);
  await world.look();
  const [row] = await world.deps.db.orm.em
    .fork()
    .execute<{ block_hash: string }[]>('select block_hash from transfers where receipt_id = ?', [receiptId]);
  // As if another branch had been canonical for a while.
  await world.deps.db.orm.em
    .fork()
    .execute(`update chain_blocks set hash = '0xother' where hash = ?`, [row!.block_hash]);
  await world.look();
  expect(await world.status(merchant, receiptId)).toBe('tx_mined');
  expect(await whats(merchant, receiptId)).toEqual([
    'status:pending',
    'status:tx_mined',
    'status:pending',
    'status:tx_mined',
  ]);
});

test('a duplicate becomes the payment when the first payment is removed', async () => {
  const { merchant, receiptId, quote } = await quoted();
  const [first, second] = await payTwice(world, quote);
  expect(await world.read(merchant, receiptId)).toMatchObject({ status: 'tx_mined', transactionHash: first });
  await revertTransfer(world.deps, await storedTransfer(world, first));
  expect(await world.read(merchant, receiptId)).toMatchObject({ status: 'tx_mined', transactionHash: second });
});

test('a local chain that was set back accepts a payment below the height at which the receipt was created', async () => {
  const buyer = createSender(world.chain, localAccount('buyer', 3).privateKey);
  await mintTestTokens(world.chain, 'USDC', buyer.address, 100_000_000n);
  const back = await snapshot();
  await world.mine(2);
  const { merchant, receiptId, quote } = await quoted();
  await world.look();
  await back();
  await world.look();
  const args = [toAddress(quote.payTo), BigInt(quote.amount)] as const;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args });
  await buyer.send({ to: world.chain.tokens.find(({ symbol }) => symbol === 'USDC')!.address!, data });
  await world.mine(2);
  await world.look();
  expect(await whats(merchant, receiptId)).toEqual(['status:pending', 'status:tx_mined', 'status:paid']);
});

test('a payment that loses its block after its confirmations keeps its status, and is reported in history and log', async () => {
  const { merchant, receiptId, quote } = await quoted();
  const hash = await world.pay(quote);
  const raw = await rawOf(hash);
  await world.mine(2);
  await world.look();
  expect(await world.status(merchant, receiptId)).toBe('paid');
  const alerts: unknown[] = [];
  const log = Object.assign(Object.create(world.deps.log), { error: (fields: unknown) => alerts.push(fields) });
  await world.control.request({ method: 'anvil_reorg' as never, params: [4, []] as never });
  await world.mine(1);
  await scan({ ...world.deps, log });
  expect(await world.status(merchant, receiptId)).toBe('paid');
  expect((await whats(merchant, receiptId)).at(-1)).toBe('note:payment_lost');
  expect(alerts).toEqual([expect.objectContaining({ alert: 'deep_reorg', receiptId })]);

  await world.chain.client.sendRawTransaction({ serializedTransaction: raw }).catch(() => {});
  const known = await world.chain.client.getTransactionReceipt({ hash }).catch(() => null);
  if (known?.status === 'success') {
    await world.look();
    expect((await whats(merchant, receiptId)).at(-1)).toBe('note:payment_back');
    expect(await rowsOf(listUnmatched(world.deps, merchant))).toEqual([]);
  }
});

test('a local chain that was reset is read from its start, and receipts are paid as before', async () => {
  const { merchant, receiptId, quote } = await quoted();
  await world.mine(50);
  await world.look();
  const fresh = await startTestChain();
  try {
    const base = { ...world.deps, chain: fresh.chain };
    const deps = { ...base, watched: watchAddresses(base) };
    await scan(deps);
    await payFromTestWallet(fresh.chain, { token: 'USDC', to: quote.payTo, amount: BigInt(quote.amount) });
    await fresh.control.mine({ blocks: 2 });
    await scan(deps);
    expect(await world.status(merchant, receiptId)).toBe('paid');
  } finally {
    await fresh.stop();
  }
});
