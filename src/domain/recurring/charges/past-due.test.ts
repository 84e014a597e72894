import { encodeFunctionData, erc20Abi } from 'viem';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { toAddress } from '../../../base/chain/address.ts';
import { createSender } from '../../../base/chain/sender.ts';
import { revokeAsAccountTransaction } from '../../../base/chain/spend-permissions.ts';
import { openWallet } from '../../../base/onchain/spender/spender-key.ts';
import { REVOKE_QUEUE } from '../../../base/platform/jobs.ts';
import { deployAll } from '../../payments/test/deploy-all.ts';
import { createSettler } from '../../settlement/shares/settle.ts';
import { noticeExpiry, noticeRevocations } from '../subscriptions/notice-endings.ts';
import { chargeDueSubscriptions } from './charge-batch.ts';
import { follow } from './record-outcomes.ts';
import { chargeSubscription } from './run-charges.ts';
import { type ChargingWorld, type Customer, openChargingWorld } from './test/charging.ts';
import { revokeAsSpender, UNCHARGED_REVOKED_PER_DAY } from './worker.ts';

const DAY_S = 86_400;
const DAY_MS = DAY_S * 1000;
const WEEK_S = 7 * DAY_S;

let it: ChargingWorld;
beforeAll(async () => {
  it = await openChargingWorld();
});
afterAll(() => it?.stop());

const failed = (reason: string, more: object = {}) =>
  expect.objectContaining({
    code: 'charge_failed',
    status: 502,
    extra: expect.objectContaining({ reason, ...more }),
  });

test('a customer who cannot pay becomes past due and is retried on days 1, 3, 5 and 7 of block time, then expires', async () => {
  const merchant = await it.merchant();
  const customer = await it.subscribe({ merchant, period: 'MONTHLY', approved: false });
  const moments: number[] = [];
  for (const days of [1, 2, 2, 2]) {
    const thrown = await chargeSubscription(it.deps, customer.id).catch((error: unknown) => error);
    expect(thrown).toEqual(failed('declined', { failureCode: 'PORTAL_CHAIN_INSUFFICIENT_BALANCE' }));
    const { status, nextChargeAt, lastFailure } = await it.read(customer.id);
    expect({ status, lastFailure }).toEqual({ status: 'past_due', lastFailure: 'PORTAL_CHAIN_INSUFFICIENT_BALANCE' });
    moments.push(nextChargeAt!);
    expect(await chargeSubscription(it.deps, customer.id)).toMatchObject({
      success: false,
      reason: 'not_due',
      nextChargeAt,
    });
    await it.pass(days * DAY_S);
  }
  const since = (await it.read(customer.id)).pastDueSince!;
  expect(moments.map((at) => (at - since) / DAY_MS)).toEqual([1, 3, 5, 7]);
  await expect(chargeSubscription(it.deps, customer.id)).rejects.toEqual(failed('declined'));
  expect(await it.read(customer.id)).toMatchObject({ status: 'expired', nextChargeAt: null, chargeCount: 0 });
  await expect(chargeSubscription(it.deps, customer.id)).rejects.toMatchObject({ code: 'subscription_not_active' });
  const events = await it.rows<{ kind: string }>(
    'select kind from subscription_events where subscription_id = $1 order by position',
    [customer.id],
  );
  expect(events.map(({ kind }) => kind)).toEqual([...Array(5).fill('charge_failed'), 'expired']);
});

test('a customer who can pay again pays one period, not the missed ones', async () => {
  const merchant = await it.merchant();
  const customer = await it.subscribe({ merchant, tokens: 0n });
  await expect(chargeSubscription(it.deps, customer.id)).rejects.toEqual(failed('declined'));
  await it.mint(customer.wallet, 100_000_000n);
  await it.pass(2 * WEEK_S);
  expect(await chargeSubscription(it.deps, customer.id)).toMatchObject({ success: true });
  expect(await chargeSubscription(it.deps, customer.id)).toMatchObject({ success: false, reason: 'not_due' });
  expect(await it.balanceOf(merchant.split)).toBe(10_000_000n);
  expect(await it.read(customer.id)).toMatchObject({
    status: 'active',
    attempts: 0,
    lastFailure: null,
    chargeCount: 1,
  });
});

test('fifty concurrent calls charge one period once and report the same transaction', async () => {
  const merchant = await it.merchant();
  const customer = await it.subscribe({ merchant, contract: true });
  const results = await Promise.all(
    Array.from({ length: 50 }, () => chargeSubscription(it.deps, customer.id).catch((error) => error.extra)),
  );
  const charged = results.filter(({ success }) => success);
  expect(charged.length).toBeGreaterThan(0);
  expect(new Set(charged.map(({ transactionHash }) => transactionHash)).size).toBe(1);
  expect(await it.balanceOf(merchant.split)).toBe(10_000_000n);
});

test('a revocation on the chain ends the subscription at the next check or at the next charge', async () => {
  const merchant = await it.merchant();
  for (const notice of ['look', 'charge']) {
    const customer = await it.subscribe({ merchant });
    const sender = createSender(it.world.chain, customer.privateKey);
    const { hash } = await sender.send(revokeAsAccountTransaction(it.key.manager, customer.permission));
    await sender.waitFor(hash!);
    if (notice === 'look') await noticeRevocations(it.deps, it.key);
    else await expect(chargeSubscription(it.deps, customer.id)).rejects.toEqual(failed('revoked'));
    expect(await it.read(customer.id), notice).toMatchObject({
      status: 'cancelled',
      nextChargeAt: null,
      revokedAt: expect.any(Number),
    });
  }
  expect(await it.balanceOf(merchant.split)).toBe(0n);
});

test('the spender revokes a permission with its own nonce sequence and records when the revocation is on chain', async () => {
  const merchant = await it.merchant();
  const customer = await it.subscribe({ merchant });
  const job = { merchant: merchant.wallet, subscriptionId: customer.id };
  await expect.poll(() => revokeAsSpender(it.deps, job)).toBe(true);
  expect((await it.read(customer.id)).revokedAt).toEqual(expect.any(Number));
});

test('a permission that was never charged is revoked later once the gas of the day is used up', async () => {
  const merchant = await it.merchant();
  const [charged, never] = [await it.subscribe({ merchant }), await it.subscribe({ merchant })];
  await chargeSubscription(it.deps, charged.id);
  await it.rows(
    `insert into spender_transactions (chain_id, sender, nonce, purpose, merchant, subject_id, state, created_at, updated_at)
     select $1, $2, -n, 'revoke', $3, 'earlier-' || n, 'final', $4, $4 from generate_series(1, $5::int) n`,
    [it.world.chain.chainId, it.key.sender, merchant.wallet, it.deps.clock(), UNCHARGED_REVOKED_PER_DAY],
  );
  onTestFinished(async () => void (await it.rows('delete from spender_transactions where nonce < 0')));
  const revoke = ({ id }: Customer) =>
    expect.poll(() => revokeAsSpender(it.deps, { merchant: merchant.wallet, subscriptionId: id })).toBe(true);
  await revoke(charged);
  await revoke(never);
  expect((await it.read(charged.id)).revokedAt).toEqual(expect.any(Number));
  expect((await it.read(never.id)).revokedAt).toBeNull();
  const later = `select from jobs where queue = $1 and data ->> 'subscriptionId' = $2 and due_at > $3`;
  expect(await it.rows(later, [REVOKE_QUEUE, never.id, Date.now() + 3_600_000])).toHaveLength(1);
});

test('an expired permission ends the subscription', async () => {
  const merchant = await it.merchant();
  const start = Math.floor((await it.now()) / 1000);
  const customer = await it.subscribe({ merchant, permission: { start, end: start + WEEK_S + 1 } });
  await chargeSubscription(it.deps, customer.id);
  await it.pass(WEEK_S + 2);
  await noticeExpiry(it.deps);
  expect(await it.read(customer.id)).toMatchObject({ status: 'expired', chargeCount: 1 });
});

test('a charge’s receipt is paid by the charge’s own transfer and settled like any other', async () => {
  const merchant = await it.merchant();
  const customer = await it.subscribe({ merchant });
  await it.world.look();
  const { transactionHash } = await chargeSubscription(it.deps, customer.id);
  const [charge] = await it.rows<{ receipt_id: string }>('select receipt_id from charges where subscription_id = $1', [
    customer.id,
  ]);
  const id = charge!.receipt_id;
  expect(await it.world.status(merchant.wallet, id)).toBe('pending');
  await it.world.look();
  expect(await it.world.read(merchant.wallet, id)).toMatchObject({
    status: 'tx_mined',
    origin: 'charge',
    transactionHash,
    buyerWallet: customer.wallet,
    paidAmount: '10000000',
  });
  await it.world.mine(3);
  const { cursor } = await it.world.look();
  expect(await it.world.status(merchant.wallet, id)).toBe('paid');
  const settler = createSettler(it.deps, openWallet('settlement', it.deps.settings.settlementPrivateKey!));
  // Nothing is released from a split before its deployment has its confirmations.
  await deployAll(it.world);
  await settler(cursor.confirmed);
  await it.world.mine(4);
  await settler((await it.world.look()).cursor.confirmed);
  expect(await it.world.status(merchant.wallet, id)).toBe('completed');
});

/** Waits until the charge of a subscription is recorded as sent to a node. */
const sent = (subscriptionId: string) =>
  expect
    .poll(
      () =>
        it.rows(
          'select 1 from spender_transactions t join charges c on c.id = t.subject_id where c.subscription_id = $1 and t.sent_block is not null',
          [subscriptionId],
        ),
      { timeout: 60_000, interval: 10 },
    )
    .toHaveLength(1);

test('a transaction that the node has dropped is sent again with a higher fee, and every form pays the same receipt', async () => {
  const { control } = it.world;
  const merchant = await it.merchant();
  const customer = await it.subscribe({ merchant });
  await control.setAutomine(false);
  try {
    const charging = chargeSubscription(it.deps, customer.id);
    await sent(customer.id);
    const [first] = await it.rows<{ hash: `0x${string}` }>(
      'select transaction_hash as hash from charges where subscription_id = $1',
      [customer.id],
    );
    await control.dropTransaction({ hash: first!.hash });
    await control.mine({ blocks: 12 });
    await follow(it.deps, it.key);
    await control.mine({ blocks: 1 });
    const { transactionHash, success } = await charging;
    expect(success).toBe(true);
    expect(transactionHash).not.toBe(first!.hash);
    const bound = await it.rows<{ receipt_id: string }>(
      'select receipt_id from bound_transactions where transaction_hash = any($1)',
      [[first!.hash, transactionHash]],
    );
    expect(bound).toHaveLength(2);
    expect(new Set(bound.map(({ receipt_id }) => receipt_id)).size).toBe(1);
  } finally {
    await control.setAutomine(true);
  }
});

test('a transaction whose period has ended is replaced by a void one, and the next period is charged', async () => {
  const { control } = it.world;
  const merchant = await it.merchant();
  const customer = await it.subscribe({ merchant });
  await control.setAutomine(false);
  const charging = chargeSubscription(it.deps, customer.id).catch((error: { extra: unknown }) => error.extra);
  await sent(customer.id);
  const [first] = await it.rows<{ hash: `0x${string}` }>(
    'select transaction_hash as hash from charges where subscription_id = $1',
    [customer.id],
  );
  await control.dropTransaction({ hash: first!.hash });
  await it.pass(WEEK_S);
  await follow(it.deps, it.key);
  await control.setAutomine(true);
  await control.mine({ blocks: 1 });
  await charging;
  expect(await it.balanceOf(merchant.split)).toBe(0n);
  expect(await it.read(customer.id)).toMatchObject({ status: 'active', attempts: 0 });
  await chargeDueSubscriptions(it.deps);
  expect(await it.balanceOf(merchant.split)).toBe(10_000_000n);
});

test('a transaction that is mined after its period is no failure of the customer, and the next period is charged', async () => {
  const { control } = it.world;
  const merchant = await it.merchant();
  const customer = await it.subscribe({ merchant });
  await control.setAutomine(false);
  const charging = chargeSubscription(it.deps, customer.id).catch((error: { extra: unknown }) => error.extra);
  await sent(customer.id);
  await it.pass(WEEK_S);
  await control.setAutomine(true);
  await control.mine({ blocks: 1 });
  await follow(it.deps, it.key);
  await charging;
  expect(await it.balanceOf(merchant.split)).toBe(0n);
  expect(await it.read(customer.id)).toMatchObject({ status: 'active', attempts: 0 });
  await chargeDueSubscriptions(it.deps);
  expect(await it.balanceOf(merchant.split)).toBe(10_000_000n);
});

test('a charge recorded as voided that is on the chain is found again and not charged twice', async () => {
  const merchant = await it.merchant();
  const customer = await it.subscribe({ merchant });
  const { chargeId } = await chargeSubscription(it.deps, customer.id);
  await it.rows(
    `with given_up as (
       update spender_transactions set state = 'final', outcome = 'voided' where subject_id = $1 returning 1
     ), failed as (
       update charges set status = 'failed' where id = $1 returning 1
     ), unbilled as (
       delete from billing_events where charge_id = $1
     )
     update subscriptions set charge_count = 0, total_charged_cents = 0, next_charge_at = $3 where id = $2`,
    [chargeId, customer.id, customer.permission.start * 1000],
  );
  expect(await chargeSubscription(it.deps, customer.id)).toMatchObject({ success: true, chargeId });
  expect(await it.read(customer.id)).toMatchObject({ chargeCount: 1, totalChargedCents: 1000 });
  expect(await it.balanceOf(merchant.split)).toBe(10_000_000n);
});

test('a customer who cannot pay any more while a charge is underway fails once: by the outcome of that charge', async () => {
  const { control } = it.world;
  const merchant = await it.merchant();
  const customer = await it.subscribe({ merchant });
  await control.setAutomine(false);
  onTestFinished(() => control.setAutomine(true));
  const charging = chargeSubscription(it.deps, customer.id).catch((error: unknown) => error);
  await sent(customer.id);
  const [{ hash }] = (await it.rows<{ hash: `0x${string}` }>(
    'select transaction_hash as hash from charges where subscription_id = $1',
    [customer.id],
  )) as [{ hash: `0x${string}` }];
  await control.dropTransaction({ hash });
  const sender = createSender(it.world.chain, customer.privateKey);
  const args = [toAddress(merchant.wallet), await it.balanceOf(customer.wallet)] as const;
  await sender.send({ to: it.usdc, data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }) });
  await control.mine({ blocks: 1 });
  expect(await charging).toEqual(failed('pending'));
  await expect(chargeSubscription(it.deps, customer.id)).rejects.toEqual(failed('pending'));
  expect(await it.read(customer.id)).toMatchObject({ status: 'active', attempts: 0 });

  await control.mine({ blocks: 12 });
  await follow(it.deps, it.key);
  await control.mine({ blocks: 1 });
  await follow(it.deps, it.key);
  const { status, attempts, nextChargeAt, pastDueSince } = await it.read(customer.id);
  expect({ status, attempts, waits: nextChargeAt! - pastDueSince! }).toEqual({
    ...{ status: 'past_due', attempts: 1 },
    waits: DAY_MS,
  });
});
