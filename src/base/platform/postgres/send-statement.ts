import { refuse } from '../../core/errors.ts';
import { statements, workBegins } from '../../core/observed.ts';
import { traced } from '../../core/traced.ts';
import { isDatabaseAway } from '../log/outage.ts';
import { cutAfter } from './pg-stream.ts';
import type { PipelinedConnection } from './pipelined-connection.ts';
import type { Statement } from './query.ts';

interface Sending {
  /** Whether PostgreSQL prepares statements under their names. A pooler in transaction mode does not allow it. */
  readonly named: boolean;
  /** After this time without an answer the connection is closed. */
  readonly limitMs: number;
}

/**
 * Sends a statement and resolves with its rows. Throws `datastore_unavailable` if the database cannot be reached.
 * Traces and metrics show each statement.
 */
export function sendStatement<Row>(
  connection: PipelinedConnection,
  statement: Statement,
  parameters: readonly unknown[],
  sending: Sending,
): Promise<Row[]> {
  if (!workBegins.hasSubscribers) return execute<Row>(connection, statement, parameters, sending);
  const attributes = { 'db.system.name': 'postgresql' };
  return traced({ kind: 'statement', name: statement.name, attributes }, () =>
    execute<Row>(connection, statement, parameters, sending),
  );
}

async function execute<Row>(
  connection: PipelinedConnection,
  { name, text }: Statement,
  parameters: readonly unknown[],
  { named, limitMs }: Sending,
): Promise<Row[]> {
  const startedMs = statements.hasSubscribers ? performance.now() : 0;
  let failed = true;
  let answered = () => {};
  try {
    const found = connection.client();
    const client = found instanceof Promise ? await found : found;
    answered = cutAfter(client, limitMs);
    connection.gather(client);
    const result = await client.query({ ...(named && { name }), text, values: parameters as unknown[] });
    failed = false;
    return result.rows as Row[];
  } catch (error) {
    throw isDatabaseAway(error) ? refuse('datastore_unavailable') : error;
  } finally {
    answered();
    if (startedMs > 0) statements.publish({ name, startedMs, failed });
  }
}
