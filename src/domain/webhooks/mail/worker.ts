import { once } from 'node:events';
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

/**
 * Sends the messages of the queue until it is stopped, a few at once, in one of all processes: so an address hears in
 * the order of the queue, and limits count what is under way. The ends of messages go to the server one after the
 * other, so that a crash repeats one at most. Without an SMTP server it does nothing.
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
        underWay: new Map(),
      };
      const worker = workOnEach<MailJob>(deps.db, deps.log, MAIL_QUEUE, (job, keep) => sendOne(office, job, keep), {
        atOnce: SMTP_AT_ONCE,
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
  /** The messages that are being sent, by the digest of their address. One address has one at a time, in order. */
  readonly underWay: Map<string, { readonly keys: readonly string[]; readonly ended: Promise<unknown> }>;
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
  const started = await office.inTurn(() => startOne(office, job, keep));
  return started === LATER ? LATER : started?.ended;
}

/** Makes a message and begins to send it; what it returns ends with the message. */
async function startOne(
  office: Office,
  job: MailJob,
  keep: KeepClaim,
): Promise<typeof LATER | { ended: Promise<unknown> } | undefined> {
  const { deps, config, compose, underWay } = office;
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
  const before = underWay.get(digest);
  if (before) {
    await before.ended;
    // Meanwhile its text may have become stale, or an earlier claim may have sent it.
    return startOne(office, job, keep);
  }
  if (await isRefused(db, merchant, composed.to))
    return void (await drop('the server has refused this address before'));
  const to = { address: composed.to, kind: mail.kind, again: mail.sent > 0 };
  const countUnderWay = (key: string) => [...underWay.values()].filter(({ keys }) => keys.includes(key)).length;
  const { waits, keys } = await readLimit(db, config, merchant, now, to, countUnderWay);
  if (waits !== null) {
    await note(db, mail, waits);
    return LATER;
  }
  const messageId = `${mail.id}@${config.from.slice(config.from.lastIndexOf('@') + 1)}`;
  const letter = { ...composed, messageId, at: mail.queuedAt };
  const ended = postOne(office, mail, letter, { digest, keys }, keep).finally(() => underWay.delete(digest));
  underWay.set(digest, { keys, ended: ended.catch(() => {}) });
  return { ended };
}

const TOO_LONG = 'waited too long';

/** The digest of its address, and what counts it. */
interface Counted {
  readonly digest: string;
  readonly keys: readonly string[];
}

/** Hands a message to the server and writes what it said. */
async function postOne(
  office: Office,
  mail: MailMessage,
  letter: Letter,
  counted: Counted,
  keep: KeepClaim,
): Promise<unknown> {
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
  };
  try {
    return await record(office.deps, mail, await office.post(letter, beforeEnd), counted);
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
  { digest, keys }: Counted,
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
