import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import type { Program } from '../support/program.ts';
import { type Inspector, openInspector } from './inspector.ts';

/** A process at one moment. */
export interface ProcessSample {
  readonly rssMiB: number;
  readonly heapMiB: number;
  readonly descriptors: number;
  readonly resources: number;
  /** Processor time since its start, seconds. */
  readonly cpuS: number;
}

/** Everything at one moment. */
export interface Sample {
  readonly minute: number;
  readonly requests: number;
  readonly web: ProcessSample;
  readonly worker: ProcessSample;
  readonly connections: number;
  /** The dead rows of tables with more than 1,000 rows, as a share of all their rows. */
  readonly deadShare: number;
}

/** Clock ticks per second, on every Linux that Node runs on. */
const TICKS = 100;

/** Watches a process from outside and inside. */
export async function watchProcess(program: Program) {
  const inspector: Inspector = await openInspector(program);
  const folder = `/proc/${program.child.pid}`;
  return {
    async look(): Promise<ProcessSample> {
      const inside = await inspector.look();
      const status = readFileSync(`${folder}/status`, 'utf8');
      const stat = readFileSync(`${folder}/stat`, 'utf8');
      // The fields after the command's name; user and system time are the 14th and 15th of all.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return {
        ...inside,
        rssMiB: Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1_024,
        descriptors: readdirSync(`${folder}/fd`).length,
        cpuS: (Number(fields[11]) + Number(fields[12])) / TICKS,
      };
    },
    close: () => inspector.close(),
  };
}

/** What PostgreSQL says of a database. */
export async function lookAtDatabase(client: pg.Client): Promise<Pick<Sample, 'connections' | 'deadShare'>> {
  const { rows } = await client.query<{ connections: number; dead: number | null }>(`
    select (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
           (select sum(n_dead_tup)::float8 / nullif(sum(n_live_tup + n_dead_tup), 0)
              from pg_stat_user_tables where n_live_tup > 1000) as dead`);
  return { connections: rows[0]!.connections, deadShare: rows[0]!.dead ?? 0 };
}
