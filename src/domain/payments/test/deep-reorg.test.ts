import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Wallet } from '../../../base/core/wallet.ts';
import { rowsOf } from '../../../base/platform/test/rows.ts';
import { readMissing } from '../paying/missing.ts';
import { quotePayment } from '../paying/quote-payment.ts';
import { listUnmatched } from '../unmatched/unmatched.ts';
import { revertTransfer } from '../watching/reorg.ts';
import { scan } from '../watching/scan.ts';
import { type Quoted, quoted, storedTransfer, submitSigned } from './quoted.ts';
import { openWorld, type World } from './world.ts';

// Confirmed payments whose block is removed by more than one reorganisation.

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

const whats = async (merchant: Wallet, id: string) => (await world.history(merchant, id)).map(({ what }) => what);

async function rawOf(hash: `0x${string}`): Promise<`0x${string}`> {
  return (await world.chain.client.request({
    method: 'eth_getRawTransactionByHash' as never,
    params: [hash] as never,
  })) as `0x${string}`;
}

async function paid(): Promise<Quoted & { hash: `0x${string}` }> {
  const receipt = await quoted(world, 1_000);
  const hash = await world.pay(receipt.quote);
  await world.mine(2);
  await world.look();
  expect(await world.status(receipt.merchant, receipt.receiptId)).toBe('paid');
  return { ...receipt, hash };
}

/** Replaces the three newest blocks; the transaction is mined again in the one at `place`. */
const reorganise = async (raw: `0x${string}`, place: number) => {
  await world.control.request({ method: 'anvil_reorg' as never, params: [3, [[raw, place]]] as never });
};

/** The receipts of the canonical transfers. */
const linked = (hash: string) =>
  world.deps.db.orm.em
    .fork()
    .execute('select receipt_id, canonical from transfers where transaction_hash = ? and receipt_id is not null', [
      hash,
    ]);

test('a final payment whose block is removed and returns stays the payment of its receipt', async () => {
  const { merchant, receiptId, hash } = await paid();
  const em = world.deps.db.orm.em.fork();
  const [row] = await em.execute<{ block_number: string }[]>(
    'select block_number from transfers where receipt_id = ?',
    [receiptId],
  );
  // As if another branch had been canonical for a while.
  await em.execute(`update chain_blocks set hash = '0xother' || number where number >= ?`, [row!.block_number]);
  await world.look();
  await world.look();
  expect(await world.status(merchant, receiptId)).toBe('paid');
  expect((await whats(merchant, receiptId)).slice(-2)).toEqual(['note:payment_lost', 'note:payment_back']);
  expect(await linked(hash)).toEqual([{ receipt_id: receiptId, canonical: true }]);
  expect(await rowsOf(listUnmatched(world.deps, merchant))).toEqual([]);
});

test('a final payment that changes its block twice stays the payment of its receipt, and each loss raises an alert', async () => {
  const { merchant, receiptId, hash } = await paid();
  const raw = await rawOf(hash);
  const alerts: unknown[] = [];
  const log = Object.assign(Object.create(world.deps.log), { error: (fields: unknown) => alerts.push(fields) });
  for (const place of [1, 2]) {
    await reorganise(raw, place);
    await scan({ ...world.deps, log });
    await scan({ ...world.deps, log });
    expect(await world.status(merchant, receiptId)).toBe('paid');
    expect(await linked(hash)).toEqual([{ receipt_id: receiptId, canonical: true }]);
  }
  expect(alerts).toEqual([
    expect.objectContaining({ alert: 'deep_reorg', receiptId }),
    expect.objectContaining({ alert: 'deep_reorg', receiptId }),
  ]);
  expect((await whats(merchant, receiptId)).filter((what) => what === 'note:payment_back')).toHaveLength(2);
  expect(await rowsOf(listUnmatched(world.deps, merchant))).toEqual([]);
});

test('a remainder does not pay a receipt whose first part was removed by a reorganisation', async () => {
  const { merchant, receiptId, quote } = await quoted(world, 10_000);
  const part = await world.pay({ ...quote, amount: '60000000' });
  await submitSigned(world, { merchant, receiptId }, part);
  await world.pay(await quotePayment(world.deps, { merchant, receiptId, token: 'USDC' }));
  await world.look();
  expect(await world.status(merchant, receiptId)).toBe('tx_mined');
  await revertTransfer(world.deps, await storedTransfer(world, part));
  expect(await world.status(merchant, receiptId)).toBe('tx_mismatch');
  expect(Number((await readMissing(world.deps, merchant, receiptId))!.usd)).toBeCloseTo(60, 1);
  await world.mine(4);
  await world.look();
  expect(await world.status(merchant, receiptId)).toBe('tx_mismatch');
});
