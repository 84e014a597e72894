import { expect, test } from 'vitest';
import { sources } from './sources.ts';

/** Code that opens a connection with `error` events. An `error` event without a listener ends the process. */
const OPENERS = /new pg\.Client\(|new (?:Redis|Cluster|WebSocket)\(|connectRedis\(\s|(?:net|tls)\.connect\(/;
const LISTENS = /\.on(?:ce)?\(\s*'error'|\blogLoss\(/;

/** Files that return the client to callers, which add the listener. */
const RETURNS_CLIENT = new Set(['src/base/platform/redis/redis.ts']);

test('every file that opens a connection listens for its errors', () => {
  const opening = sources().filter(
    ({ path, text }) => !isTest(path) && !RETURNS_CLIENT.has(path) && OPENERS.test(text),
  );
  expect(opening.length).toBeGreaterThan(5);
  expect(opening.filter(({ text }) => !LISTENS.test(text)).map(({ path }) => path)).toEqual([]);
});

const isTest = (path: string): boolean =>
  !path.startsWith('src/') || path.includes('/test/') || path.endsWith('.test.ts');
