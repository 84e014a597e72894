import { afterAll, beforeAll, expect, test } from 'vitest';
import { busyMs } from '../../../../test/support/busy.ts';
import { toAddress } from '../../../base/chain/address.ts';
import { chargeDueSubscriptions } from './charge-batch.ts';
import { chargeSubscription } from './run-charges.ts';
import { type ChargingWorld, openChargingWorld } from './test/charging.ts';

const WEEK_S = 7 * 86_400;

let it: ChargingWorld;
beforeAll(async () => {
  it = await openChargingWorld();
});
afterAll(() => it?.stop());

/** Leaves the wallet too little for any gas; the returned function restores its balance. */
async function takeCoins(): Promise<() => Promise<void>> {
  const { chain, control } = it.world;
  const address = toAddress(it.key.sender);
  const value = await chain.client.getBalance({ address });
  await control.setBalance({ address, value: 1n });
  return () => control.setBalance({ address, value });
}

// In the first case the charging contract is not deployed yet.
test.each(['at its very first charge', 'later'])(
  'a wallet without coins for gas, %s, charges no customer and marks none past due; once funded it charges what is due',
  async () => {
    const merchant = await it.merchant();
    const customer = await it.subscribe({ merchant });
    const alerts: unknown[] = [];
    const log = Object.assign(Object.create(it.deps.log), { error: (fields: unknown) => alerts.push(fields) });
    const deps = { ...it.deps, log };
    const giveBack = await takeCoins();
    const begun = performance.now();
    await expect(chargeSubscription(deps, customer.id)).rejects.toMatchObject({
      code: 'charge_failed',
      extra: { reason: 'spender_out_of_funds' },
    });
    expect(performance.now() - begun).toBeLessThan(busyMs(5_000));
    expect(alerts).toEqual([{ alert: 'spender_out_of_funds', sender: it.key.sender, chainId: 31_337 }]);
    expect(await chargeDueSubscriptions(deps)).toMatchObject({
      failed: 1,
      results: [{ subscriptionId: customer.id, success: false, reason: 'spender_out_of_funds' }],
    });
    expect(await it.read(customer.id)).toMatchObject({ status: 'active', attempts: 0, lastFailure: null });
    expect(await it.rows('select 1 from charges where subscription_id = $1', [customer.id])).toEqual([]);

    await giveBack();
    expect(await chargeDueSubscriptions(it.deps)).toMatchObject({ processed: 1, succeeded: 1 });
    expect(await it.balanceOf(merchant.split)).toBe(10_000_000n);
  },
);

// Contract: money.charges, limits.charge
test.each([
  ['a plain wallet', false],
  ['a smart account', true],
])(
  '%s is charged the price of one period, which goes to the split, with a fee of half a percent of it',
  async (_, contract) => {
    const merchant = await it.merchant();
    const customer = await it.subscribe({ merchant, contract });
    const result = await chargeSubscription(it.deps, customer.id);
    expect(result).toEqual({
      subscriptionId: customer.id,
      success: true,
      chargeId: expect.stringMatching(/^charge_/),
      transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      amountUsd: 10,
      feeUsd: 0.05,
      nextChargeAt: (customer.permission.start + WEEK_S) * 1000,
      reason: null,
      failureCode: null,
    });
    expect(await it.balanceOf(merchant.split)).toBe(10_000_000n);
    expect(await it.balanceOf(customer.wallet)).toBe(990_000_000n);
    expect(await it.balanceOf(it.key.charger.address)).toBe(0n);
    expect(await it.read(customer.id)).toMatchObject({ status: 'active', chargeCount: 1, totalChargedCents: 1000 });
    expect(
      await it.rows('select amount_cents, fee_cents, charge_id from billing_events where merchant = $1', [
        merchant.wallet,
      ]),
    ).toEqual([{ amount_cents: 1000, fee_cents: 5, charge_id: result.chargeId }]);
  },
);

test('the batch charges every due subscription once', async () => {
  const merchant = await it.merchant();
  const customers: { id: string }[] = [];
  for (let i = 0; i < 5; i++) customers.push(await it.subscribe({ merchant, contract: i % 2 === 0 }));
  const report = await chargeDueSubscriptions(it.deps);
  expect(report).toMatchObject({ processed: 5, succeeded: 5, failed: 0 });
  expect(await chargeDueSubscriptions(it.deps)).toMatchObject({ processed: 0 });
  expect(await it.balanceOf(merchant.split)).toBe(50_000_000n);
  await it.pass(WEEK_S);
  const later = await chargeDueSubscriptions(it.deps);
  expect(
    later.results
      .filter(({ subscriptionId }) => customers.some(({ id }) => id === subscriptionId))
      .every(({ success }) => success),
  ).toBe(true);
  expect(await it.balanceOf(merchant.split)).toBe(100_000_000n);
});

test('a subscription whose stored signature cannot be opened fails alone', async () => {
  const merchant = await it.merchant();
  const customers = [await it.subscribe({ merchant }), await it.subscribe({ merchant })];
  const [broken, other] = customers;
  await it.rows(`update subscriptions set sealed_signature = 'x' where id = $1`, [broken!.id]);
  const { results } = await chargeDueSubscriptions(it.deps);
  const outcomes = customers.map(({ id }) => results.find(({ subscriptionId }) => subscriptionId === id));
  expect(outcomes).toMatchObject([{ success: false, reason: 'failed' }, { success: true }]);
  expect(await it.read(broken!.id)).toMatchObject({ status: 'active', attempts: 0 });
  await expect(chargeSubscription(it.deps, broken!.id)).rejects.toMatchObject({ extra: { reason: 'failed' } });
  expect(await chargeSubscription(it.deps, other!.id)).toMatchObject({ reason: 'not_due' });
  await it.rows(`update subscriptions set status = 'cancelled', next_charge_at = null where id = $1`, [broken!.id]);
});

test('a period whose charge is on the chain only is not reported as charged by an earlier charge', async () => {
  const merchant = await it.merchant();
  const { id } = await it.subscribe({ merchant });
  const first = await chargeSubscription(it.deps, id);
  await it.pass(WEEK_S);
  const due = (await it.read(id)).nextChargeAt;
  const { chargeId } = await chargeSubscription(it.deps, id);
  expect(chargeId).not.toBe(first.chargeId);
  // As after a restore of an older database.
  await it.rows(`delete from billing_events where charge_id = $1`, [chargeId]);
  await it.rows(`delete from spender_transactions where subject_id = $1`, [chargeId]);
  await it.rows(`delete from charges where id = $1`, [chargeId]);
  await it.rows(`update subscriptions set next_charge_at = $2, charge_count = 1 where id = $1`, [id, due]);
  expect(await chargeSubscription(it.deps, id)).toMatchObject({ success: false, chargeId: null, reason: 'not_due' });
});
