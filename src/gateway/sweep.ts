import type { Deps } from '../platform/deps.ts';
import { ANSWER_MS } from '../platform/idempotency.ts';
import { type Statement, statement } from '../platform/sql.ts';

/** So many rows go at a time, so that no statement holds locks for long. */
const BATCH = 5_000;

const sweep = (table: string, column: string): Statement =>
  statement(
    `sweep_${table}`,
    `with gone as (
       delete from ${table} where ctid in (select ctid from ${table} where ${column} <= $1 limit ${BATCH}) returning 1
     ) select count(*) as count from gone`,
  );

const nonces = sweep('login_nonces', 'expires_at');
const sessions = sweep('sessions', 'expires_at');
const answers = sweep('idempotent_answers', 'created_at');

/** Deletes what has expired: login challenges, sessions and the answers of Idempotency-Keys. Answers how many of each. For a worker's timer. */
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
