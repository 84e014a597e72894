import { expect, test } from 'vitest';
import { sources } from './sources.ts';

/** What opens a connection that raises `error` events; an event without a listener ends the process. */
const OPENERS = /new pg\.Client\(|new (?:Redis|Cluster|PgBoss|WebSocket)\(|connectRedis\(\s|(?:net|tls)\.connect\(/;
const LISTENS = /\.on(?:ce)?\(\s*'error'/;

/** Gives the client to its callers, which listen. */
const HANDS_OUT = new Set(['src/platform/redis.ts']);

test('every file that opens a connection listens for its errors', () => {
  const opening = sources().filter(({ path, text }) => !isTest(path) && !HANDS_OUT.has(path) && OPENERS.test(text));
  expect(opening.length).toBeGreaterThan(5);
  expect(opening.filter(({ text }) => !LISTENS.test(text)).map(({ path }) => path)).toEqual([]);
});

const isTest = (path: string): boolean =>
  !path.startsWith('src/') || path.includes('/test/') || path.endsWith('.test.ts');
