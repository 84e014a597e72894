import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { SMTP_AT_ONCE } from '../../src/base/outgoing/smtp.ts';
import { eraseBuyer } from '../../src/domain/operations/privacy/erase-buyer.ts';
import { type MailRecord, resendMail } from '../../src/domain/webhooks/mail/mails.ts';
import { ask, codeOf } from '../graphql/ask.ts';
import { until } from '../support/program.ts';
import { type MailShop, openMailShop } from './shop.ts';

let world: MailShop;
let session: Record<string, string>;
beforeAll(async () => {
  world = await openMailShop({ MAILS_PER_DAY: '1000' });
  session = await world.server.signIn(world.shop.account);
});
afterAll(() => world.stop());
beforeEach(() => world.empty());

test('a paid receipt sends its buyer one message with lines, total and link', async () => {
  const id = await world.order({
    buyerEmail: 'ann@example.com',
    lineItems: [
      { label: 'Tea', priceUsd: 5, qty: 2 },
      { label: 'Cake', priceUsd: 3.5 },
    ],
    transactionId: 'order-7',
  });
  await world.move(id, 'tx_mined', 'pending', 'tx_mined', 'paid', 'completed');
  expect(await world.mails()).toMatchObject([{ kind: 'receipt', subjectId: id, state: 'pending' }]);
  world.work();
  const [{ mail, to, raw }] = (await world.smtp.until(1)) as [(typeof world.smtp.arrived)[0]];
  expect(to).toEqual(['ann@example.com']);
  expect(mail.from!.value).toEqual([{ name: 'Café Müller', address: 'payments@pay.example' }]);
  expect(mail.subject).toContain('$');
  for (const text of [mail.text!, String(mail.html)]) {
    expect(text).toContain('Cake');
    expect(text).toContain('order-7');
    expect(text).toContain(`/portal/${id}/receipt`);
  }
  expect(mail.headers.get('auto-submitted')).toBe('auto-generated');
  expect(raw).not.toMatch(/List-Unsubscribe/i);
  await world.until(([first]) => first?.state === 'sent');
  expect(world.smtp.arrived).toHaveLength(1);
});

test('a receipt without an address, and any receipt of a server without SMTP, writes no message', async () => {
  const silent = await world.order({});
  await world.move(silent, 'tx_mined', 'paid');
  const addressed = await world.order({ buyerEmail: 'ann@example.com' });
  expect(await world.mails()).toEqual([]);
  world.configure(null);
  await world.move(addressed, 'tx_mined', 'paid');
  expect(await world.mails()).toEqual([]);
});

test('what became stale while the server was away is not sent', async () => {
  const id = await world.order({ buyerEmail: 'ann@example.com' });
  await world.move(id, 'tx_mismatch');
  await world.move(id, 'tx_mined', 'paid');
  world.work();
  const all = await world.until((mails) => mails.every(({ state }) => state !== 'pending'));
  expect(all.map(({ kind, state }) => [kind, state]).sort()).toEqual([
    ['part_payment', 'dropped'],
    ['receipt', 'sent'],
  ]);
  expect(world.smtp.arrived).toHaveLength(1);
});

test('a 4xx is tried again with the same Message-ID, and the log has the words of the server', async () => {
  const id = await world.order({ buyerEmail: 'ann@example.com' });
  let refusals = 0;
  world.smtp.refuse = (at) => (at === 'data' && refusals++ === 0 ? { code: 451, words: 'greylisted' } : null);
  await world.move(id, 'tx_mined', 'paid');
  world.work();
  const [waiting] = await world.until(([first]) => first?.answer != null);
  expect(waiting).toMatchObject({ state: 'pending', answer: expect.stringContaining('greylisted') });
  await world.dueNow();
  const [sent] = await world.until(([first]) => first?.state === 'sent');
  expect(world.smtp.arrived[0]!.mail.messageId).toBe(`<${sent!.id}@pay.example>`);
});

test('a 5xx stops a message, and the address is not tried again until it changes', async () => {
  const [first, second] = [
    await world.order({ buyerEmail: 'gone@example.com' }),
    await world.order({ buyerEmail: 'Gone@example.com' }),
  ];
  world.smtp.refuse = (at) => (at === 'rcpt' ? { code: 550, words: '5.1.1 no such mailbox' } : null);
  await world.move(first!, 'tx_mined', 'paid');
  world.work();
  const [failed] = await world.until(([mail]) => mail?.state === 'failed');
  expect(failed!.answer).toContain('no such mailbox');
  let asked = 0;
  world.smtp.refuse = () => {
    asked += 1;
    return null;
  };
  await world.move(second!, 'tx_mined', 'paid');
  await world.until((mails) => mails.every(({ state }) => state !== 'pending'));
  expect((await world.mails()).map(({ state }) => state).sort()).toEqual(['dropped', 'failed']);
  await resendMail(world.deps, await sessionCaller(), failed!.id);
  await world.until((mails) => mails.every(({ state }) => state === 'dropped'));
  expect(asked).toBe(0);
  await world.run(`update receipts set billing_address = '{"email": "new@example.com"}' where id = ?`, [first]);
  await resendMail(world.deps, await sessionCaller(), failed!.id);
  expect((await world.smtp.until(1))[0]!.to).toEqual(['new@example.com']);
});

test('a server that refuses the login or is away loses no message', async () => {
  const id = await world.order({ buyerEmail: 'ann@example.com' });
  world.configure({ smtpUrl: 'smtp://127.0.0.1:9' });
  await world.move(id, 'tx_mined', 'paid');
  const away = world.startWorker();
  await world.until(([first]) => first?.answer != null);
  await away.stop();
  world.configure({ smtpUrl: world.smtp.url });
  expect(await world.mails()).toMatchObject([{ state: 'pending', sent: 0 }]);
  await world.dueNow();
  world.work();
  await world.smtp.until(1);
});

test('a merchant sends no more than its limit within a day, and what waits is not lost', async () => {
  world.configure({ perDay: 2 });
  for (let i = 0; i < 3; i++)
    await world.move(await world.order({ buyerEmail: `b${i}@example.com` }), 'tx_mined', 'paid');
  const limited = world.startWorker();
  await world.until((mails) => mails.some(({ answer }) => answer?.includes('limit')));
  await limited.stop();
  world.configure({ perDay: 3 });
  expect((await world.mails()).map(({ state }) => state).sort()).toEqual(['pending', 'sent', 'sent']);
  await world.dueNow();
  world.work();
  await world.smtp.until(3);
});

test('what has waited for more than a day is sent within the limit of the day on which it is sent', async () => {
  world.configure({ perDay: 2 });
  const { ms } = world.now;
  onTestFinished(() => {
    world.now.ms = ms;
  });
  for (let i = 0; i < 5; i++)
    await world.move(await world.order({ buyerEmail: `b${i}@example.com` }), 'tx_mined', 'paid');
  const isFull = (sent: number) => (mails: readonly MailRecord[]) =>
    mails.filter(({ state }) => state === 'sent').length === sent &&
    mails.filter(({ answer }) => answer?.includes('limit')).length === 5 - sent;
  const first = world.startWorker();
  await world.until(isFull(2));
  await first.stop();
  world.now.ms += 25 * 3_600_000;
  await world.run("update mail_messages set answer = null where state = 'pending'");
  await world.dueNow();
  world.work();
  await world.until(isFull(4));
});

/** Merchants that the operator has not admitted, until the test ends. */
async function openNewcomers(count: number) {
  const strangers = [];
  for (let i = 0; i < count; i++) strangers.push(await world.server.merchant());
  const wallets = strangers.map(({ wallet }) => wallet);
  await world.run(`update merchants set newcomer = true where wallet in (${wallets.map(() => '?')})`, wallets);
  onTestFinished(async () => void (await world.run('update merchants set newcomer = false')));
  return strangers;
}

test('no number of merchants that strangers register sends more than one that is admitted', async () => {
  world.configure({ perDay: 2 });
  const strangers = await openNewcomers(3);
  const wallets = strangers.map(({ wallet }) => wallet);
  for (const stranger of strangers)
    await world.pay(await world.order({ buyerEmail: 'ann@example.com' }, stranger), stranger.wallet);
  await world.move(await world.order({ buyerEmail: 'bob@example.com' }), 'tx_mined', 'paid');
  world.work();
  await world.until((mails) => mails.every(({ state }) => state === 'sent'));
  const states = () =>
    world.run('select state, answer from mail_messages where merchant in (?, ?, ?) order by state', wallets);
  await until(async () => (await states()).some(({ answer }) => answer?.includes('limit')));
  expect((await states()).map(({ state }) => state)).toEqual(['pending', 'sent', 'sent']);
});

test('all newcomers together send ten messages a day to one mailbox, however they write its address', async () => {
  const strangers = await openNewcomers(2);
  const written = ['ann@example.com', 'A.nn@Example.com', 'ann+shop@example.com', 'aNN+2@example.com'];
  for (let i = 0; i < 12; i++) {
    const stranger = strangers[i % 2]!;
    await world.pay(await world.order({ buyerEmail: written[i % 4] }, stranger), stranger.wallet);
  }
  world.work();
  const ofStrangers = async () => (await Promise.all(strangers.map(({ wallet }) => world.mails(wallet)))).flat();
  const held = await until(async () => {
    const all = await ofStrangers();
    return all.every(({ answer }) => answer !== null) && all.filter(({ state }) => state !== 'sent');
  });
  expect(held.map(({ state, answer }) => [state, answer])).toEqual(
    Array(2).fill(['pending', 'waits: the limit of a day for this address is reached']),
  );
  expect(world.smtp.arrived).toHaveLength(10);
  const headers = await world.server.signIn(strangers[0]!.account);
  const id = await world.order({}, strangers[0]!);
  const askFor = async (email: string) => codeOf(await ask(world.server, headers, REQUEST, { id, email }));
  expect(await askFor('ann@example.com')).toBe('mail_limit_reached');
  expect(await askFor('bob@example.com')).toBeNull();
  // A merchant that is admitted has not used any of it.
  await world.move(await world.order({ buyerEmail: 'ann@example.com' }), 'tx_mined', 'paid');
  await world.until((mails) => mails.every(({ state }) => state === 'sent'));
});

test('an admitted merchant sends ten messages a day to a mailbox that has not paid, and each receipt of one that has', async () => {
  const askFor = async (email: string, id: string) => codeOf(await ask(world.server, session, REQUEST, { id, email }));
  const ids: string[] = [];
  for (let i = 0; i < 10; i++) {
    ids.push(await world.order({}));
    expect(await askFor('ann@example.com', ids[i]!)).toBeNull();
  }
  expect(await askFor('Ann+again@example.com', ids[0]!)).toBe('mail_limit_reached');
  expect(await askFor('bob@example.com', await world.order({}))).toBeNull();
  world.work();
  await world.smtp.until(11);
  await world.move(ids[0]!, 'tx_mined', 'paid');
  const sent = await world.until((mails) => mails.every(({ state }) => state !== 'pending'));
  const receipt = sent.find(({ kind }) => kind === 'receipt')!;
  expect(receipt.state).toBe('sent');
  await resendMail(world.deps, await sessionCaller(), receipt.id);
  await world.until((mails) => mails.some(({ answer }) => answer?.includes('for this address') === true));
});

test('nothing is sent to an erased buyer, and nothing is kept of the messages', async () => {
  const id = await world.order({ buyerEmail: 'erased@example.com' });
  await world.move(id, 'tx_mined', 'paid');
  await eraseBuyer(world.deps, world.shop.wallet, { email: 'erased@example.com' });
  expect(await world.mails()).toEqual([]);
  const other = await world.order({ buyerEmail: 'ann@example.com' });
  await world.move(other, 'tx_mined', 'paid');
  world.work();
  const all = await world.smtp.until(1);
  expect(all.map(({ to }) => to)).toEqual([['ann@example.com']]);
});

const REQUEST =
  'mutation ($id: ID!, $email: String!) { requestPayment(receiptId: $id, email: $email) { billingAddress { email } } }';

test('of several requests to pay a receipt the last one is sent, to the address that was entered last', async () => {
  const id = await world.order({});
  for (const email of ['old@example.com', 'new@example.com']) await ask(world.server, session, REQUEST, { id, email });
  world.work();
  const all = await world.until((mails) => mails.every(({ state }) => state !== 'pending'));
  expect(all.map(({ state }) => state).sort()).toEqual(['dropped', 'sent']);
  expect(world.smtp.arrived.map(({ to }) => to)).toEqual([['new@example.com']]);
});

test('a payment request sends the link to an address, and a paid receipt is refused', async () => {
  const id = await world.order({});
  const { body } = await ask(world.server, session, REQUEST, { id, email: 'payer@example.com' });
  expect(body.data.requestPayment).toEqual({ billingAddress: { email: 'payer@example.com' } });
  world.work();
  const [{ mail }] = (await world.smtp.until(1)) as [(typeof world.smtp.arrived)[0]];
  expect(mail.text).toContain(`/portal/${id}?recipient=${world.shop.wallet}`);
  await world.move(id, 'tx_mined', 'paid');
  expect(codeOf(await ask(world.server, session, REQUEST, { id, email: 'payer@example.com' }))).toBe('invalid_input');
  expect(codeOf(await ask(world.server, world.shop.auth, REQUEST, { id, email: 'payer@example.com' }))).toBe(
    'forbidden',
  );
});

test('payment requests end at the limit of a day', async () => {
  world.configure({ perDay: 1 });
  const id = await world.order({});
  expect(codeOf(await ask(world.server, session, REQUEST, { id, email: 'a@example.com' }))).toBeNull();
  expect(codeOf(await ask(world.server, session, REQUEST, { id, email: 'b@example.com' }))).toBe('mail_limit_reached');
  world.configure(null);
  expect(codeOf(await ask(world.server, session, REQUEST, { id, email: 'b@example.com' }))).toBe('mail_not_configured');
});

test('requests that were asked for, and are not sent, keep back no receipt of a paid order', async () => {
  world.configure({ perDay: 2 });
  const asked = await world.order({});
  for (const email of ['a@example.com', 'b@example.com'])
    expect(codeOf(await ask(world.server, session, REQUEST, { id: asked, email }))).toBeNull();
  // It is paid, so that its requests are dropped, and tells of itself.
  await world.move(asked, 'tx_mined', 'paid');
  await world.move(await world.order({ buyerEmail: 'payer@example.com' }), 'tx_mined', 'paid');
  world.work();
  const all = await world.until((mails) => mails.every(({ state }) => state !== 'pending'));
  expect(all.map(({ kind, state }) => `${kind} ${state}`).sort()).toEqual([
    'receipt sent',
    'receipt sent',
    'request dropped',
    'request dropped',
  ]);
});

test('a slow server has several messages at once, and one that it may have accepted', async () => {
  const together = Promise.withResolvers<null>();
  let receivers = 0;
  let ending = 0;
  let mostEnding = 0;
  world.smtp.refuse = async (at) => {
    if (at === 'rcpt') {
      receivers += 1;
      if (receivers === SMTP_AT_ONCE) together.resolve(null);
      return together.promise;
    }
    ending += 1;
    mostEnding = Math.max(mostEnding, ending);
    await world.run('select pg_sleep(0.02)');
    ending -= 1;
    return null;
  };
  for (let i = 0; i < SMTP_AT_ONCE; i++)
    await world.move(await world.order({ buyerEmail: `slow${i}@example.com` }), 'tx_mined', 'paid');
  world.work();
  await world.until((mails) => mails.length === SMTP_AT_ONCE && mails.every(({ state }) => state === 'sent'));
  expect(mostEnding).toBe(1);
});

test('one address has one message at a time, in the order of the queue', async () => {
  let open = 0;
  let mostOpen = 0;
  world.smtp.refuse = async (at) => {
    if (at === 'rcpt') mostOpen = Math.max(mostOpen, ++open);
    else open -= 1;
    await world.run('select pg_sleep(0.01)');
    return null;
  };
  const ids: string[] = [];
  for (let i = 0; i < 4; i++) {
    ids.push(await world.order({ buyerEmail: i % 2 ? 'ann@example.com' : 'Ann@example.com' }));
    await world.move(ids[i]!, 'tx_mined', 'paid');
  }
  world.work();
  const all = await world.smtp.until(4);
  expect(mostOpen).toBe(1);
  expect(all.map(({ mail }) => ids.findIndex((id) => mail.text!.includes(id)))).toEqual([0, 1, 2, 3]);
});

async function sessionCaller() {
  const wallet = world.shop.wallet;
  return {
    ...{ kind: 'session' as const, sessionId: 's', wallet, merchant: wallet, role: 'owner' as const },
    ...{ platformAdmin: false, confirmedAt: 0, csrfProven: true },
  };
}
