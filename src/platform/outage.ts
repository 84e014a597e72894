import { Refusal } from '../core/errors.ts';
import { isDatabaseAway } from './database-away.ts';
import type { Logger } from './log.ts';

/** While the database is away, and between failures that have it as their cause, the log gets one line in this time. */
const REPEAT_MS = 30_000;
/** A failure waits this long for the proof of an outage, whose line then stands for it. */
const PROOF_MS = 1_000;

/** What a process knows of one database, by the log that it writes to. */
interface Watch {
  /** When the outage began (of `performance.now()`); null while the database answers. */
  since: number | null;
  lastLineAt: number;
  /** Failures without a line of their own since the last line. */
  unlogged: number;
}

const watches = new WeakMap<Logger, Watch>();

/** Reports that a connection to the database was refused or timed out: the first report logs the alarm `database_unreachable`. */
export function databaseRefused(log: Logger, error: unknown): void {
  const watch = watchOf(log);
  const now = performance.now();
  if (watch.since === null) {
    watch.since = now;
    watch.lastLineAt = now;
    watch.unlogged = 0;
    log.error({ alert: 'database_unreachable', error: messageOf(error) }, 'the database is unreachable');
  } else repeat(watch, () => log.warn(stateOf(watch, now, error), 'the database is still unreachable'));
}

/** Reports that a new connection to the database stands: after an outage it logs the end. */
export function databaseAnswers(log: Logger): void {
  const watch = watchOf(log);
  if (watch.since === null) return;
  const now = performance.now();
  log.warn(stateOf(watch, now), 'the database answers again');
  // Work that began in the outage may still fail: it belongs to it.
  Object.assign(watch, { since: null, lastLineAt: now, unlogged: 0 });
}

/**
 * Logs that background work failed and is tried again. Failures whose cause is that the database is away belong to one outage: they get no lines of
 * their own beside its lines, and at most one line in 30 s where no outage is proven.
 *
 * @param level of a failure with any other cause
 */
export function logFailure(
  log: Logger,
  error: unknown,
  message: string,
  fields: Readonly<Record<string, unknown>> = {},
  level: 'warn' | 'error' = 'warn',
): void {
  const line = { ...fields, error: messageOf(error) };
  if (!isOutage(error)) {
    log[level](level === 'error' ? { ...fields, err: error } : line, message);
    return;
  }
  const watch = watchOf(log);
  if (watch.since !== null) {
    watch.unlogged += 1;
    return;
  }
  repeat(watch, () => {
    const unlogged = watch.unlogged;
    const timer = setTimeout(() => {
      if (watch.since === null) log.warn({ ...line, ...(unlogged > 0 ? { unlogged } : {}) }, message);
    }, PROOF_MS);
    timer.unref();
  });
}

function repeat(watch: Watch, write: () => void): void {
  const now = performance.now();
  if (now - watch.lastLineAt < REPEAT_MS) {
    watch.unlogged += 1;
    return;
  }
  write();
  watch.lastLineAt = now;
  watch.unlogged = 0;
}

const isOutage = (error: unknown): boolean =>
  error instanceof Refusal ? error.code === 'datastore_unavailable' : isDatabaseAway(error);

function watchOf(log: Logger): Watch {
  const known = watches.get(log);
  if (known) return known;
  const watch: Watch = { since: null, lastLineAt: Number.NEGATIVE_INFINITY, unlogged: 0 };
  watches.set(log, watch);
  return watch;
}

const stateOf = ({ since, unlogged }: Watch, now: number, error?: unknown) => ({
  ...(error === undefined ? {} : { error: messageOf(error) }),
  outageS: Math.round((now - (since ?? now)) / 1_000),
  unlogged,
});

const messageOf = (error: unknown): string => {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || code || String(error);
};
