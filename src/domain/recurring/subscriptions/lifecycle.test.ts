import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase } from '../../../../test/support/database.ts';
import { entities } from '../../../app/entities.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { createLocalBus } from '../../../base/platform/bus.ts';
import type { Settings } from '../../../base/platform/deps.ts';
import { createOrm, type Orm } from '../../../base/platform/orm.ts';
import { transact } from '../../../base/platform/unit-of-work.ts';
import { CHANGES, changeSubscriptions } from './change-subscriptions.ts';
import { SUBSCRIPTION, type SubscriptionStatus } from './lifecycle.ts';
import { type Subscription, SubscriptionEventSchema, SubscriptionSchema } from './subscription.entity.ts';

const MERCHANT = `0x${'1'.repeat(40)}` as Wallet;
const AT_MS = 7_000;

let orm: Orm;
let drop: () => Promise<void>;
beforeAll(async () => {
  const database = await createDatabase();
  drop = database.drop;
  orm = await createOrm(database.databaseUrl, entities);
});
afterAll(async () => {
  await orm?.close();
  await drop?.();
});

let count = 0;
async function subscriptionThatIs(status: SubscriptionStatus): Promise<string> {
  const id = `sub_${++count}`;
  await orm.em.fork().insert(SubscriptionSchema, {
    ...{ merchant: MERCHANT, id, planId: 'plan', customer: MERCHANT, priceCents: 1000, period: 'WEEKLY', status },
    ...{ chainId: 31_337, token: MERCHANT, permissionHash: `0x${count}`, sealedSignature: '' },
    permission: { end: 100 } as Subscription['permission'],
    ...{ nextChargeAt: 5_000, lastChargedAt: 4_000, chargeCount: 3, totalChargedCents: 3000, attempts: 1 },
    ...{ lastFailure: 'PORTAL_CHAIN_TX_REVERTED', pastDueSince: 4_500, createdAt: 1, updatedAt: 1 },
  });
  return id;
}

const change = (kind: keyof typeof CHANGES, subscriptionId: string) =>
  transact(orm, (uow) =>
    changeSubscriptions(
      { bus: createLocalBus(), clock: () => AT_MS + 1, settings: { mail: null } as Settings },
      uow,
      kind,
      [
        {
          ...{ merchant: MERCHANT, subscriptionId, at: AT_MS, chargeId: 'charge', amountCents: 1000, feeCents: 5 },
          ...{ failure: 'PORTAL_CHAIN_TX_REVERTED', nextChargeAt: 4_200, lastChargedAt: 3_000 },
        },
      ],
    ),
  );

const read = (id: string) => orm.em.fork().findOneOrFail(SubscriptionSchema, { merchant: MERCHANT, id });
const eventsOf = async (subscriptionId: string) => {
  const events = await orm.em
    .fork()
    .find(SubscriptionEventSchema, { subscriptionId }, { orderBy: { position: 'asc' } });
  return events.map(({ kind, status, at, failure }) => ({ kind, status, at, failure }));
};

const kinds = Object.keys(CHANGES) as (keyof typeof CHANGES)[];
const pairs = kinds.flatMap((kind) => SUBSCRIPTION.statuses.map((from) => [kind, from] as const));

test('every move of the table has a change, and every change follows the table', () => {
  const made = new Set(
    kinds.flatMap((kind) => CHANGES[kind].from.map((from) => `${from} → ${CHANGES[kind].to ?? from}`)),
  );
  for (const from of SUBSCRIPTION.statuses)
    for (const to of SUBSCRIPTION.moves[from]) expect(made).toContain(`${from} → ${to}`);
  for (const { from, to } of Object.values(CHANGES))
    if (to !== null) expect(from.every((status) => SUBSCRIPTION.mayMove(status, to))).toBe(true);
});

test.each(pairs)(
  '%s on a subscription that is %s moves it as the table says, or changes nothing',
  async (kind, from) => {
    const id = await subscriptionThatIs(from);
    const before = await read(id);
    const { to, from: allowed, events } = CHANGES[kind];
    const changed = await change(kind, id);
    const isAllowed = to === null ? (allowed as readonly string[]).includes(from) : SUBSCRIPTION.mayMove(from, to);
    if (!isAllowed) {
      expect(changed.size).toBe(0);
      expect(await read(id)).toEqual(before);
      expect(await eventsOf(id)).toEqual([]);
      return;
    }
    expect([...changed]).toEqual([id]);
    expect(await read(id)).toMatchObject({ status: to ?? from, updatedAt: AT_MS + 1 });
    const event = { status: to ?? from, at: AT_MS, failure: 'PORTAL_CHAIN_TX_REVERTED' };
    expect(await eventsOf(id)).toEqual(events.map((one) => ({ ...event, kind: one })));
  },
);

test('each change sets its columns', async () => {
  const after = async (kind: keyof typeof CHANGES, from: SubscriptionStatus) => {
    const id = await subscriptionThatIs(from);
    await change(kind, id);
    return read(id);
  };
  const charged = { chargeCount: 4, totalChargedCents: 4000, lastChargedAt: AT_MS, attempts: 0, lastFailure: null };
  expect(await after('charged', 'past_due')).toMatchObject({ ...charged, pastDueSince: null, nextChargeAt: 4_200 });
  expect(await after('chargedAfterEnd', 'cancelled')).toMatchObject({ ...charged, nextChargeAt: 5_000 });
  const earlier = { chargeCount: 4, totalChargedCents: 4000, lastChargedAt: AT_MS, attempts: 1, nextChargeAt: 5_000 };
  expect(await after('chargedEarlier', 'past_due')).toMatchObject({ ...earlier, pastDueSince: 4_500 });
  const waived = { chargeCount: 3, attempts: 0, lastFailure: null, pastDueSince: null, nextChargeAt: 4_200 };
  expect(await after('chargeWaived', 'past_due')).toMatchObject({ ...waived, lastChargedAt: 4_000 });
  const undone = { chargeCount: 2, totalChargedCents: 2000, lastChargedAt: 3_000 };
  expect(await after('chargeUndone', 'active')).toMatchObject({ ...undone, nextChargeAt: 4_200 });
  expect(await after('chargeUndone', 'expired')).toMatchObject({ ...undone, nextChargeAt: null });
  expect(await after('chargeFailed', 'active')).toMatchObject({
    attempts: 2,
    pastDueSince: 4_500,
    nextChargeAt: 4_200,
  });
  expect(await after('cancelled', 'active')).toMatchObject({ cancelledAt: AT_MS, revokedAt: null, nextChargeAt: null });
  expect(await after('revoked', 'active')).toMatchObject({ cancelledAt: AT_MS, revokedAt: AT_MS, nextChargeAt: null });
  expect(await after('expired', 'past_due')).toMatchObject({ cancelledAt: null, nextChargeAt: null });
});
