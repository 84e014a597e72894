import { encodeFunctionData, erc20Abi, type Hex, pad, toHex } from 'viem';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toAddress } from '../../../base/chain/address.ts';
import { createChain } from '../../../base/chain/client.ts';
import { mintTestTokens } from '../../../base/chain/local.ts';
import { createSender } from '../../../base/chain/sender.ts';
import { openNode } from '../../../base/chain/test/node.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { rowsOf } from '../../../base/platform/test/rows.ts';
import { submitTransaction, submitTransactionWithin } from '../matching/submit.ts';
import { followHints } from '../matching/transaction-hints.ts';
import { quotePayment } from '../paying/quote-payment.ts';
import { watchAddresses } from '../transfers/watched.ts';
import { listUnmatched } from '../unmatched/unmatched.ts';
import { scan } from '../watching/scan.ts';
import { claimOf, quoted, quotedPast, submit } from './quoted.ts';
import { openWorld, type World } from './world.ts';

// What an unsigned hint may do, and what it costs. Beside it: claim (hints that the sender has signed).

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

const invented = (n: number) => pad(toHex(n + 1));

/** Pays from a wallet other than the one of `world.pay`; its hash and address. */
async function payFromAnother(to: Wallet, amount: bigint): Promise<{ hash: Hex; from: Wallet }> {
  const key = generatePrivateKey();
  const sender = createSender(world.chain, key);
  await world.control.setBalance({ address: toAddress(sender.address), value: 10n ** 19n });
  await mintTestTokens(world.chain, 'USDC', sender.address, amount);
  const { hash } = await sender.send({
    to: world.chain.tokens.find(({ symbol }) => symbol === 'USDC')!.address!,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [toAddress(to), amount] }),
  });
  expect(await sender.waitFor(hash!)).toBe('success');
  return { hash: hash!, from: sender.address };
}

test('an unsigned hint pays no receipt with another buyer’s money, and proposes its receipt first', async () => {
  const { merchant, receiptId: victim, quote } = await quotedPast(world, 700);
  const stranger = await world.receipt(merchant, 9_900);
  await quotePayment(world.deps, { merchant, receiptId: stranger, token: 'USDC' });
  const hash = await world.pay(quote);
  await submit(world, { merchant, receiptId: stranger }, hash);
  expect(await world.read(merchant, stranger)).toMatchObject({ status: 'pending', buyerWallet: null });
  expect(await world.status(merchant, victim)).toBe('pending');
  expect(await rowsOf(listUnmatched(world.deps, merchant))).toMatchObject([
    { transactionHash: hash, reason: 'unknown_amount', candidates: [{ receiptId: stranger }, { receiptId: victim }] },
  ]);
});

test('the largest credit names the buyer and the transaction: a small one later never does', async () => {
  const { merchant, receiptId, quote } = await quoted(world, 1_000);
  const first = await world.pay({ ...quote, amount: '4000000' });
  await world.look();
  const { buyerWallet } = await world.read(merchant, receiptId);
  expect(buyerWallet).toMatch(/^0x/);
  const small = await payFromAnother(quote.payTo, 1_000_000n);
  expect(small.from).not.toBe(buyerWallet);
  await world.look();
  expect(await world.read(merchant, receiptId)).toMatchObject({ transactionHash: first, buyerWallet });
  const large = await payFromAnother(quote.payTo, 50_000_000n);
  await world.look();
  expect(await world.read(merchant, receiptId)).toMatchObject({ transactionHash: large.hash, buyerWallet: large.from });
  expect(await world.status(merchant, receiptId)).toBe('tx_mined');
});

test('a card provider’s delivery is looked at where invented hints have taken every place', async () => {
  const { merchant, receiptId, quote } = await quoted(world, 1_000);
  for (let n = 0; n < 20; n++) {
    await submitTransaction(world.deps, { merchant, receiptId, transactionHash: invented(n) });
  }
  const transactionHash = await world.pay(quote);
  const hint = { merchant, receiptId, transactionHash };
  await expect(submitTransaction(world.deps, hint)).rejects.toMatchObject({ code: 'invalid_input' });
  await world.deps.db.transaction((uow) =>
    submitTransactionWithin(world.deps, uow, { ...hint, vouchedBy: 'onramp:stripe' }),
  );
  const due = await world.deps.db.orm.em
    .fork()
    .execute('select next_look_at from submitted_transactions where transaction_hash = ?', [transactionHash]);
  expect(due).toEqual([{ next_look_at: expect.toSatisfy((at) => Number(at) === 0) }]);
});

test('sixty invented hints keep no true one from being followed, and cost two look-ups a receipt and block', async () => {
  const BLOCKS = 10;
  const BLOCK_MS = 2_000;
  const [RECEIPTS, HINTS_EACH, LOOKUPS_EACH] = [3, 20, 2];
  const asked: string[] = [];
  const rpcUrl = await openNode(world.rpcUrl, async ({ method, params }) => {
    const hash = params?.[0] as unknown;
    if (typeof hash === 'string' && hash.startsWith('0xdead')) asked.push(method);
    return null;
  });
  let now = Date.now();
  const base = { ...world.deps, chain: createChain({ ...world.chain, rpcUrl }), clock: () => now };
  const deps = { ...base, watched: watchAddresses(base) };
  const look = async () => followHints(deps, (await scan(deps)).cursor);
  // Hints of earlier tests are not counted, and are not due any more.
  await world.deps.db.orm.em.fork().execute('delete from submitted_transactions');

  const paid = await quotedPast(world, 1_000);
  for (let receipt = 0; receipt < RECEIPTS; receipt++) {
    const { merchant, receiptId } = await quoted(world, 1_000);
    for (let n = 0; n < HINTS_EACH; n++) {
      const transactionHash = `0xdead${(receipt * 100 + n).toString(16).padStart(60, '0')}`;
      await submitTransaction(deps, { merchant, receiptId, transactionHash });
    }
  }
  await look();
  // Credited through its signed hint alone: the money went past the receipt’s address.
  const hash = await world.pay(paid.quote);
  const claim = await claimOf(world, paid, hash);
  await submitTransaction(deps, { ...paid, transactionHash: hash, claim });
  await look();
  expect(await world.status(paid.merchant, paid.receiptId)).toBe('tx_mined');

  asked.length = 0;
  for (let block = 0; block < BLOCKS; block++) {
    now += BLOCK_MS;
    await world.mine(1);
    await look();
  }
  const lookUps = asked.filter((method) => method === 'eth_getTransactionReceipt').length;
  expect(lookUps).toBeGreaterThan(0);
  expect(lookUps).toBeLessThanOrEqual(BLOCKS * RECEIPTS * LOOKUPS_EACH);
  expect(asked.length).toBeLessThanOrEqual(2 * BLOCKS * RECEIPTS * LOOKUPS_EACH);
});
