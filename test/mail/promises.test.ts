import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { issuePageToken } from '../../src/domain/access/gateway/page-token.ts';
import { eraseBuyer } from '../../src/domain/operations/privacy/erase-buyer.ts';
import { changeSubscriptions } from '../../src/domain/recurring/subscriptions/change-subscriptions.ts';
import { paymentUrl } from '../../src/domain/sales/receipts/payment-url.ts';
import { readReceipt } from '../../src/domain/sales/receipts/read.ts';
import { ask, codeOf } from '../graphql/ask.ts';
import { makePlan, subscriptionBody, type TestPlan } from '../support/subscriber.ts';
import { type MailShop, openMailShop } from './shop.ts';

let world: MailShop;
let plan: TestPlan;
beforeAll(async () => {
  world = await openMailShop({ ONRAMP_PROVIDER: 'sandbox' });
  plan = await makePlan(world.server, world.shop);
  await world.server.call('POST', '/api/inventory', {
    headers: world.shop.auth,
    body: { sku: 'TEA', name: 'Tea', priceUsd: 10, stockQty: -1, taxable: false },
  });
});
afterAll(() => world.stop());
beforeEach(() => world.empty());

async function order(body: object): Promise<string> {
  const answer = await world.server.call('POST', '/api/orders', {
    headers: world.shop.auth,
    body: { items: [{ sku: 'TEA', qty: 1 }], ...body },
  });
  const id = answer.body.receipt.receiptId;
  await world.move(id, 'pending');
  return id;
}

const textOf = async (url: string | URL) =>
  (await (await fetch(url)).text())
    .replaceAll(/<template[\s\S]*?<\/template>|data-[a-z]+="[^"]*"/g, '')
    .replaceAll(/<[^>]+>/g, '');

/** What the payment page of a receipt says, opened with its link. */
const pageOf = async (id: string) =>
  textOf(paymentUrl(world.deps.settings, await readReceipt(world.deps.db, world.shop.wallet, id)));

const subscribePage = () => textOf(`${world.server.url}/subscribe/${plan.planId}`);

/** What a page says only if a message will be sent. */
const PROMISE = /receipt goes|receipt was sent|Messages about/;

/** Does something while the server has other settings of e-mail. */
async function whileMail(mail: object | null, work: () => Promise<void>): Promise<void> {
  const { mail: before } = world.deps.settings;
  Object.assign(world.deps.settings, { mail: mail && { ...before!, ...mail } });
  await work().finally(() => Object.assign(world.deps.settings, { mail: before }));
}

test('a page promises a receipt to the address, shortened, from the order until it was sent', async () => {
  const id = await order({ buyerEmail: 'ann@example.com' });
  expect(await pageOf(id)).toContain('After the payment, a receipt goes to a…@e….');
  expect(await pageOf(id)).not.toContain('ann@');
  await world.move(id, 'tx_mined', 'paid');
  expect(await pageOf(id)).toContain('After the payment, a receipt goes to a…@e….');
  world.work();
  await world.until(([first]) => first?.state === 'sent');
  expect(await pageOf(id)).toContain('The receipt was sent to a…@e….');
});

test('no page promises a message that will not be sent', async () => {
  const id = await order({ buyerEmail: 'ann@example.com' });
  const asking = await order({});
  const says = async () => `${await pageOf(id)}${await pageOf(asking)}${await subscribePage()}`;
  expect((await says()).match(new RegExp(PROMISE, 'g'))).toHaveLength(2);
  await whileMail(null, async () => expect(await says()).not.toMatch(PROMISE));
  await whileMail({ perDay: 1 }, async () => {
    await world.run('insert into mail_counts (key, hour, sent, asked) values (?, ?, 1, 0)', [
      world.shop.wallet,
      Math.floor(world.now.ms / 3_600_000),
    ]);
    expect(await says()).not.toMatch(PROMISE);
  });
});

test('no page promises a receipt to an address that the server has refused, nor to an erased buyer, nor after the end', async () => {
  world.smtp.refuse = (at, to) => (at === 'rcpt' && /gone/i.test(to) ? { code: 550, words: '5.1.1 no mailbox' } : null);
  const first = await order({ buyerEmail: 'gone@example.com' });
  const second = await order({ buyerEmail: 'Gone@Example.com' });
  expect(await pageOf(second)).toMatch(PROMISE);
  await world.move(first, 'tx_mined', 'paid');
  world.work();
  await world.until(([mail]) => mail?.state === 'failed');
  expect(await pageOf(first)).not.toMatch(PROMISE);
  expect(await pageOf(second)).not.toMatch(PROMISE);

  const erased = await order({ buyerEmail: 'bob@example.com' });
  await world.move(erased, 'tx_mined', 'paid');
  await eraseBuyer(world.deps, world.shop.wallet, { email: 'bob@example.com' });
  expect(await pageOf(erased)).not.toMatch(/receipt goes to|receipt was sent/);

  const refunded = await order({ buyerEmail: 'cat@example.com' });
  await world.move(refunded, 'tx_mined', 'paid', 'refunded');
  expect(await pageOf(refunded)).not.toMatch(PROMISE);
});

test('the card page promises the receipt as the payment page does', async () => {
  const id = await order({ buyerEmail: 'ann@example.com' });
  const START = 'mutation ($id: ID!) { startCardCheckout(receiptId: $id) { url } }';
  const token = await issuePageToken(world.deps.settings, { merchant: world.shop.wallet, receiptId: id }, world.now.ms);
  const { body } = await ask(world.server, { authorization: `Bearer ${token}` }, START, { id });
  const { pathname } = new URL(body.data.startCardCheckout.url);
  const url = world.server.url + pathname;
  expect(await textOf(url)).toContain('After the payment, a receipt goes to a…@e….');
  await whileMail(null, async () => expect(await textOf(url)).not.toMatch(PROMISE));
});

test('an address that is given after the payment gets the receipt, once', async () => {
  const id = await order({});
  await world.move(id, 'tx_mined', 'paid');
  const token = await issuePageToken(world.deps.settings, { merchant: world.shop.wallet, receiptId: id }, world.now.ms);
  const page = { authorization: `Bearer ${token}` };
  const SET = 'mutation ($id: ID!, $email: String!) { setBuyerEmail(receiptId: $id, email: $email) { receiptId } }';
  expect(codeOf(await ask(world.server, page, SET, { id, email: 'late@example.com' }))).toBeNull();
  expect(codeOf(await ask(world.server, page, SET, { id, email: 'other@example.com' }))).toBe('invalid_input');
  expect(await world.mails()).toMatchObject([{ kind: 'receipt', subjectId: id }]);
});

const CREATE = 'mutation ($input: CreateSubscriptionInput!) { createSubscription(input: $input) { subscriptionId } }';
const storedEmails = () => world.run('select email, language from subscriptions where email is not null');
const pageToken = async () => ({
  authorization: `Bearer ${await issuePageToken(world.deps.settings, { merchant: world.shop.wallet, planId: plan.planId }, world.now.ms)}`,
});

test.each([
  'no address',
  'a@b.example, c@d.example',
  'a@b.example\r\nBcc: c@d.example',
  `${'a'.repeat(250)}@b.example`,
])('the address %j of a subscriber is refused, and nothing is stored', async (email) => {
  const input = { ...(await subscriptionBody(world.server, plan)), email };
  const before = (await world.run('select from subscriptions')).length;
  expect(codeOf(await ask(world.server, await pageToken(), CREATE, { input }))).toBe('invalid_input');
  expect(await world.run('select from subscriptions')).toHaveLength(before);
});

test('the address of a subscriber is read by no page, hears nothing before its first charge, and is erased with the buyer', async () => {
  const input = { ...(await subscriptionBody(world.server, plan)), email: 'sub@example.com', language: 'de' };
  const { body } = await ask(world.server, await pageToken(), CREATE, { input });
  const { subscriptionId } = body.data.createSubscription;
  expect(await storedEmails()).toEqual([{ email: 'sub@example.com', language: 'de' }]);
  const read = `{ subscription(subscriptionId: "${subscriptionId}") { email } }`;
  const refused = await ask(world.server, await pageToken(), read);
  expect(refused.body.errors[0].message).toContain('Cannot query field "email"');

  const base = { merchant: world.shop.wallet, subscriptionId, at: 1 };
  const change = (kind: Parameters<typeof changeSubscriptions>[2], more: object) =>
    world.deps.db.transaction((uow) => changeSubscriptions(world.deps, uow, kind, [{ ...base, ...more }]));
  await change('chargeFailed', { failure: 'insufficient_funds', nextChargeAt: world.now.ms + 1_000 });
  expect(await world.mails()).toEqual([]);
  await change('charged', { chargeId: 'c1', amountCents: 1450, feeCents: 0, nextChargeAt: world.now.ms + 86_400_000 });
  await change('charged', { chargeId: 'c2', amountCents: 1450, feeCents: 0, nextChargeAt: world.now.ms + 86_400_000 });
  await change('cancelled', {});
  expect((await world.mails()).map(({ kind }) => kind).sort()).toEqual([
    'subscription_charged',
    'subscription_charged',
    'subscription_ended',
    'subscription_started',
  ]);
  await eraseBuyer(world.deps, world.shop.wallet, { email: 'sub@example.com' });
  expect(await storedEmails()).toEqual([]);
  expect(await world.mails()).toEqual([]);
});
