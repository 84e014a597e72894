import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorld, type World } from '../test/world.ts';
import { refunding, refused } from './test/refunding.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.stop());

const { paid, refund, send, sendShallow, refundsOf } = refunding(() => world);

test('a proof counts only with its confirmations: a block removed before that proves nothing', async () => {
  const receipt = await paid(500);
  const lost = await sendShallow(receipt.buyer, 5_000_000n);
  let now = Date.now();
  const impatient = { ...world.deps, clock: () => (now += 5_000) };
  await expect(refund(receipt, 5, { txHash: lost }, impatient)).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('has 0 of 2 confirmations'),
  });
  await world.control.request({ method: 'anvil_reorg' as never, params: [1, []] as never });
  await world.mine(3);
  await expect(refund(receipt, 5, { txHash: lost })).rejects.toMatchObject(refused('invalid_input', 'txHash'));
  expect(await refundsOf(receipt)).toEqual([]);
  expect(await world.status(receipt.merchant, receipt.receiptId)).toBe('paid');
  const again = await send(receipt.buyer, 5_000_000n);
  expect(await refund(receipt, 5, { txHash: again })).toMatchObject({ status: 'refunded' });
});

test('a proof whose confirmations are about to arrive is awaited for a moment', async () => {
  const receipt = await paid(500);
  const txHash = await sendShallow(receipt.buyer, 5_000_000n);
  const asked = refund(receipt, 5, { txHash });
  await world.mine(2);
  expect(await asked).toMatchObject({ status: 'refunded' });
});
