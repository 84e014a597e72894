import type { Socket } from 'node:net';
import type pg from 'pg';
import { afterLoopTime } from '../core/loop-time.ts';

/** The socket under a client, which the driver does not show: to hold writes back together, or to end a connection whose server may not answer. */
export const streamOf = (client: pg.ClientBase): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

/**
 * Ends a client's connection where the server does not answer in time, which fails all that waits for it: a server that hangs sends no error. Time in
 * which this process was blocked does not count. The returned function says that the answer is there.
 */
export function cutAfter(client: pg.ClientBase, limitMs: number): () => void {
  return afterLoopTime(limitMs, () => streamOf(client).destroy(new Error(`timeout: no answer within ${limitMs} ms`)));
}
