import { type Logger, pino } from 'pino';
import { keptBy } from '../../core/kept.ts';
import type { LogComponent, LogLevel } from '../../core/log-level.ts';

export type { Logger } from 'pino';

/** Names of pino's levels by their numbers. */
const LEVELS = pino.levels.labels;

/** Formats a JSON line of the log as plain text: time, level, message, then the other fields. */
export function readableLine(json: string): string {
  const { level, time, msg, ...fields } = JSON.parse(json) as Record<string, unknown>;
  const at = new Date(time as number).toISOString().slice(11, 23);
  const rest = Object.entries(fields).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return `${[at, (LEVELS[level as number] ?? String(level)).toUpperCase().padEnd(5), msg ?? '', ...rest].join(' ')}\n`;
}

/** Writes readable lines to a terminal. */
const terminal = { write: (json: string) => void process.stderr.write(readableLine(json)) };

/**
 * Creates the process's logger: JSON lines on stderr, because commands write their results to stdout. Credentials are
 * redacted. With `readable`, each line is plain text instead of JSON.
 */
export function createLog(level: string, { readable = false } = {}): Logger {
  return pino(
    {
      level,
      base: null,
      redact: {
        paths: [
          'req.headers',
          'headers',
          '*.headers',
          'key',
          '*.key',
          'signature',
          '*.signature',
          'cookie',
          '*.cookie',
          'token',
          '*.token',
          'privateKey',
          '*.privateKey',
        ],
        censor: '[redacted]',
      },
    },
    readable ? terminal : process.stderr,
  );
}

const partsOf = keptBy('loggers of components', (_log: Logger) => new Map<LogComponent, Logger>());
const wholeOf = keptBy('whole logger', (log: Logger) => ({ log }));

/** The logger of one component: it writes the same lines, at a level of its own. One for each process and component. */
export function componentLog(log: Logger, component: LogComponent): Logger {
  const known = partsOf(log);
  const part = known.get(component) ?? log.child({});
  known.set(component, part);
  wholeOf(part).log = log;
  return part;
}

/** The logger of the whole process, of which this may be a component's. */
export const wholeLog = (log: Logger): Logger => wholeOf(log).log;

/** Sets the level of one component, or of the whole process with all of them. */
export function setLevel(log: Logger, component: LogComponent | null, level: LogLevel): void {
  if (component !== null) {
    componentLog(log, component).level = level;
    return;
  }
  log.level = level;
  for (const part of partsOf(log).values()) part.level = level;
}
