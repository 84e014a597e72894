import type { Wallet } from '../../../base/core/wallet.ts';
import { type Letter, openSmtp, type Posted, type Smtp } from '../../../base/outgoing/smtp.ts';
import type { MailConfig } from '../../../base/platform/config/mail.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { LATER, MAIL_QUEUE, workOn } from '../../../base/platform/jobs.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { sha256 } from '../../../base/platform/secrets.ts';
import type { MailJob } from './enqueue.ts';
import { PATIENCE_MS, readLimit } from './limit.ts';
import { MAIL_COLUMNS, type MailMessage } from './message.entity.ts';
import { moveMails } from './state.ts';

/** A message with its text, or why there is nothing to send. */
export type Composed = Omit<Letter, 'messageId' | 'at'> | { readonly dropped: string };

/** Makes the text of a message from what is true now. */
export type Compose = (mail: MailMessage) => Promise<Composed>;

/** The dependencies of the worker that sends e-mail. */
export type MailWorkerDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'settings'>;

const ONE = query('mail', (db, $: MailJob) =>
  db.selectFrom('MailMessage').select(MAIL_COLUMNS).where('merchant', '=', $.merchant).where('id', '=', $.id),
);

const REFUSED = query('mail-address-refused', (db, $: { merchant: Wallet; digest: string }) =>
  db
    .selectFrom('MailMessage')
    .select('id')
    .where('merchant', '=', $.merchant)
    .where('refusedDigest', '=', $.digest)
    .limit(1),
);

/** A digest of an address of a merchant, which does not name it. */
const addressDigest = (merchant: Wallet, address: string): string => sha256(`${merchant} ${address.toLowerCase()}`);

/**
 * Sends the messages of the queue until it is stopped, one at a time, so that a crash repeats one at most. Any number
 * of workers may run at once. Without an SMTP server it does nothing.
 */
export function startMailWorker(deps: MailWorkerDeps, compose: Compose): { stop(): Promise<void> } {
  const { mail } = deps.settings;
  if (mail === null) return { stop: async () => {} };
  const smtp = openSmtp(mail.smtpUrl);
  const post = reporting(deps, smtp);
  const worker = workOn<MailJob>(deps.db, deps.log, MAIL_QUEUE, ([job]) =>
    sendOne(deps, mail, compose, post, job as MailJob),
  );
  return {
    async stop() {
      await worker.stop();
      smtp.close();
    },
  };
}

type Post = (letter: Letter) => Promise<Posted>;

/** Logs when the server is lost and when it is back, in place of a line for each message. */
function reporting({ log }: MailWorkerDeps, smtp: Smtp): Post {
  let away = false;
  return async (letter) => {
    const posted = await smtp.send(letter);
    if ((posted.outcome === 'later') !== away) {
      away = !away;
      if (away)
        log.error({ alert: 'smtp_unavailable', words: posted.words }, 'e-mail waits: the SMTP server takes none');
      else log.info({}, 'the SMTP server takes e-mail again');
    }
    return posted;
  };
}

/** Sends one message, if there is still something to say. Whatever ends it is written in its row. */
async function sendOne(
  deps: MailWorkerDeps,
  config: MailConfig,
  compose: Compose,
  post: Post,
  job: MailJob,
): Promise<unknown> {
  const { db } = deps;
  const now = deps.clock();
  const [mail] = await db.run(ONE, job);
  if (mail?.state !== 'pending') return;
  if (now - mail.queuedAt > PATIENCE_MS) return end(db, mail, 'failed', now, mail.answer ?? 'waited too long');
  const composed = await compose(mail);
  if ('dropped' in composed) return end(db, mail, 'dropped', now, composed.dropped);
  const digest = addressDigest(job.merchant, composed.to);
  if ((await db.run(REFUSED, { merchant: job.merchant, digest })).length > 0)
    return end(db, mail, 'dropped', now, 'the server has refused this address before');
  if (!(await readLimit(db, config, job.merchant, now)).maySend) {
    await note(db, mail, 'waits: the limit of a day is reached');
    return LATER;
  }
  const messageId = `${mail.id}@${config.from.slice(config.from.lastIndexOf('@') + 1)}`;
  const posted = await post({ ...composed, messageId, at: mail.queuedAt });
  if (posted.outcome === 'later') {
    await note(db, mail, posted.words);
    return LATER;
  }
  if (posted.outcome === 'sent') return end(db, { ...mail, sent: mail.sent + 1 }, 'sent', deps.clock(), posted.words);
  return end(db, mail, 'failed', deps.clock(), posted.words, posted.address ? digest : null);
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
  refusedDigest: string | null = null,
): Promise<void> {
  await db.transaction((uow) =>
    moveMails(uow.db, to, now)
      .set({ sent, answer, refusedDigest })
      .where('merchant', '=', merchant)
      .where('id', '=', id)
      .execute(),
  );
}
