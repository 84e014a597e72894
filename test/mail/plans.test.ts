import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { changeSubscriptions } from '../../src/domain/recurring/subscriptions/change-subscriptions.ts';
import { remindOfCharges } from '../../src/domain/recurring/subscriptions/contact.ts';
import { resendMail } from '../../src/domain/webhooks/mail/mails.ts';
import { makePlan, type TestPlan } from '../support/subscriber.ts';
import { type MailShop, openMailShop } from './shop.ts';

const DAY_MS = 86_400_000;

let world: MailShop;
let plan: TestPlan;
beforeAll(async () => {
  world = await openMailShop({ MAILS_PER_DAY: '10000' });
  plan = await makePlan(world.server, world.shop);
  await world.run('update plans set reminder_days = 3');
});
afterAll(() => world.stop());
beforeEach(() => world.empty('subscription_events', 'subscriptions'));

/** Active subscriptions with an address, charged before as often as given, whose next charge is due in two days. */
async function subscribe({ chargeCount = 0, count = 1 } = {}): Promise<readonly string[]> {
  const { wallet } = world.shop;
  const rows = await world.run(
    `insert into subscriptions (merchant, id, plan_id, customer, price_cents, period, chain_id, token, permission,
       permission_hash, sealed_signature, status, next_charge_at, charge_count, email, language, created_at, updated_at)
     select ?, 'sub' || i, ?, ?, 1450, 'MONTHLY', 1, ?, '{"end": 99999999999}', 'hash' || i, '', 'active', ?, ?,
            'sub' || i || '@example.com', 'en', 1, 1 from generate_series(1, ?) i returning id`,
    [wallet, plan.planId, wallet, wallet, world.now.ms + 2 * DAY_MS, chargeCount, count],
  );
  return rows.map(({ id }) => id as string);
}

let at = 0;
const change = (kind: Parameters<typeof changeSubscriptions>[2], more: object, ids: readonly string[] = ['sub1']) => {
  at += 1;
  const changes = ids.map((subscriptionId) => ({ merchant: world.shop.wallet, subscriptionId, at, ...more }));
  return world.deps.db.transaction((uow) => changeSubscriptions(world.deps, uow, kind, changes));
};
const charged = (nextInDays = 30) =>
  change('charged', {
    ...{ chargeId: `c${at}`, amountCents: 1450, feeCents: 0 },
    nextChargeAt: world.now.ms + nextInDays * DAY_MS,
  });
const failed = () => change('chargeFailed', { failure: 'insufficient_funds', nextChargeAt: world.now.ms + DAY_MS });

/** Each message by its kind and what became of it, once none waits. */
async function ends(): Promise<readonly string[]> {
  world.work();
  const all = await world.until((mails) => mails.every(({ state }) => state !== 'pending'));
  return all.map(({ kind, state }) => `${kind.replace('subscription_', '')} ${state}`).sort();
}

/** What happens while no message can be sent, and what is sent of it. */
const ORDERS: Readonly<Record<string, readonly [() => Promise<unknown>, readonly string[]]>> = {
  'a first charge': [() => charged(), ['charged sent', 'started sent']],
  'a failure, and a retry that succeeds': [
    async () => [await subscribed(1), await failed(), await charged()],
    ['charged sent', 'failed dropped'],
  ],
  'three failures': [
    async () => [await subscribed(1), await failed(), await failed(), await failed()],
    ['failed dropped', 'failed dropped', 'failed sent'],
  ],
  'a failure, a success and a failure': [
    async () => [await subscribed(1), await failed(), await charged(), await failed()],
    ['charged sent', 'failed dropped', 'failed sent'],
  ],
  'a start, and its end': [
    async () => [await charged(), await change('cancelled', {})],
    ['charged sent', 'ended sent', 'started dropped'],
  ],
  'a failure, and the end': [
    async () => [await subscribed(1), await failed(), await change('lastChargeFailed', { failure: 'x' })],
    ['ended sent', 'failed dropped'],
  ],
  'a reminder': [async () => [await subscribed(1), await remindOfCharges(world.deps)], ['upcoming sent']],
  'a reminder, and its charge': [
    // Another charge comes, of which its own reminder tells.
    async () => [await subscribed(1), await remindOfCharges(world.deps), await charged()],
    ['charged sent', 'upcoming dropped'],
  ],
  'a reminder, and an end': [
    async () => [await subscribed(1), await remindOfCharges(world.deps), await change('revoked', {})],
    ['ended sent', 'upcoming dropped'],
  ],
  'a charge that is undone': [
    async () => [await charged(), await change('chargeUndone', { amountCents: 1450, nextChargeAt: world.now.ms })],
    ['charged dropped', 'started dropped'],
  ],
};

const subscribed = (chargeCount: number) => world.run('update subscriptions set charge_count = ?', [chargeCount]);

test.each(Object.keys(ORDERS))('%s while the server was away: what became stale is not sent', async (order) => {
  await subscribe();
  const [happens, sent] = ORDERS[order]!;
  await happens();
  expect(await ends()).toEqual(sent);
  expect(world.smtp.arrived).toHaveLength(sent.filter((one) => one.endsWith('sent')).length);
});

test('a subscription that is cancelled while its message is under way hears of the end next', async () => {
  await subscribe({ chargeCount: 1 });
  let isFirst = true;
  world.smtp.refuse = async (step) => {
    if (step === 'rcpt' && isFirst) {
      isFirst = false;
      await change('cancelled', {});
      return { code: 451, words: 'later' };
    }
    return null;
  };
  await failed();
  world.work();
  await world.until((mails) => mails.some(({ answer }) => answer?.includes('later') === true));
  await world.dueNow();
  expect(await ends()).toEqual(['ended sent', 'failed dropped']);
});

test('a message that became stale is not sent by a resend', async () => {
  const { wallet } = world.shop;
  const caller = {
    ...{ kind: 'session' as const, sessionId: 's', wallet, merchant: wallet, role: 'owner' as const },
    ...{ platformAdmin: false, confirmedAt: 0, csrfProven: true },
  };
  await subscribe({ chargeCount: 1 });
  await failed();
  await ends();
  const [mail] = await world.mails();
  await charged();
  await resendMail(world.deps, caller, mail!.id);
  expect(await ends()).toEqual(['charged sent', 'failed dropped']);
  expect(world.smtp.arrived).toHaveLength(2);
});

test('a thousand charges within a minute send a thousand messages, each once', async () => {
  const ids = await subscribe({ chargeCount: 1, count: 1_000 });
  const more = { chargeId: 'c', amountCents: 1450, feeCents: 0, nextChargeAt: world.now.ms + 30 * DAY_MS };
  for (let from = 0; from < ids.length; from += 100) await change('charged', more, ids.slice(from, from + 100));
  world.work();
  await world.smtp.until(ids.length);
  expect(new Set(world.smtp.arrived.map(({ to }) => to[0])).size).toBe(ids.length);
  const waiting = () => world.run("select from mail_messages where state = 'pending'");
  await expect.poll(waiting).toEqual([]);
  expect(world.smtp.arrived).toHaveLength(ids.length);
});
