import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { refuse } from '../../core/errors.ts';
import type { Logger } from './log.ts';
import { databaseAnswers, databaseRefused, logFailure } from './outage.ts';

interface Line {
  readonly level: string;
  readonly alert?: string;
  readonly message: string;
  readonly unlogged?: number;
}

const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });

function capture(): { log: Logger; lines: Line[] } {
  const lines: Line[] = [];
  const at = (level: string) => (fields: object, message: string) => void lines.push({ level, ...fields, message });
  return { log: { warn: at('warn'), error: at('error') } as unknown as Logger, lines };
}

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

test('an outage logs one alert at its start, one line per 30 s, and one line at its end', () => {
  const { log, lines } = capture();
  for (let second = 0; second < 65; second++) {
    for (let attempt = 0; attempt < 4; attempt++) databaseRefused(log, refused);
    logFailure(log, refuse('datastore_unavailable'), 'job queue');
    vi.advanceTimersByTime(1_000);
  }
  databaseAnswers(log);
  databaseAnswers(log);

  expect(lines).toEqual([
    { level: 'error', alert: 'database_unreachable', error: refused.message, message: 'the database is unreachable' },
    expect.objectContaining({ level: 'warn', message: 'the database is still unreachable', outageS: 30 }),
    expect.objectContaining({ level: 'warn', message: 'the database is still unreachable', outageS: 60 }),
    expect.objectContaining({ level: 'warn', message: 'the database answers again', outageS: 65 }),
  ]);
});

test('a failure just before the outage is recorded, or just after its end, adds no line', () => {
  const { log, lines } = capture();
  logFailure(log, new Error('Connection terminated unexpectedly'), 'job queue');
  databaseRefused(log, refused);
  vi.advanceTimersByTime(5_000);
  databaseAnswers(log);
  logFailure(log, new Error('Connection terminated unexpectedly'), 'cannot lead');
  vi.advanceTimersByTime(5_000);

  expect(lines.map(({ message }) => message)).toEqual(['the database is unreachable', 'the database answers again']);
});

test('a broken connection without an outage is logged as a warning once in 30 s', () => {
  const { log, lines } = capture();
  for (let second = 0; second < 40; second++) {
    logFailure(log, new Error('Connection terminated unexpectedly'), 'job queue');
    vi.advanceTimersByTime(1_000);
  }

  expect(lines.map(({ message, unlogged }) => [message, unlogged])).toEqual([
    ['job queue', undefined],
    ['job queue', 29],
  ]);
});

test('a failure with another cause is logged every time, also during an outage', () => {
  const { log, lines } = capture();
  databaseRefused(log, refused);
  logFailure(log, new Error('column "x" does not exist'), 'sweep failed');
  logFailure(log, new Error('column "x" does not exist'), 'sweep failed');

  expect(lines.map(({ message }) => message).slice(1)).toEqual(['sweep failed', 'sweep failed']);
});
