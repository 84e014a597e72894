/**
 * `node test/bench/pooler.ts [--quick]`: what PgBouncer in transaction mode costs, as ratios of the same server behind
 * it and without it. Its CPU time counts as the server's.
 */
import { parseArgs } from 'node:util';
import { startPgbouncer } from '../support/services/pgbouncer.ts';
import { openEnvironment, openShop } from './environment.ts';
import { contestant } from './measure.ts';
import { ORDER, STATUS } from './paths.ts';
import { startServer } from './programs.ts';
import { compare } from './rounds.ts';
import { type Line, tableOf } from './table.ts';

const { values: options } = parseArgs({ options: { quick: { type: 'boolean' } } });
const { rounds, seconds } = options.quick ? { rounds: 3, seconds: 1 } : { rounds: 5, seconds: 3 };

const environment = await openEnvironment();
const { databasePid, env } = environment;
const direct = await startServer(env);
const pooler = await startPgbouncer(env.DATABASE_URL as string, 20);
const pooled = await startServer({
  ...env,
  DATABASE_URL: pooler.databaseUrl,
  DATABASE_SESSION_URL: env.DATABASE_URL,
  DATABASE_POOLER: 'transaction',
});
try {
  const shop = await openShop(environment, 1, 1_000);
  const lines: Line[] = [];
  for (const { name, connections, server } of [STATUS, ORDER]) {
    const load = { connections, next: server(shop) };
    const measuring = { seconds, databasePid };
    const ours = await contestant(
      { pid: pooled.pid, between: pooler.pid, load: { ...load, port: pooled.port } },
      measuring,
    );
    const theirs = await contestant({ pid: direct.pid, load: { ...load, port: direct.port } }, measuring);
    lines.push({ name, goal: 0, against: 'no pooler', ...(await compare(rounds, ours, theirs)) });
  }
  process.stdout.write(`${tableOf(lines)}\n`);
} finally {
  await pooled.stop();
  await direct.stop();
  await pooler.stop();
  await environment.stop();
}
