import { Refusal } from '../../core/errors.ts';
import { keptBy } from '../../core/kept.ts';
import { type Logger, wholeLog } from './log.ts';

/** The interval of log lines during an outage of the database, and between failures that it causes. */
const REPEAT_MS = 30_000;
/** How long a failure waits for the report of an outage, whose line then replaces its own. */
const PROOF_MS = 1_000;

/** The state of one database as seen by this process, per logger of a process. */
interface Watch {
  /** When the outage began (`performance.now()`); null while the database answers. */
  since: number | null;
  lastLineAt: number;
  /** The number of failures since the last line that were not logged. */
  unlogged: number;
  /** The duration of earlier outages. */
  endedMs: number;
}

const watchOfWhole = keptBy(
  'outage of the database',
  (_log: Logger): Watch => ({ since: null, lastLineAt: Number.NEGATIVE_INFINITY, unlogged: 0, endedMs: 0 }),
);
const watchOf = (part: Logger): Watch => watchOfWhole(wholeLog(part));

/**
 * Records that a connection to the database was refused or timed out. The first record of an outage logs the alert
 * `database_unreachable`.
 */
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

/** Records a new connection to the database. It logs the end of an outage. */
export function databaseAnswers(log: Logger): void {
  const watch = watchOf(log);
  if (watch.since === null) return;
  const now = performance.now();
  log.warn(stateOf(watch, now), 'the database answers again');
  watch.endedMs += now - watch.since;
  // Work that began during the outage may still fail because of it.
  Object.assign(watch, { since: null, lastLineAt: now, unlogged: 0 });
}

/** For how long this process could not reach the database, ms, with the present outage. */
export function outageMs(log: Logger): number {
  const { since, endedMs } = watchOf(log);
  return endedMs + (since === null ? 0 : performance.now() - since);
}

/**
 * Logs that background work failed and will be retried. Failures caused by an outage of the database are not logged
 * separately during the outage. Without a recorded outage they are logged at most once in 30 s.
 *
 * @param level the level for failures with any other cause
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

/** Whether an error, or a refusal made from one, means that the database cannot be reached. */
export const isOutage = (error: unknown): boolean =>
  error instanceof Refusal ? error.code === 'datastore_unavailable' : isDatabaseAway(error);

const stateOf = ({ since, unlogged }: Watch, now: number, error?: unknown) => ({
  ...(error === undefined ? {} : { error: messageOf(error) }),
  outageS: Math.round((now - (since ?? now)) / 1_000),
  unlogged,
});

const messageOf = (error: unknown): string => {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || code || String(error);
};

/** Errors that mean that the server is gone or shutting down, not that the statement is wrong. */
const AWAY =
  /terminat|ECONN|EPIPE|ETIMEDOUT|timeout|not queryable|Connection ended|starting up|shutting down|recovery mode/i;

/**
 * The server takes no writes: it is a standby, also one that has been elected and is not the primary yet. A write that
 * needs a transaction's number or a lock fails there with the second form.
 */
const READ_ONLY = '25006';
const IN_RECOVERY = /(?:during|while) recovery/i;

/** Whether an error means that the database cannot be reached or written, rather than that it refused a statement. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: string }).code ?? '';
  if (code === READ_ONLY || IN_RECOVERY.test(error.message)) return true;
  return code.startsWith('57P') || code.startsWith('08') || AWAY.test(code) || AWAY.test(error.message);
}
