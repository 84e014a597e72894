import type { Socket } from 'node:net';
import type pg from 'pg';
import { afterLoopTime } from '../../core/loop-time.ts';

/**
 * The socket of a client, which the driver does not expose. Used to combine writes, and to close a connection whose
 * server may not answer.
 */
export const streamOf = (client: pg.ClientBase): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

/**
 * Closes a client's connection after `limitMs`, which fails all its queries: a server that hangs sends no error. Time
 * in which this process is blocked does not count. Returns a function to call when the answer has arrived.
 */
export function cutAfter(client: pg.ClientBase, limitMs: number): () => void {
  return afterLoopTime(limitMs, () => streamOf(client).destroy(new Error(`timeout: no answer within ${limitMs} ms`)));
}
