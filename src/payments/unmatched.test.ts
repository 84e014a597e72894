import { afterAll, beforeAll, expect, test } from 'vitest';
import { toWallet } from '../chain/address.ts';
import { rowsOf } from '../platform/test/rows.ts';
import { recordTransfer } from './match.ts';
import { quotePayment } from './quote-payment.ts';
import { quoted, submitSigned } from './test/quoted.ts';
import { openWorld, type World } from './test/world.ts';
import { listUnmatched } from './unmatched.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

const NOTE = 'note:transfer_unmatched';
const historyOf = async (merchant: Parameters<World['history']>[0], id: string) =>
  (await world.history(merchant, id)).map(({ what }) => what);

test('money that matches no quote is noted once on the one receipt that waits for nearly as much', async () => {
  const { merchant, receiptId, quote } = await quoted(world, 10_000);
  const amount = String((BigInt(quote.amount) * 99n) / 100n);
  const transactionHash = await world.pay({ ...quote, amount });
  await world.look();
  await world.mine(3);
  await world.look();
  expect(await world.status(merchant, receiptId)).toBe('pending');
  expect(await historyOf(merchant, receiptId)).toEqual(['status:pending', NOTE]);
  expect((await world.history(merchant, receiptId)).at(-1)!.detail).toMatchObject({
    transactionHash,
    token: 'USDC',
    amount,
    quotedAmount: quote.amount,
  });
  // A hint that credits it later adds no second note.
  await submitSigned(world, { merchant, receiptId }, transactionHash);
  expect(await historyOf(merchant, receiptId)).toEqual(['status:pending', NOTE, 'status:tx_mismatch']);
});

test('money that differs by more than 5 %, or comes near two receipts, is noted on none', async () => {
  const far = await quoted(world, 10_000);
  await world.pay({ ...far.quote, amount: String((BigInt(far.quote.amount) * 90n) / 100n) });
  const near = await quoted(world, 10_000);
  const other = await world.receipt(near.merchant, 10_700);
  await quotePayment(world.deps, { merchant: near.merchant, receiptId: other, token: 'USDC' });
  await world.pay({ ...near.quote, amount: String((BigInt(near.quote.amount) * 99n) / 100n) });
  await world.look();
  for (const [merchant, id] of [
    [far.merchant, far.receiptId],
    [near.merchant, near.receiptId],
    [near.merchant, other],
  ] as const) {
    expect(await historyOf(merchant, id)).toEqual(['status:pending']);
  }
  expect(await rowsOf(listUnmatched(world.deps, far.merchant))).toHaveLength(1);
  expect(await rowsOf(listUnmatched(world.deps, near.merchant))).toHaveLength(1);
});

test('the log has one line for each transfer that pays no receipt, with merchant, amount and reason', async () => {
  const lines: { fields: Record<string, unknown>; text: string }[] = [];
  const log = Object.assign(Object.create(world.deps.log), {
    info: (fields: Record<string, unknown>, text: string) => lines.push({ fields, text }),
  });
  const { merchant, quote } = await quoted(world, 1_000);
  const seen = { ...quote, amount: '2000000' };
  const transactionHash = await world.pay(seen);
  const { blockHash, blockNumber, logs } = await world.chain.client.getTransactionReceipt({ hash: transactionHash });
  const transfer = {
    symbol: 'USDC',
    from: merchant,
    to: quote.payTo,
    value: 2_000_000n,
    blockNumber,
    blockHash,
    blockTimeMs: Date.now(),
    transactionHash,
    logIndex: logs[0]!.logIndex,
    tokenAddress: toWallet(logs[0]!.address),
  };
  await world.deps.watched.refresh();
  for (let time = 0; time < 2; time++) await recordTransfer({ ...world.deps, log }, transfer);
  expect(lines).toEqual([
    {
      fields: expect.objectContaining({ merchant, transactionHash, amount: '2000000', reason: 'unknown_amount' }),
      text: 'a transfer pays no receipt',
    },
  ]);
});

test('what is worth less than a cent is listed only with includeDust', async () => {
  const { merchant, quote } = await quoted(world, 1_000);
  const dust = await world.pay({ ...quote, amount: '9999' });
  const cent = await world.pay({ ...quote, amount: '10000' });
  await world.look();
  const listed = async (includeDust?: boolean) =>
    (await rowsOf(listUnmatched(world.deps, merchant, { includeDust }))).map(({ transactionHash }) => transactionHash);
  expect(await listed()).toEqual([cent]);
  expect(await listed(false)).toEqual([cent]);
  expect(await listed(true)).toEqual([cent, dust]);
});
