import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { postgresUrl, startPostgres, stopPostgres } from '../../src/base/platform/embedded/postgres.ts';
import { preparePostgresHome } from '../../src/base/platform/embedded/postgres-home.ts';
import { makeDataDir } from './program.ts';

const CLUSTER = 'data-18';
const log = { warn: () => {} };

/** A PostgreSQL server of one test, and a streaming replica of it, by their addresses. Both end with the test. */
export async function startReplicated(): Promise<{ readonly primary: string; readonly standby: string }> {
  const password = randomUUID();
  const folders = [makeDataDir(), makeDataDir()] as const;
  const [own, copy] = folders.map((dataDir) => join(preparePostgresHome(dataDir).folder, CLUSTER)) as [string, string];
  const start = async (dataDir: string) => {
    const { record } = await startPostgres(dataDir, password, 'fast', log);
    onTestFinished(() => stopPostgres(record));
    return record;
  };
  // A copy of the files of a server that is stopped is a base backup.
  const { record } = await startPostgres(folders[0], password, 'fast', log);
  await stopPostgres(record);
  execFileSync('cp', ['-a', own, copy]);
  const { port } = await start(folders[0]);
  const place = `host=127.0.0.1 port=${port} user=quittance password=${password}`;
  appendFileSync(join(copy, 'postgresql.auto.conf'), `primary_conninfo = '${place}'\n`);
  writeFileSync(join(copy, 'standby.signal'), '');
  const replica = await start(folders[1]);
  return { primary: postgresUrl(port, password), standby: postgresUrl(replica.port, password) };
}
