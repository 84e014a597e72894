import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { preparePostgresHome } from '../../src/base/platform/embedded/postgres-home.ts';
import { nodesOf, type PlanNode } from './plan-nodes.ts';

/** A statement that PostgreSQL has executed. */
export interface Executed {
  readonly text: string;
  /** The tables and partitions that it really read, or wrote to. */
  readonly tables: readonly string[];
}

const SETTINGS = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'warning',
  // The plans of tables that are too large to be read whole.
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
};

/**
 * Lets the embedded PostgreSQL of a data directory explain and analyze each statement of later sessions. Returns what
 * reads the executed ones from its log.
 */
export async function explainAll(dataDir: string, databaseUrl: string): Promise<() => Executed[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("load 'auto_explain'");
  const database = client.escapeIdentifier(new URL(databaseUrl).pathname.slice(1));
  for (const [name, value] of Object.entries(SETTINGS))
    await client.query(`alter database ${database} set ${name} = ${value}`);
  await client.end();
  const file = join(preparePostgresHome(dataDir).folder, 'postgres.log');
  const begin = statSync(file).size;
  return () => {
    const log = readFileSync(file).subarray(begin).toString();
    return [...log.matchAll(/ {2}plan:\n((?:\t.*\n)+)/g)].map(([, json = '']) => {
      const { 'Query Text': text, Plan: plan } = JSON.parse(json) as { 'Query Text': string; Plan: PlanNode };
      const run = nodesOf(plan).filter((node) => node['Actual Loops'] > 0);
      return { text, tables: [...new Set(run.flatMap((node) => node['Relation Name'] ?? []))] };
    });
  };
}
