import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSender } from '../../../base/chain/sender.ts';
import { releaseTransaction } from '../../../base/chain/splitter.ts';
import { deployAll } from '../test/deploy-all.ts';
import { openWorld, randomWallet, type World } from '../test/world.ts';
import { readRefundsOf } from './read.ts';
import { refunding } from './test/refunding.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.stop());

const { paid, refund, send } = refunding(() => world);

test('a transfer used by one merchant still proves a refund of another merchant', async () => {
  const buyer = randomWallet();
  const [own, other] = [
    { ...(await paid(1_000)), buyer },
    { ...(await paid(1_000)), buyer },
  ];
  const txHash = await send(buyer, 10_000_000n);
  expect(await refund(other, 10, { txHash })).toMatchObject({ status: 'refunded' });
  expect(await refund(own, 10, { txHash })).toMatchObject({ status: 'refunded' });
});

test('a transfer proves only one refund of a merchant', async () => {
  const receipt = await paid(1_000);
  const txHash = await send(receipt.buyer, 4_000_000n);
  await refund(receipt, 4, { txHash });
  await expect(refund(receipt, 4, { txHash })).rejects.toMatchObject({ code: 'invalid_input' });
});

test("a split's release to a payee does not prove a refund to that payee", async () => {
  const receipt = await paid(1_000);
  const key = world.deps.settings.settlementPrivateKey!;
  const sender = createSender(world.chain, key);
  await deployAll(world);
  await world.pay({ token: 'USDC', payTo: receipt.split, amount: '10000000' });
  const usdc = world.chain.tokens.find(({ symbol }) => symbol === 'USDC')!.address;
  const [row] = await world.deps.db.orm.em
    .fork()
    .execute<{ payee: `0x${string}` }[]>('select payee from settlement_shares where receipt_id = ? and payee <> ?', [
      receipt.receiptId,
      receipt.merchant,
    ]);
  const buyer = row!.payee as never;
  const { hash } = await sender.send(releaseTransaction(receipt.split, usdc, buyer));
  expect(await sender.waitFor(hash!)).toBe('success');
  await world.mine(2);
  await expect(refund({ ...receipt, buyer }, 0.01, { txHash: hash! })).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('split'),
  });
});

test('a refund from another wallet than the merchant’s counts, and is marked as such', async () => {
  const receipt = await paid(1_000);
  await refund(receipt, 4, { txHash: await send(receipt.buyer, 4_000_000n) });
  const [[row]] = (await readRefundsOf(world.deps.db, receipt.merchant, [receipt.receiptId])) as [[unknown]];
  expect(row).toMatchObject({ provenCents: 400, senderVerified: false });
  const last = (await world.history(receipt.merchant, receipt.receiptId)).at(-1)!;
  expect(last).toMatchObject({ what: 'note:refund_partial', detail: { senderVerified: false } });
  // As if sent by the merchant's wallet.
  await world.deps.db.orm.em
    .fork()
    .execute('update refund_transfers set sender = merchant where receipt_id = ?', [receipt.receiptId]);
  const [[own]] = (await readRefundsOf(world.deps.db, receipt.merchant, [receipt.receiptId])) as [[unknown]];
  expect(own).toMatchObject({ senderVerified: true });
});
