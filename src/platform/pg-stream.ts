import type { Socket } from 'node:net';
import type pg from 'pg';

/** The socket under a client, which the driver does not show: to hold writes back together, or to end a connection whose server may not answer. */
export const streamOf = (client: pg.ClientBase): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;
