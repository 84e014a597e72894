import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rowsOf } from '../../../base/platform/test/rows.ts';
import { AuditEntrySchema } from '../../../base/records/audit/audit-entry.entity.ts';
import { voidReceipt } from '../../sales/receipts/end.ts';
import { configuredRates } from '../../shop/fx/usd-per-token.ts';
import { refunding, refused } from '../refunds/test/refunding.ts';
import { openWorld, randomWallet, type World } from '../test/world.ts';
import { assignTransfer, previewAssignment } from './assign.ts';
import { unassignTransfer } from './unassign.ts';
import { listUnmatched } from './unmatched.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.stop());

const { confirm, refund } = refunding(() => world);
const by = randomWallet();

/** Money straight to a split, which pays no receipt by itself, and a receipt that it may be assigned to. */
async function scene(totalCents: number, amounts: readonly bigint[]) {
  const { wallet: merchant, split } = await world.merchant();
  const receiptId = await world.receipt(merchant, totalCents);
  const hashes: `0x${string}`[] = [];
  for (const amount of amounts) hashes.push(await world.pay({ token: 'USDC', payTo: split, amount: String(amount) }));
  await world.look();
  const deps = { ...world.deps, readRate: configuredRates(world.deps) };
  const name = (transactionHash: `0x${string}`) => ({ merchant, transactionHash });
  return {
    ...{ merchant, receiptId, hashes },
    assign: (hash: `0x${string}`) => assignTransfer(deps, { ...name(hash), receiptId, by }),
    preview: (hash: `0x${string}`) => previewAssignment(deps, { ...name(hash), receiptId }),
    undo: (hash: `0x${string}`, of = merchant) =>
      unassignTransfer(world.deps, { transactionHash: hash, merchant: of, by }),
    /** All sums that an assignment changes: the receipt, its credits, and what is unmatched. */
    async sums() {
      const receipt = await world.read(merchant, receiptId);
      const { paidToken, paidAmount, acceptedUsd, transactionHash, buyerWallet, refundedCents } = receipt;
      const credits = await world.deps.db.orm.em
        .fork()
        .execute('select usd, assigned_by from transfers where merchant = ? and receipt_id = ? order by 1', [
          merchant,
          receiptId,
        ]);
      const open = await rowsOf(listUnmatched(deps, merchant));
      const unmatched = open.map((one) => [one.transactionHash, one.reason, one.amount]).toSorted();
      return { paidToken, paidAmount, acceptedUsd, transactionHash, buyerWallet, refundedCents, credits, unmatched };
    },
    status: async () => (await world.read(merchant, receiptId)).status,
  };
}

test('an assignment that is taken back leaves every sum as it was, in whatever order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.bigInt({ min: 10_000n, max: 9_000_000n }), { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 100, max: 1_000 }),
      fc.infiniteStream(fc.nat()),
      async (amounts, totalCents, picks) => {
        const { hashes, assign, undo, sums, status } = await scene(totalCents, amounts);
        const states = [await sums()];
        const assigned: `0x${string}`[] = [];
        for (const hash of hashes) {
          if (!['pending', 'generated', 'tx_mismatch'].includes(await status())) break;
          await assign(hash);
          assigned.push(hash);
          states.push(await sums());
        }
        // Dust is noted only, and moves nothing.
        const before = (await status()) === 'generated' ? 'generated' : 'pending';
        // The last one first leads through the same states; any order leads to the first one.
        await undo(assigned.at(-1)!);
        expect(await sums()).toEqual(states.at(-2));
        assigned.pop();
        while (assigned.length > 0) {
          const [hash] = assigned.splice(picks.next().value! % assigned.length, 1);
          await undo(hash!);
        }
        expect(await sums()).toEqual(states[0]);
        expect(await status()).toBe(before);
      },
    ),
    { numRuns: 6 },
  );
}, 120_000);

test('the preview of an assignment is what the assignment does, and changes nothing', async () => {
  const { hashes, assign, preview, sums, status } = await scene(500, [2_000_000n, 4_000_000n]);
  const before = await sums();
  expect(await preview(hashes[0]!)).toMatchObject({
    to: 'tx_mismatch',
    countsUsd: '2',
    missingUsd: '3',
    surplusUsd: '0',
  });
  expect(await sums()).toEqual(before);
  await assign(hashes[0]!);
  expect(await status()).toBe('tx_mismatch');
  expect(await preview(hashes[1]!)).toMatchObject({
    ...{ to: 'tx_mined', beforeUsd: '2', receivedUsd: '6', missingUsd: '0', surplusUsd: '1' },
  });
  await assign(hashes[1]!);
  expect(await status()).toBe('tx_mined');
  await expect(preview(hashes[1]!)).rejects.toMatchObject({ code: 'not_found' });
});

test('a voided receipt is voided again once no assigned money is left, whatever is taken back first', async () => {
  const { merchant, receiptId, hashes, assign, undo, status } = await scene(500, [2_000_000n, 1_000_000n]);
  const [first, second] = hashes as [`0x${string}`, `0x${string}`];
  await voidReceipt(world.deps, merchant, receiptId, `wallet:${by}`);
  for (const order of [hashes, hashes.toReversed()]) {
    await assign(first);
    await assign(second);
    await undo(order[0]!);
    expect(await status()).toBe('tx_mismatch');
    await undo(order[1]!);
    const ended = await world.read(merchant, receiptId);
    expect(ended).toMatchObject({ status: 'failed', failureCode: 'PORTAL_SESSION_CANCELLED', transactionHash: null });
    expect(ended.closedAt).not.toBeNull();
  }
});

test('history and audit log name the person who assigned, and the one who took it back', async () => {
  const { merchant, receiptId, hashes, assign, undo } = await scene(500, [2_000_000n]);
  await assign(hashes[0]!);
  await undo(hashes[0]!);
  const rows = await world.deps.db.orm.em
    .fork()
    .execute(
      'select status, actor from receipt_history where merchant = ? and receipt_id = ? order by seq desc limit 2',
      [merchant, receiptId],
    );
  expect(rows).toEqual([
    { status: 'pending', actor: `wallet:${by}` },
    { status: 'tx_mismatch', actor: `wallet:${by}` },
  ]);
  const entries = await world.deps.db.orm.em.fork().find(AuditEntrySchema, { merchant, action: 'payment.unassigned' });
  expect(entries).toHaveLength(1);
});

test('an assignment to a paid receipt, of another merchant, or that was none, is not taken back', async () => {
  const { merchant, receiptId, hashes, assign, undo, status, sums } = await scene(500, [5_000_000n, 1_000_000n]);
  await expect(undo(hashes[0]!)).rejects.toMatchObject({ code: 'not_found' });
  await assign(hashes[0]!);
  await expect(undo(hashes[0]!, randomWallet())).rejects.toMatchObject({ code: 'not_found' });
  await expect(undo(hashes[1]!)).rejects.toMatchObject({ code: 'not_found' });
  await confirm();
  expect(['paid', 'completed']).toContain(await status());
  const before = await sums();
  await expect(undo(hashes[0]!)).rejects.toMatchObject(refused('invalid_input', 'transactionHash'));
  expect(await sums()).toEqual(before);
  await refund({ merchant, receiptId, buyer: randomWallet() }, 1);
});

test('an assignment of which a part was sent back is not taken back', async () => {
  const { merchant, receiptId, hashes, assign, undo } = await scene(500, [2_000_000n]);
  await assign(hashes[0]!);
  await confirm();
  const buyer = randomWallet();
  const txHash = await world.pay({ token: 'USDC', payTo: buyer, amount: '1000000' });
  await world.mine(2);
  await refund({ merchant, receiptId, buyer }, 1, { txHash });
  await expect(undo(hashes[0]!)).rejects.toMatchObject(refused('invalid_input', 'transactionHash'));
});
