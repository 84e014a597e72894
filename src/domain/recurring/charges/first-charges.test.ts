import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { FIRST_CHARGE_QUEUE } from '../../../base/platform/jobs.ts';
import { createSubscription } from '../subscriptions/create-subscription.ts';
import { firstChargeOf } from '../subscriptions/first-charge.ts';
import { signPermission } from '../subscriptions/test/permits.ts';
import { chargeDueSubscriptions } from './charge-batch.ts';
import { chargeFirst } from './first-charges.ts';
import { type ChargingWorld, type Customer, openChargingWorld } from './test/charging.ts';
import { startChargeWorker } from './worker.ts';

let it: ChargingWorld;
beforeAll(async () => {
  it = await openChargingWorld();
});
afterAll(() => it?.stop());

type Merchant = Awaited<ReturnType<ChargingWorld['merchant']>>;

async function startWorker(): Promise<void> {
  const worker = await startChargeWorker({ ...it.deps, settings: { ...it.deps.settings, chargeSchedule: null } });
  onTestFinished(() => worker.stop());
}

/** A customer without a subscription that counts. */
async function customerOf(merchant: Merchant, options: { approved?: boolean } = {}): Promise<Customer> {
  const customer = await it.subscribe({ merchant, ...options });
  await it.rows('delete from subscriptions where id = $1', [customer.id]);
  return customer;
}

let salts = 1;

/** Subscribes as a customer does. */
async function create({ wallet, planId }: Merchant, { account, permission }: Customer, aheadS = 0) {
  const salt = String(++salts);
  const start = Math.floor((await it.now()) / 1000) + aheadS;
  const permissionData = { ...permission, salt, start, end: start + 365 * 86_400 };
  const { signature } = await signPermission(it.world.chain.chainId, it.key, account, permissionData);
  const caller = { kind: 'subscriber', merchant: wallet, planId } as const;
  const input = {
    ...{ planId, customerWallet: permission.account, permissionSignature: signature, permissionData },
    ...{ chainId: undefined, draftToken: undefined },
  };
  return { input, caller, made: await createSubscription(it.deps, caller, input, null) };
}

const jobs = () => it.rows<{ data: object }>('select data from jobs where queue = $1', [FIRST_CHARGE_QUEUE]);

test('a new subscription is active at once, and charged within ten seconds by two workers and a batch only once', async () => {
  const merchant = await it.merchant();
  const customer = await customerOf(merchant);
  await Promise.all([startWorker(), startWorker()]);
  const { made, input, caller } = await create(merchant, customer);
  expect(made).toMatchObject({ status: 'active', chargeCount: 0 });
  expect(firstChargeOf(made)).toBe('pending');
  // The same request again is the same subscription, and no second job.
  const [, again] = await Promise.all([
    chargeDueSubscriptions(it.deps),
    createSubscription(it.deps, caller, input, null),
  ]);
  expect(again.id).toBe(made.id);
  await vi.waitFor(async () => expect(firstChargeOf(await it.read(made.id))).toBe('done'), { timeout: 10_000 });
  await vi.waitFor(async () => expect(await jobs()).toEqual([]), { timeout: 10_000 });
  expect(await it.read(made.id)).toMatchObject({ status: 'active', chargeCount: 1, totalChargedCents: 1000 });
  const own = (await it.charged()).filter((each) => each.startsWith(made.permissionHash));
  expect(own).toHaveLength(1);
  expect(await it.balanceOf(merchant.split)).toBe(10_000_000n);
});

test('without a worker a subscription waits, and a worker that starts later charges it and each other one once', async () => {
  const merchant = await it.merchant();
  const customer = await customerOf(merchant);
  const made = await Promise.all(Array.from({ length: 5 }, () => create(merchant, customer)));
  expect(await jobs()).toHaveLength(5);
  expect(await it.balanceOf(merchant.split)).toBe(0n);
  await Promise.all([startWorker(), startWorker()]);
  await vi.waitFor(
    async () => {
      const read = await Promise.all(made.map(({ made: { id } }) => it.read(id)));
      expect(read.map(({ chargeCount }) => chargeCount)).toEqual([1, 1, 1, 1, 1]);
    },
    { timeout: 10_000 },
  );
  expect(await it.balanceOf(merchant.split)).toBe(50_000_000n);
});

test('a first charge that fails makes the subscription past due, and is not tried again before the next day', async () => {
  const merchant = await it.merchant();
  const customer = await customerOf(merchant, { approved: false });
  await startWorker();
  const { made } = await create(merchant, customer);
  await vi.waitFor(async () => expect(firstChargeOf(await it.read(made.id))).toBe('failed'), { timeout: 10_000 });
  await vi.waitFor(async () => expect(await jobs()).toEqual([]));
  const failed = await it.read(made.id);
  expect(failed).toMatchObject({
    status: 'past_due',
    attempts: 1,
    lastFailure: 'PORTAL_CHAIN_INSUFFICIENT_BALANCE',
    chargeCount: 0,
  });
  expect(failed.nextChargeAt).toBe(failed.pastDueSince! + 86_400_000);
});

test('a permission that starts later is charged when it starts by the chain’s time, and not before', async () => {
  const merchant = await it.merchant();
  const customer = await customerOf(merchant);
  await startWorker();
  const { made } = await create(merchant, customer, 3_600);
  const [job] = await it.rows<{ wait: number }>(
    `select due_at - floor(extract(epoch from now()) * 1000)::int8 as wait from jobs where queue = $1`,
    [FIRST_CHARGE_QUEUE],
  );
  expect(job!.wait).toBeGreaterThan(3_500_000);
  // Due by the database's clock, but not by the chain's.
  await it.rows('update jobs set due_at = 0 where queue = $1', [FIRST_CHARGE_QUEUE]);
  await vi.waitFor(async () => expect((await it.rows('select 1 from jobs where due_at > 0')).length).toBe(1));
  expect(firstChargeOf(await it.read(made.id))).toBe('pending');
  await it.pass(3_600);
  await vi.waitFor(async () => expect(firstChargeOf(await it.read(made.id))).toBe('done'), { timeout: 10_000 });
  expect(await it.balanceOf(merchant.split)).toBe(10_000_000n);
});

test('a first charge that the operator’s side prevents stays pending, and happens once that is over', async () => {
  const merchant = await it.merchant();
  const customer = await customerOf(merchant);
  const { made } = await create(merchant, customer);
  await it.rows('update merchants set suspended_at = 1 where wallet = $1', [merchant.wallet]);
  await startWorker();
  const claimed = () => it.rows<{ claims: number }>('select claims from jobs where queue = $1', [FIRST_CHARGE_QUEUE]);
  await vi.waitFor(async () => expect((await claimed())[0]?.claims).toBeGreaterThan(0));
  expect(await it.read(made.id)).toMatchObject({ status: 'active', attempts: 0, chargeCount: 0 });
  await it.rows('update merchants set suspended_at = null where wallet = $1', [merchant.wallet]);
  await vi.waitFor(async () => expect(firstChargeOf(await it.read(made.id))).toBe('done'), { timeout: 10_000 });
});

test('a subscription that is cancelled before its first charge is never charged', async () => {
  const merchant = await it.merchant();
  const customer = await customerOf(merchant);
  const { made } = await create(merchant, customer);
  await it.rows(`update subscriptions set status = 'cancelled', next_charge_at = null where id = $1`, [made.id]);
  await startWorker();
  await vi.waitFor(async () => expect(await jobs()).toEqual([]));
  expect(firstChargeOf(await it.read(made.id))).toBe('failed');
  expect(await it.balanceOf(merchant.split)).toBe(0n);
});

test('a first charge whose time has not come is enqueued again only if the jobs are not repeated', async () => {
  const [paying, suspended] = [await it.merchant(), await it.merchant()];
  const early = await create(paying, await customerOf(paying), 3_600);
  const prevented = await create(suspended, await customerOf(suspended));
  await it.rows('update merchants set suspended_at = 1 where wallet = $1', [suspended.wallet]);
  const subscriptions = [early, prevented].map(({ made: { id } }) => ({ subscriptionId: id }));
  const before = await jobs();
  const signal = new AbortController().signal;
  await expect(chargeFirst(it.deps, subscriptions, signal)).rejects.toThrow('merchant_suspended');
  expect(await jobs()).toHaveLength(before.length);
  await chargeFirst(it.deps, subscriptions.slice(0, 1), signal);
  expect(await jobs()).toHaveLength(before.length + 1);
});
