import { once } from 'node:events';
import { domainToASCII } from 'node:url';
import { type Letter, openSmtp, type Posted, SMTP_AT_ONCE, type Smtp } from '../../../base/outgoing/smtp.ts';
import type { MailConfig } from '../../../base/platform/config/mail.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { type KeepClaim, LATER, MAIL_QUEUE, workOnEach } from '../../../base/platform/jobs.ts';
import { runAsLeader } from '../../../base/platform/leadership.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { MailJob } from './enqueue.ts';
import { SAYS_ALL } from './kinds.ts';
import { countMail, readLimit } from './limit.ts';
import { MAIL_COLUMNS, type MailMessage } from './message.entity.ts';
import { addressDigest, isRefused } from './preferences.ts';
import { moveMails } from './state.ts';

/** A message with its text, or why there is nothing to send. */
export type Composed = Omit<Letter, 'messageId' | 'at'> | { readonly dropped: string };

/** For how long a message is tried again. */
const PATIENCE_MS = 3 * 86_400_000;

/** Makes the text of a message from what is true now. */
export type Compose = (mail: MailMessage) => Promise<Composed>;

/** The dependencies of the worker that sends e-mail. */
export type MailWorkerDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'settings'>;

const ONE = query('mail', (db, $: MailJob) =>
  db.selectFrom('MailMessage').select(MAIL_COLUMNS).where('merchant', '=', $.merchant).where('id', '=', $.id),
);

const LATER_ONE = query(
  'mail-later-one',
  (db, $: Pick<MailMessage, 'merchant' | 'id' | 'kind' | 'subjectId' | 'queuedAt'>) =>
    db
      .selectFrom('MailMessage')
      .select('id')
      .where('merchant', '=', $.merchant)
      .where('subjectId', '=', $.subjectId)
      .where('kind', '=', $.kind)
      .where((eb) => eb(eb.refTuple('queuedAt', 'id'), '>', eb.tuple($.queuedAt, $.id)))
      .limit(1),
);

/** So many messages are claimed at once, so that those to a slow domain leave room for others. */
const CLAIMED_AT_ONCE = 50;
/** So many messages to one domain are under way at once, so that a domain that hangs leaves connections to others. */
const DOMAIN_AT_ONCE = 2;
/** A message that waits longer for those before it goes back to the queue. */
const WAIT_MS = 30_000;
/** A server that takes longer for the end of a message holds back the ends of others no more. */
const END_ALONE_MS = 3_000;

/**
 * Sends the messages of the queue until it is stopped, a few at once, in one of all processes: so an address hears in
 * the order of the queue, and limits count what is under way. The ends of messages go to the server one after the
 * other, as far as it takes them at once, so that a crash repeats one at most. Without an SMTP server it does nothing.
 */
export function startMailWorker(deps: MailWorkerDeps, compose: Compose): { stop(): Promise<void> } {
  const { mail: config, databaseSessionUrl: databaseUrl } = deps.settings;
  if (config === null) return { stop: async () => {} };
  return runAsLeader({
    ...{ databaseUrl, name: 'e-mail', log: deps.log },
    async task(signal) {
      const smtp = openSmtp(config.smtpUrl);
      const office: Office = {
        deps,
        config,
        compose,
        post: reporting(deps, smtp),
        inTurn: inTurn(),
        enterEnd: entrance(),
        lanes: openLanes(),
      };
      const worker = workOnEach<MailJob>(deps.db, deps.log, MAIL_QUEUE, (job, keep) => sendOne(office, job, keep), {
        atOnce: CLAIMED_AT_ONCE,
      });
      if (!signal.aborted) await once(signal, 'abort');
      await worker.stop();
      smtp.close();
    },
  });
}

type Post = Smtp['send'];

/** What the messages that are sent at once share. */
interface Office {
  readonly deps: MailWorkerDeps;
  readonly config: MailConfig;
  readonly compose: Compose;
  readonly post: Post;
  /** Messages are made one after the other, in the order of the queue. */
  readonly inTurn: ReturnType<typeof inTurn>;
  /** From the end of a message until its row says what became of it, it is alone. */
  readonly enterEnd: ReturnType<typeof entrance>;
  readonly lanes: ReturnType<typeof openLanes>;
}

/** The way of a message to the server. */
interface Lane {
  /** Of its address. */
  readonly digest: string;
  readonly domain: string;
  /** What counts the message. */
  keys: readonly string[];
  /** Resolves to false if it was not let in for long. */
  readonly entered: Promise<boolean>;
  leave(): void;
}

/** Lets messages in, in their order: as many as there are connections, one to an address, a few to a domain. */
function openLanes() {
  const waiting = new Map<Lane, (isIn: boolean) => void>();
  const inside = new Set<Lane>();
  const letIn = () => {
    for (const [lane, enter] of waiting) {
      if (inside.size === SMTP_AT_ONCE) return;
      const sameDomain = [...inside].filter(({ domain }) => domain === lane.domain);
      if (sameDomain.length >= DOMAIN_AT_ONCE || sameDomain.some(({ digest }) => digest === lane.digest)) continue;
      waiting.delete(lane);
      inside.add(lane);
      enter(true);
    }
  };
  return {
    inside: inside as ReadonlySet<Lane>,
    /** @param to the address of the message */
    enter(digest: string, to: string): Lane {
      const { promise: entered, resolve } = Promise.withResolvers<boolean>();
      const domain = domainToASCII(to.slice(to.lastIndexOf('@') + 1));
      const leave = () => {
        clearTimeout(timer);
        if (waiting.delete(lane)) resolve(false);
        if (inside.delete(lane)) letIn();
      };
      const timer = setTimeout(() => waiting.has(lane) && leave(), WAIT_MS).unref();
      const lane: Lane = { digest, domain, keys: [], entered, leave };
      waiting.set(lane, resolve);
      letIn();
      return lane;
    },
  };
}

/** Runs works one after the other. */
function inTurn() {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const next = last.then(work, work);
    last = next;
    return next;
  };
}

/** A room for one at a time: who enters waits until all before have left. */
function entrance() {
  let last: Promise<unknown> = Promise.resolve();
  return (): { readonly entered: Promise<void>; readonly leave: () => void } => {
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    const entered = last.then(() => {});
    last = entered.then(() => left);
    return { entered, leave };
  };
}

/** Logs when the server is lost and when it is back, in place of a line for each message. */
function reporting({ log }: MailWorkerDeps, smtp: Smtp): Post {
  let away = false;
  return async (letter, beforeEnd) => {
    const posted = await smtp.send(letter, beforeEnd);
    const isAway = posted.outcome === 'later' && posted.away;
    if (isAway !== away) {
      away = isAway;
      if (away)
        log.error({ alert: 'smtp_unavailable', words: posted.words }, 'e-mail waits: the SMTP server takes none');
      else log.info({}, 'the SMTP server takes e-mail again');
    }
    return posted;
  };
}

/** Sends one message, if there is still something to say. Whatever ends it is written in its row. */
async function sendOne(office: Office, job: MailJob, keep: KeepClaim): Promise<unknown> {
  const place: Place = {};
  try {
    for (;;) {
      const made = await office.inTurn(() => makeOne(office, job, place));
      if (made === undefined || made === LATER) return made;
      if (made !== WAITS) return await postOne(office, made, keep);
      // Meanwhile its text may become stale, or an earlier claim may send it.
      if (!(await place.lane?.entered)) return LATER;
    }
  } finally {
    place.lane?.leave();
  }
}

/** Where a message is; without a lane its address is not known yet. */
interface Place {
  lane?: Lane;
}

const WAITS = Symbol('waits');

/** A message that is ready, on its way to the server. */
interface Made {
  readonly mail: MailMessage;
  readonly letter: Letter;
  readonly lane: Lane;
}

/** Makes a message, once it has the way to its address. */
async function makeOne(
  { deps, config, compose, lanes }: Office,
  job: MailJob,
  place: Place,
): Promise<Made | typeof WAITS | typeof LATER | undefined> {
  const { db } = deps;
  const { merchant } = job;
  const now = deps.clock();
  const [mail] = await db.run(ONE, job);
  if (mail?.state !== 'pending') return;
  const drop = (why: string) => end(db, mail, 'dropped', now, why);
  if (now - mail.queuedAt > PATIENCE_MS) return void (await end(db, mail, 'failed', now, mail.answer ?? TOO_LONG));
  if (SAYS_ALL.has(mail.kind) && (await db.run(LATER_ONE, mail)).length > 0)
    return void (await drop('a later message says the same'));
  const composed = await compose(mail);
  if ('dropped' in composed) return void (await drop(composed.dropped));
  const digest = addressDigest(merchant, composed.to);
  if (place.lane?.digest !== digest) {
    place.lane?.leave();
    place.lane = lanes.enter(digest, composed.to);
  }
  const { lane } = place;
  if (!lanes.inside.has(lane)) return WAITS;
  if (await isRefused(db, merchant, composed.to))
    return void (await drop('the server has refused this address before'));
  const to = { address: composed.to, kind: mail.kind, again: mail.sent > 0 };
  const countUnderWay = (key: string) => [...lanes.inside].filter(({ keys }) => keys.includes(key)).length;
  const { waits, keys } = await readLimit(db, config, merchant, now, to, countUnderWay);
  if (waits !== null) {
    await note(db, mail, waits);
    return LATER;
  }
  lane.keys = keys;
  const messageId = `${mail.id}@${config.from.slice(config.from.lastIndexOf('@') + 1)}`;
  return { mail, letter: { ...composed, messageId, at: mail.queuedAt }, lane };
}

const TOO_LONG = 'waited too long';

/** Hands a message to the server and writes what it said. */
async function postOne(office: Office, { mail, letter, lane }: Made, keep: KeepClaim): Promise<unknown> {
  const room = { isOver: false, leave: () => {} };
  const beforeEnd = async () => {
    // The session with the server has failed meanwhile.
    if (room.isOver) return;
    const { entered, leave } = office.enterEnd();
    room.leave = leave;
    await entered;
    // A late extension of the claim would replace the delay of the retry.
    if (room.isOver) return;
    // Without its end the server takes no message: the worker that has the claim now sends it.
    if (!(await keep())) throw new Error('another worker sends it');
    setTimeout(leave, END_ALONE_MS).unref();
  };
  try {
    return await record(office.deps, mail, await office.post(letter, beforeEnd), lane);
  } finally {
    room.isOver = true;
    room.leave();
  }
}

/** Writes what the server said of a message. */
async function record(
  { db, clock }: MailWorkerDeps,
  mail: MailMessage,
  posted: Posted,
  { digest, keys }: Lane,
): Promise<unknown> {
  if (posted.outcome === 'later') {
    await note(db, mail, posted.words);
    return LATER;
  }
  if (posted.outcome === 'refused')
    return end(db, mail, 'failed', clock(), posted.words, { refusedDigest: posted.address ? digest : null });
  return end(db, { ...mail, sent: mail.sent + 1 }, 'sent', clock(), posted.words, { keys });
}

/** Notes what has happened to a message that is tried again. */
async function note(db: Db, { merchant, id }: MailMessage, answer: string): Promise<void> {
  await db.run(NOTE, { merchant, id, answer });
}

const NOTE = query('mail-note', (db, $: MailJob & { answer: string }) =>
  db
    .updateTable('MailMessage')
    .set({ answer: $.answer })
    .where('merchant', '=', $.merchant)
    .where('id', '=', $.id)
    .where('state', '=', 'pending'),
);

async function end(
  db: Db,
  { merchant, id, sent }: MailMessage,
  to: 'sent' | 'dropped' | 'failed',
  now: number,
  answer: string,
  { refusedDigest = null, keys = [] }: { refusedDigest?: string | null; keys?: readonly string[] } = {},
): Promise<void> {
  await db.transaction(async (uow) => {
    await moveMails(uow.db, to, now)
      .set({ sent, answer, refusedDigest })
      .where('merchant', '=', merchant)
      .where('id', '=', id)
      .execute();
    if (keys.length > 0) await countMail(uow, { keys }, 'sent', now);
  });
}
