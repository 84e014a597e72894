import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { pausePayments, resumePayments } from '../../payments/quotes/pauses.ts';
import { chargeDueSubscriptions } from './charge-batch.ts';
import { chargeSubscription } from './run-charges.ts';
import { type ChargingWorld, openChargingWorld } from './test/charging.ts';

let it: ChargingWorld;
beforeAll(async () => {
  it = await openChargingWorld();
});
afterAll(() => it?.stop());

test.each([
  ['token', 'USDC'],
  ['chain', null],
])('a subscription in a paused %s is not charged and stays due; after the pause it is charged', async (_, token) => {
  const merchant = await it.merchant();
  const { id } = await it.subscribe({ merchant });
  const before = await it.read(id);
  onTestFinished(() => resumePayments(it.deps, { chainId: null, token }).then(() => {}));
  await pausePayments(it.deps, { chainId: null, token }, 'depeg');
  await expect(chargeSubscription(it.deps, id)).rejects.toMatchObject({
    code: 'charge_failed',
    extra: { reason: 'payments_paused' },
  });
  const { results } = await chargeDueSubscriptions(it.deps);
  expect(results).toContainEqual(
    expect.objectContaining({ subscriptionId: id, success: false, reason: 'payments_paused' }),
  );
  const { status, nextChargeAt, attempts } = await it.read(id);
  expect({ status, nextChargeAt, attempts }).toEqual({
    status: 'active',
    nextChargeAt: before.nextChargeAt,
    attempts: 0,
  });
  expect(await it.rows('select 1 from charges where subscription_id = $1', [id])).toEqual([]);

  await resumePayments(it.deps, { chainId: null, token });
  expect(await chargeSubscription(it.deps, id)).toMatchObject({ success: true });
  expect(await it.balanceOf(merchant.split)).toBe(10_000_000n);
});

test('a pause of another token does not stop a charge', async () => {
  const { id } = await it.subscribe({ merchant: await it.merchant() });
  await pausePayments(it.deps, { chainId: null, token: 'USDT' }, 'depeg');
  expect(await chargeSubscription(it.deps, id)).toMatchObject({ success: true });
});
