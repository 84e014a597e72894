import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { sources } from '../../../test/gates/sources.ts';
import { testDatabase, testSql } from '../../../test/support/database.ts';
import { runStatement } from '../../../test/support/statement.ts';
import { JOB_TABLES_VERSION } from './job-table.ts';
import { createJobs } from './jobs.ts';
import { createLog } from './log/log.ts';

test('the statements on the tables of pg-boss are written for the version of the installed package', () => {
  const { pgboss } = createRequire(import.meta.url)('pg-boss/package.json') as { pgboss: { schema: number } };
  expect(pgboss.schema).toBe(JOB_TABLES_VERSION);
});

test('a server does not start on a job queue with tables of another version', async () => {
  const databaseUrl = await testDatabase();
  const sql = await testSql(databaseUrl);
  await runStatement(sql, { name: 'test-newer', text: 'update pgboss.version set version = version + 1' }, []);
  const starting = createJobs(databaseUrl, createLog('silent'));
  await expect(starting).rejects.toThrow(`version ${JOB_TABLES_VERSION + 1}; this server needs`);
});

test('no other file names a table of pg-boss', () => {
  const naming = sources().filter(({ path, text }) => path.startsWith('src/') && /\bpgboss\.\w/.test(text));
  expect(naming.map(({ path }) => path).filter((path) => !path.includes('.test.'))).toEqual([
    'src/base/platform/job-table.ts',
  ]);
});
