import type { Deps } from '../platform/deps.ts';
import { ANSWER_MS } from '../platform/idempotency.ts';
import { type Statement, statement } from '../platform/sql.ts';

/** The number of rows per statement, so that no statement holds locks for long. */
const BATCH = 5_000;

const sweep = (table: string, column: string): Statement =>
  statement(
    `sweep_${table}`,
    `with deleted as (
       delete from ${table} where ctid in (select ctid from ${table} where ${column} <= $1 limit ${BATCH}) returning 1
     ) select count(*) as count from deleted`,
  );

const nonces = sweep('login_nonces', 'expires_at');
const sessions = sweep('sessions', 'expires_at');
const answers = sweep('idempotent_answers', 'created_at');

/**
 * Deletes expired login challenges, sessions and stored responses of Idempotency-Keys. Returns the number of each.
 * Called periodically by a worker.
 */
export async function sweepGateway(
  deps: Pick<Deps, 'sql' | 'clock'>,
): Promise<{ nonces: number; sessions: number; answers: number }> {
  const now = deps.clock();
  return {
    nonces: await sweepAll(deps, nonces, now),
    sessions: await sweepAll(deps, sessions, now),
    answers: await sweepAll(deps, answers, now - ANSWER_MS),
  };
}

async function sweepAll({ sql }: Pick<Deps, 'sql'>, batch: Statement, until: number): Promise<number> {
  for (let total = 0; ; ) {
    const [row] = await sql.rows<{ count: number }>(batch, [until]);
    total += row!.count;
    if (row!.count < BATCH) return total;
  }
}
