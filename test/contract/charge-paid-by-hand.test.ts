import { toHex } from 'viem';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { toAddress } from '../../src/base/chain/address.ts';
import { CHARGE_PAID_QUEUE, workOn } from '../../src/base/platform/jobs.ts';
import type { PaidChargeJob } from '../../src/domain/payments/watching/enqueue-paid-charge.ts';
import { settlePaidCharge } from '../../src/domain/recurring/charges/settle-charges.ts';
import { codeOf } from '../graphql/ask.ts';
import { openHeldShop, type Subscriber } from '../support/held-shop.ts';
import { until } from '../support/program.ts';

const shop = await openHeldShop();
const { deps } = shop.server;
// The whole worker would also charge new subscriptions, at a moment of its own.
const worker = workOn<PaidChargeJob>(deps.db, deps.log, CHARGE_PAID_QUEUE, async (jobs) => {
  for (const job of jobs) await settlePaidCharge(deps, job);
});
afterAll(() => worker.stop());
beforeEach(() => shop.automine(true));

const chargedOnce = { status: 'active', chargeCount: 1, totalChargedUsd: 18 };
const oneFee = [{ amount_cents: 1800, fee_cents: 9 }];
const statuses = async (of: Subscriber) => (await shop.charges(of)).map(({ status }) => status);

/** Waits until the worker has recorded the payment of a charge's receipt. */
const settled = (of: Subscriber) => until(async () => (await shop.subscription(of)).status === 'active');

describe('a customer who pays the receipt of a failed charge by hand', () => {
  test('is not charged for the period again, and the subscription is active once the payment is final', async () => {
    const customer = await shop.subscribe();
    const receiptId = await shop.failCharge(customer);
    expect(await shop.subscription(customer)).toMatchObject({ status: 'past_due', chargeCount: 0 });
    const paid = await shop.pay(receiptId);
    const before = await shop.balanceOf(customer.wallet);
    await shop.reach(receiptId, 'paid');
    await settled(customer);
    const [charge] = await shop.charges(customer);
    expect(charge).toMatchObject({ status: 'succeeded', transaction_hash: paid });
    const nextChargeAt = Number(charge!.period_end) * 1_000;
    expect(await shop.subscription(customer)).toMatchObject({ ...chargedOnce, nextChargeAt });
    expect((await shop.charge(customer)).body).toEqual({ success: false, reason: 'not_due', nextChargeAt });
    expect((await shop.batch()).body.processed).toBe(0);
    expect(await shop.billed(customer)).toEqual(oneFee);
    expect(await shop.balanceOf(customer.wallet)).toBe(before);
    expect(await shop.unmatched()).toEqual([]);
  });

  test('is not charged while the payment waits for its confirmations, nor if it comes back in another block', async () => {
    const customer = await shop.subscribe();
    const receiptId = await shop.failCharge(customer);
    await shop.makeDue(customer);
    const snapshot = await shop.chain.control.snapshot();
    await shop.payInBlock(receiptId);
    await shop.scan();
    expect(await shop.status(receiptId)).toBe('tx_mined');
    expect((await shop.charge(customer)).body).toMatchObject({ reason: 'payment_underway' });

    await shop.chain.control.revert({ id: snapshot });
    await shop.chain.control.increaseTime({ seconds: 7 });
    await shop.mine();
    await shop.scan();
    expect(await shop.status(receiptId)).toBe('pending');
    await shop.pay(receiptId);
    await shop.reach(receiptId, 'paid');
    await settled(customer);
    expect(await shop.subscription(customer)).toMatchObject(chargedOnce);
    expect(await shop.billed(customer)).toEqual(oneFee);
    expect(await statuses(customer)).toEqual(['succeeded']);
  });

  test('whose payment a reorganisation takes away is charged, once', async () => {
    const customer = await shop.subscribe();
    const receiptId = await shop.failCharge(customer);
    await shop.makeDue(customer);
    await shop.quote(receiptId);
    const snapshot = await shop.chain.control.snapshot();
    await shop.payInBlock(receiptId);
    await shop.scan();
    await shop.chain.control.revert({ id: snapshot });
    await shop.chain.control.increaseTime({ seconds: 7 });
    await shop.mine();
    await shop.scan();
    expect((await shop.charge(customer)).body).toMatchObject({ success: true });
    await shop.reach(receiptId, 'paid');
    expect(await shop.subscription(customer)).toMatchObject(chargedOnce);
    expect(await shop.billed(customer)).toEqual(oneFee);
  });

  test('also by a transfer that an admin assigns, or by one that is too small and accepted', async () => {
    for (const decide of ['assignTransfer', 'acceptPayment'] as const) {
      const customer = await shop.subscribe();
      const receiptId = await shop.failCharge(customer);
      if (decide === 'assignTransfer') {
        const hash = await shop.payPast(receiptId);
        await shop.scan();
        const assign = `mutation { assignTransfer(receiptId: "${receiptId}", transactionHash: "${hash}") { status } }`;
        expect((await shop.ask(assign)).body.errors).toBeUndefined();
      } else {
        await shop.payInBlock(receiptId, -2_000_000n);
        await shop.scan();
        expect(await shop.status(receiptId)).toBe('tx_mismatch');
        await shop.makeDue(customer);
        expect((await shop.charge(customer)).body).toMatchObject({ reason: 'payment_underway' });
        await shop.ask(`mutation { acceptPayment(receiptId: "${receiptId}") { status } }`);
      }
      await shop.reach(receiptId, 'paid');
      await settled(customer);
      expect(await shop.subscription(customer), decide).toMatchObject(chargedOnce);
      expect(await shop.billed(customer)).toEqual(oneFee);
    }
  });

  test('also by coins from within a contract’s transaction, which has no hash of its own', async () => {
    const customer = await shop.subscribe();
    const receiptId = await shop.failCharge(customer);
    const [failed] = await shop.charges(customer);
    expect(failed!.transaction_hash).toMatch(/^0x/);
    const { payTo, amount } = await shop.quote(receiptId, 'ETH');
    // Creation code that destroys itself in favour of the address: coins without a transfer of their own.
    const call = { from: customer.wallet, data: `0x73${payTo.slice(2)}ff`, value: toHex(BigInt(amount)) };
    await shop.chain.control.impersonateAccount({ address: toAddress(customer.wallet) });
    await shop.chain.control.request({ method: 'eth_sendTransaction', params: [call] } as never);
    await shop.reach(receiptId, 'paid');
    await settled(customer);
    expect(await shop.read(receiptId)).toMatchObject({ transactionHash: null });
    expect(await shop.charges(customer)).toMatchObject([{ status: 'succeeded', transaction_hash: null }]);
    const read = `{ charges(first: 9) { nodes { receiptId transactionHash } } }`;
    const { nodes } = (await shop.ask(read)).body.data.charges;
    expect(nodes).toContainEqual({ receiptId, transactionHash: null });
    const hashes = await shop.rows(
      `select transaction_hash from billing_events where subscription_id = $1
       union all select transaction_hash from subscription_events where subscription_id = $1 and kind = 'charged'`,
      [customer.id],
    );
    expect(hashes).toEqual([{ transaction_hash: null }, { transaction_hash: null }]);
    expect(await shop.subscription(customer)).toMatchObject(chargedOnce);
    expect(await shop.billed(customer)).toEqual(oneFee);
  });

  test('in many calls and batches at once is charged never, and counted once', async () => {
    const customer = await shop.subscribe();
    const receiptId = await shop.failCharge(customer);
    await shop.makeDue(customer);
    await shop.pay(receiptId);
    const before = await shop.balanceOf(customer.wallet);
    const calls = Array.from({ length: 4 }, () => [shop.charge(customer), shop.batch()]).flat();
    await Promise.all([...calls, shop.scan()]);
    const charged = (await shop.balanceOf(customer.wallet)) < before;
    await shop.reach(receiptId, 'paid');
    await settled(customer);
    expect(await shop.subscription(customer)).toMatchObject(chargedOnce);
    expect(await shop.billed(customer)).toEqual(oneFee);
    // The payment was not known before the watcher had read its block.
    expect((await shop.unmatched()).length).toBe(charged ? 1 : 0);
  });
});

describe('a receipt of a charge', () => {
  test('is not voided while its charge is sent; a void of a failed one gives its period up', async () => {
    const customer = await shop.subscribe();
    const { receiptId, answer } = await shop.sendCharge(customer);
    const refused = await shop.void(receiptId);
    expect(codeOf(refused)).toBe('invalid_input');
    expect(refused.body.errors[0].message).toContain('a recurring charge was sent');
    await shop.automine(true);
    await shop.mine();
    expect((await answer).body).toMatchObject({ success: true });
    await shop.reach(receiptId, 'paid');
    expect(await shop.subscription(customer)).toMatchObject(chargedOnce);

    const other = await shop.subscribe();
    const failed = await shop.failCharge(other);
    await shop.makeDue(other);
    expect(codeOf(await shop.void(failed))).toBe(null);
    const before = await shop.balanceOf(other.wallet);
    const [charge] = await shop.charges(other);
    const nextChargeAt = Number(charge!.period_end) * 1_000;
    expect((await shop.charge(other)).body).toEqual({ success: false, reason: 'not_due', nextChargeAt });
    expect((await shop.batch()).body.processed).toBe(0);
    expect(await shop.balanceOf(other.wallet)).toBe(before);
    expect(await shop.subscription(other)).toMatchObject({ chargeCount: 0, nextChargeAt });
  });
});
