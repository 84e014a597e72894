import { afterAll, beforeAll, expect, test } from 'vitest';
import { toWallet } from '../../../base/chain/address.ts';
import { rowsOf } from '../../../base/platform/test/rows.ts';
import { recordTransfer } from '../matching/match.ts';
import { quoted, quotedPast, submitSigned } from '../test/quoted.ts';
import { setTerms } from '../test/terms.ts';
import { openWorld, type World } from '../test/world.ts';
import { listUnmatched } from './unmatched.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

const NOTE = 'note:transfer_unmatched';
const historyOf = async (merchant: Parameters<World['history']>[0], id: string) =>
  (await world.history(merchant, id)).map(({ what }) => what);

test('money straight to the split is noted on no receipt before a hint names one, and once', async () => {
  const { merchant, receiptId, quote } = await quotedPast(world, 10_000);
  const transactionHash = await world.pay(quote);
  await world.look();
  await world.mine(3);
  await world.look();
  expect(await historyOf(merchant, receiptId)).toEqual(['status:pending']);
  await submitSigned(world, { merchant, receiptId }, transactionHash);
  expect(await historyOf(merchant, receiptId)).toEqual(['status:pending', 'status:tx_mined']);
});

test('money in a token that the merchant does not take is noted once on the receipt whose address received it', async () => {
  const { merchant, receiptId, quote } = await quoted(world, 10_000);
  await setTerms(world, merchant, { paymentTokens: [{ chainId: world.chain.chainId, token: 'USDC' }] });
  const transactionHash = await world.pay({ ...quote, token: 'USDT' });
  for (let times = 0; times < 2; times++) await world.look();
  expect(await historyOf(merchant, receiptId)).toEqual(['status:pending', NOTE]);
  expect((await world.history(merchant, receiptId)).at(-1)!.detail).toMatchObject({
    ...{ transactionHash, token: 'USDT', amount: quote.amount, reason: 'other_token' },
  });
});

test('the log has one line for each transfer that pays no receipt, with merchant, amount and reason', async () => {
  const lines: { fields: Record<string, unknown>; text: string }[] = [];
  const log = Object.assign(Object.create(world.deps.log), {
    info: (fields: Record<string, unknown>, text: string) => lines.push({ fields, text }),
  });
  const { merchant, quote } = await quotedPast(world, 1_000);
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
  const { merchant, quote } = await quotedPast(world, 1_000);
  const dust = await world.pay({ ...quote, amount: '9999' });
  const cent = await world.pay({ ...quote, amount: '10000' });
  await world.look();
  const listed = async (includeDust?: boolean) =>
    (await rowsOf(listUnmatched(world.deps, merchant, { includeDust }))).map(({ transactionHash }) => transactionHash);
  expect(await listed()).toEqual([cent]);
  expect(await listed(false)).toEqual([cent]);
  expect(await listed(true)).toEqual([cent, dust]);
});
