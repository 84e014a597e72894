import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { enqueueNotice } from '../../src/domain/webhooks/mail/enqueue.ts';
import { setPreference } from '../../src/domain/webhooks/mail/preferences.ts';
import { ask, codeOf } from '../graphql/ask.ts';
import { newAccount } from '../support/server.ts';
import { type MailShop, openMailShop } from './shop.ts';

let world: MailShop;
let session: Record<string, string>;
beforeAll(async () => {
  world = await openMailShop();
  session = await world.server.signIn(world.shop.account);
});
afterAll(() => world.stop());
beforeEach(() => world.empty('mail_preferences', 'refunds'));

const SET = `mutation ($input: MailPreferenceInput!) { setMailPreference(input: $input) { email language notices offered configured } }`;
/** Confirms all addresses, without the messages that ask for it. */
async function confirmAll(): Promise<void> {
  await world.run('update mail_preferences set confirmed_at = 1');
  await world.run("delete from mail_messages where kind = 'confirm'");
}
/** Stores a choice, whose address is confirmed. */
async function choose(notices: readonly string[], headers = session, email = 'owner@example.com') {
  const answer = await ask(world.server, headers, SET, { input: { email, language: 'de', notices } });
  await confirmAll();
  return answer;
}
const notify = () =>
  world.deps.db.transaction((uow) => enqueueNotice(world.deps, uow, world.shop.wallet, 'refund_requested'));
const openRefund = (id: string) =>
  world.run(
    `insert into refunds (merchant, id, receipt_id, state, usd_cents, proven_cents, items, transaction_hashes, buyer, actor, created_at)
     values (?, ?, 'R', 'requested', 250, 0, '[]', '{}', '0xb', 'test', 1)`,
    [world.shop.wallet, id],
  );

test('many occasions are one notice, which counts what is open, and nothing is sent when it is settled', async () => {
  expect((await choose(['refund_requested'])).body.data.setMailPreference).toEqual({
    ...{ email: 'owner@example.com', language: 'de', notices: ['refund_requested'], configured: true },
    offered: ['unmatched', 'refund_requested', 'endpoint_disabled', 'past_due', 'low_stock'],
  });
  for (const id of ['a', 'b', 'c']) {
    await openRefund(id);
    await notify();
  }
  expect(await world.mails()).toHaveLength(1);
  await world.dueNow();
  world.work();
  const [{ mail, to }] = (await world.smtp.until(1)) as [(typeof world.smtp.arrived)[0]];
  expect(to).toEqual(['owner@example.com']);
  expect(mail.subject).toBe('Café Müller: 3 Erstattungen sind angefragt');
  expect(mail.headers.has('list')).toBe(true);
  // A further one waits for the next hour, and is dropped if all is settled by then.
  await world.until(([first]) => first?.state === 'sent');
  world.now.ms += 1;
  await notify();
  const [waiting] = await world.mails();
  expect(waiting).toMatchObject({ state: 'pending' });
  await world.run('delete from refunds');
  await world.dueNow();
  await world.until((mails) => mails.every(({ state }) => state !== 'pending'));
  expect((await world.mails()).map(({ state }) => state).sort()).toEqual(['dropped', 'sent']);
  expect(world.smtp.arrived).toHaveLength(1);
});

test('a refund that is asked for enqueues the notice with its change, and a remark enqueues none', async () => {
  await choose(['refund_requested']);
  const id = await world.order({ buyerEmail: 'ann@example.com' });
  const report = (status: string) =>
    ask(world.server, session, `mutation { reportTracking(receiptId: "${id}", status: "${status}") { status } }`);
  expect(codeOf(await report('refund_requested'))).toBeNull();
  expect(await world.mails()).toEqual([]);
});

test('a role receives only what it may read, also after it has changed', async () => {
  const developer = newAccount();
  const wallet = developer.address.toLowerCase();
  await world.run(`insert into merchant_members (merchant, wallet, role, created_at) values (?, ?, 'developer', 1)`, [
    world.shop.wallet,
    wallet,
  ]);
  const headers = await world.server.signIn(developer);
  expect(codeOf(await choose(['refund_requested'], headers))).toBe('invalid_input');
  expect((await choose(['endpoint_disabled'], headers)).body.data.setMailPreference.notices).toEqual([
    'endpoint_disabled',
  ]);
  // As a manager it chose more than it may now.
  const key = { merchant: world.shop.wallet, wallet: wallet as Wallet };
  await setPreference(world.deps, key, 'manager', {
    email: 'dev@example.com',
    language: 'en',
    notices: ['refund_requested'],
  });
  await confirmAll();
  await openRefund('x');
  await notify();
  expect(await world.mails()).toEqual([]);
  expect(codeOf(await ask(world.server, headers, '{ mails { nodes { kind } } }'))).toBe('forbidden');
});

test('a test message goes to the own address, and its sender reads what the server said', async () => {
  const SEND = 'mutation { sendTestMail { mailId state } }';
  expect(codeOf(await ask(world.server, session, SEND))).toBe('invalid_input');
  await choose([]);
  const { mailId } = (await ask(world.server, session, SEND)).body.data.sendTestMail;
  world.work();
  await world.smtp.until(1);
  await world.until(([first]) => first?.state === 'sent');
  const { body } = await ask(world.server, session, `{ mail(mailId: "${mailId}") { state answer kind } }`);
  expect(body.data.mail).toMatchObject({ state: 'sent', kind: 'test', answer: expect.stringMatching(/^250/) });
  const other = await world.server.signIn((await world.server.merchant()).account);
  expect(codeOf(await ask(world.server, other, `{ mail(mailId: "${mailId}") { state } }`))).toBe('not_found');
});

test('the link of a notice ends them by one click, changes nothing when opened, and holds for its address only', async () => {
  await choose(['refund_requested']);
  await openRefund('x');
  await notify();
  await world.dueNow();
  world.work();
  const [{ mail }] = (await world.smtp.until(1)) as [(typeof world.smtp.arrived)[0]];
  const url = /https?:\/\/\S+\/mail\/stop\?\S+/.exec(mail.text!)![0];
  const count = async () => (await world.run('select from mail_preferences')).length;
  const page = await fetch(url);
  expect([page.status, await count()]).toEqual([200, 1]);
  const wrong = new URL(url);
  wrong.searchParams.set('k', 'x'.repeat(22));
  expect([(await fetch(wrong, { method: 'POST' })).status, await count()]).toEqual([404, 1]);
  const click = { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) };
  await choose(['refund_requested'], session, 'new@example.com');
  expect([(await fetch(url, click)).status, await count()]).toEqual([404, 1]);
  await choose(['refund_requested']);
  expect([(await fetch(url, click)).status, await count()]).toEqual([200, 0]);
  expect((await fetch(url, click)).status).toBe(404);
});

test('a member who leaves is forgotten', async () => {
  const account = newAccount();
  const wallet = account.address.toLowerCase();
  await world.run(`insert into merchant_members (merchant, wallet, role, created_at) values (?, ?, 'manager', 1)`, [
    ...[world.shop.wallet, wallet],
  ]);
  const headers = await world.server.signIn(account);
  await choose(['refund_requested'], headers);
  expect(codeOf(await ask(world.server, headers, 'mutation { leaveMerchant }'))).toBeNull();
  expect(await world.run('select from mail_preferences')).toEqual([]);
});

const CONFIRMED = '{ mailPreference { email confirmed } }';
const confirmed = async () => (await ask(world.server, session, CONFIRMED)).body.data.mailPreference.confirmed;
const enter = (email: string) =>
  ask(world.server, session, SET, { input: { email, language: 'en', notices: ['refund_requested'] } });

test('an address that a member enters gets one question a day, and nothing else before its owner confirms it', async () => {
  await enter('other@example.com');
  await enter('other@example.com');
  expect(codeOf(await ask(world.server, session, 'mutation { sendTestMail { mailId } }'))).toBe('invalid_input');
  await openRefund('x');
  await notify();
  expect((await world.mails()).map(({ kind }) => kind)).toEqual(['confirm']);
  world.work();
  const [{ mail, to, raw }] = (await world.smtp.until(1)) as [(typeof world.smtp.arrived)[0]];
  expect(to).toEqual(['other@example.com']);
  expect(raw).not.toMatch(/List-Unsubscribe/i);
  const [sent] = await world.until(([first]) => first?.state === 'sent');
  const again = `mutation { resendMail(mailId: "${sent!.id}") { state } }`;
  expect((await ask(world.server, session, again)).body.data.resendMail.state).toBe('sent');

  const url = new URL(/https?:\/\/\S+\/mail\/confirm\?\S+/.exec(mail.text!)![0]);
  expect([(await fetch(url)).status, await confirmed()]).toEqual([200, false]);
  const wrong = new URL(url);
  wrong.searchParams.set('k', 'x'.repeat(22));
  expect([(await fetch(wrong, { method: 'POST' })).status, await confirmed()]).toEqual([404, false]);
  // The proof of one link is none for another.
  const stop = new URL(url);
  stop.pathname = '/mail/stop';
  expect((await fetch(stop, { method: 'POST' })).status).toBe(404);
  const form = { method: 'POST', body: new URLSearchParams() };
  expect([(await fetch(url, form)).status, await confirmed()]).toEqual([200, true]);
  await notify();
  expect((await world.mails()).map(({ kind }) => kind).sort()).toEqual(['confirm', 'refund_requested']);
});

test('another address is confirmed by a link of its own, and a question about an earlier one is not sent to it', async () => {
  await choose([]);
  expect(await confirmed()).toBe(true);
  await enter('owner@example.com');
  expect(await confirmed()).toBe(true);
  for (const email of ['a@example.com', 'b@example.com', 'c@example.com']) await enter(email);
  expect(await confirmed()).toBe(false);
  world.work();
  const all = await world.until((mails) => mails.every(({ state }) => state !== 'pending'));
  expect(all.map(({ state }) => state).sort()).toEqual(['dropped', 'dropped', 'sent']);
  expect(world.smtp.arrived.map(({ to }) => to)).toEqual([['c@example.com']]);
  const url = /https?:\/\/\S+\/mail\/confirm\?\S+/.exec(world.smtp.arrived[0]!.mail.text!)![0];
  await enter('d@example.com');
  expect((await fetch(url, { method: 'POST', body: new URLSearchParams() })).status).toBe(404);
  expect(await confirmed()).toBe(false);
});
