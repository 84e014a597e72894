import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { openSmtp } from '../../src/base/outgoing/smtp.ts';
import { eraseBuyer } from '../../src/domain/operations/privacy/erase-buyer.ts';
import { enqueueNotice } from '../../src/domain/webhooks/mail/enqueue.ts';
import { until } from '../support/program.ts';
import { type MailShop, openMailShop } from './shop.ts';

let world: MailShop;
beforeAll(async () => {
  world = await openMailShop();
});
afterAll(() => world.stop());
beforeEach(() => world.empty());

const paid = async (buyerEmail: string) => {
  const id = await world.order({ buyerEmail });
  await world.move(id, 'tx_mined', 'paid');
  return id;
};

test('of two processes one sends, in the order of the queue, and the other one after it has ended', async () => {
  const [first, second] = [world.startWorker(), world.startWorker()];
  onTestFinished(async () => void (await Promise.all([first.stop(), second.stop()])));
  const holders = () =>
    world.run(
      "select count(distinct pid)::int as n from pg_stat_activity where datname = current_database() and application_name = 'quittance e-mail'",
    );
  await until(async () => (await holders())[0]?.n === 2);
  let open = 0;
  let mostOpen = 0;
  world.smtp.refuse = async (at) => {
    if (at === 'rcpt') mostOpen = Math.max(mostOpen, ++open);
    else open -= 1;
    return null;
  };
  const ids: string[] = [];
  for (let i = 0; i < 6; i++) ids.push(await paid('ann@example.com'));
  await world.smtp.until(6);
  expect(mostOpen).toBe(1);
  expect(world.smtp.arrived.map(({ mail }) => ids.findIndex((id) => mail.text!.includes(id)))).toEqual([
    0, 1, 2, 3, 4, 5,
  ]);
  await first.stop();
  await paid('ann@example.com');
  await world.smtp.until(7);
});

test('a worker that has lost its claim does not end its message', async () => {
  world.smtp.refuse = async (at) => {
    // As a worker of another process does after a claim has ended.
    if (at === 'rcpt')
      await world.run("update jobs set claims = claims + 1 where queue = 'mail' and claims = 1 and due_at > 0");
    return null;
  };
  await paid('ann@example.com');
  world.work();
  await world.until(([mail]) => mail?.answer === 'another worker sends it');
  expect(world.smtp.arrived).toEqual([]);
  await world.dueNow();
  await world.until(([mail]) => mail?.state === 'sent');
  expect(world.smtp.arrived).toHaveLength(1);
});

test('an occasion while its notice is being sent is reported by the next one', async () => {
  const { wallet } = world.shop;
  await world.run(
    `insert into mail_preferences (merchant, wallet, email, language, notices, confirmed_at, updated_at)
     values (?, ?, 'owner@example.com', 'en', '{refund_requested}', 1, 1)`,
    [wallet, wallet],
  );
  const requested = async (id: string) => {
    await world.run(
      `insert into refunds (merchant, id, receipt_id, state, usd_cents, proven_cents, items, transaction_hashes, buyer, actor, created_at)
       values (?, ?, 'R', 'requested', 250, 0, '[]', '{}', '0xb', 'test', 1)`,
      [wallet, id],
    );
    await world.deps.db.transaction((uow) => enqueueNotice(world.deps, uow, wallet, 'refund_requested'));
  };
  await requested('one');
  world.now.ms += 61_000;
  onTestFinished(() => {
    world.now.ms -= 61_000;
  });
  await world.dueNow();
  let isFirst = true;
  world.smtp.refuse = async (at) => {
    if (at === 'rcpt' && isFirst) {
      isFirst = false;
      await requested('two');
    }
    return null;
  };
  world.work();
  await world.until((mails) => mails.length === 2 && mails.some(({ state }) => state === 'sent'));
  await world.dueNow();
  const all = await world.smtp.until(2);
  expect(all.map(({ mail }) => /: (\d)/.exec(mail.subject!)![1])).toEqual(['1', '2']);
});

test('a server that answers 4xx for ever ends a message after three days, with its words in the log', async () => {
  const { ms } = world.now;
  onTestFinished(() => {
    world.now.ms = ms;
  });
  world.smtp.refuse = (at) => (at === 'rcpt' ? { code: 450, words: 'mailbox busy' } : null);
  await paid('ann@example.com');
  world.work();
  await world.until(([mail]) => mail?.answer?.includes('busy') === true);
  world.now.ms += 3 * 86_400_000 + 1;
  await world.dueNow();
  const [failed] = await world.until(([mail]) => mail?.state === 'failed');
  expect(failed).toMatchObject({ sent: 0, answer: expect.stringContaining('mailbox busy') });
});

test('a 5xx to the text of a message ends that message, and not its address', async () => {
  world.smtp.refuse = (at) => (at === 'data' ? { code: 554, words: '5.6.0 no such text here' } : null);
  await paid('ann@example.com');
  world.work();
  await world.until(([mail]) => mail?.state === 'failed');
  world.smtp.refuse = () => null;
  await paid('ann@example.com');
  await world.smtp.until(1);
});

test('a buyer who is erased between claim and sending leaves nothing behind, and hears nothing more', async () => {
  let erased = false;
  world.smtp.refuse = async (at) => {
    if (at === 'rcpt' && !erased) {
      erased = true;
      await eraseBuyer(world.deps, world.shop.wallet, { email: 'ann@example.com' });
      return { code: 451, words: 'later' };
    }
    return null;
  };
  await paid('ann@example.com');
  world.work();
  await until(async () => erased && (await world.mails()).length === 0);
  await world.dueNow();
  await until(async () => (await world.run("select from jobs where queue = 'mail'")).length === 0);
  expect(world.smtp.arrived).toEqual([]);
});

const LETTER = {
  ...{ messageId: 'x@pay.example', from: { name: 'S', address: 'payments@pay.example' }, to: 'a@b.example' },
  ...{ replyTo: null, subject: 's', text: 't', html: 't', at: 0, headers: {} },
};

/** Sends one message to a server that does this with each connection. */
async function sendTo(serve: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const smtp = openSmtp(`smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, { wholeMs: 20_000 });
  onTestFinished(() => {
    smtp.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return smtp.send(LETTER);
}

/** Speaks SMTP up to the text of a message, and then does this. */
const speaking = (after: (socket: Socket) => void) => (socket: Socket) => {
  let inText = false;
  socket.write('220 relay.example ESMTP\r\n');
  socket.on('data', (data) => {
    const said = String(data);
    if (inText) return said.includes('\r\n.\r\n') && after(socket);
    inText = /^DATA/im.test(said);
    socket.write(inText ? '354 go on\r\n' : '250 ok\r\n');
  });
};

const SERVERS: Readonly<Record<string, (socket: Socket) => void>> = {
  'says nothing': () => {},
  'hangs up at once': (socket) => void socket.destroy(),
  'has no end of its greeting': (socket) => {
    const line = Buffer.alloc(65_536, 'a');
    const pour = () => {
      while (!socket.destroyed && socket.write(line));
    };
    socket.write('220 ');
    socket.on('drain', pour);
    pour();
  },
  'has no end of the lines of its greeting': (socket) => {
    const lines = Buffer.from('220-hello\r\n'.repeat(6_000));
    const pour = () => {
      while (!socket.destroyed && socket.write(lines));
    };
    socket.on('drain', pour);
    pour();
  },
  'speaks another protocol': (socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
  'has no end of its answer': speaking((socket) => {
    const timer = setInterval(() => socket.write('250-wait\r\n'), 100);
    socket.on('close', () => clearInterval(timer));
  }),
  'hangs up after the text': speaking((socket) => void socket.destroy()),
};

test.each(Object.keys(SERVERS))(
  'a server that %s gets its message later, and costs no memory',
  async (kind) => {
    const before = process.memoryUsage().rss;
    const posted = await sendTo(SERVERS[kind]!);
    expect(posted).toMatchObject({ outcome: 'later', away: true });
    expect(posted.words.length).toBeLessThanOrEqual(500);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1_048_576);
  },
  90_000,
);
