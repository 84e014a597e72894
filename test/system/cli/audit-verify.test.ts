import pg from 'pg';
import { expect, test } from 'vitest';
import { testDatabase } from '../../support/database.ts';
import { makeDataDir, runQuittance } from '../../support/program.ts';

test('audit verify passes while the log is whole, and names the first entry that was changed', async () => {
  const databaseUrl = await testDatabase();
  const env = { DATA_DIR: makeDataDir(), DATABASE_URL: databaseUrl, RPC_URL: 'http://127.0.0.1:1' };
  const wallet = `0x${'ab'.repeat(20)}`;
  const run = async (...args: string[]) => {
    const program = runQuittance(args, { env });
    const { code } = await program.exit;
    return { code, out: program.stdout(), err: program.stderr() };
  };
  const created = await run('merchant', 'create', '--wallet', wallet, '--name', 'Shop');
  expect(created.code, created.err).toBe(0);
  const verified = await run('audit', 'verify', '--json');
  expect(verified.code, verified.err).toBe(0);
  const answer = JSON.parse(verified.out);
  expect(answer).toMatchObject({ ok: true, chains: [{ merchant: wallet, entries: 1, broken: null }] });

  const cut = await run('audit', 'verify', '--merchant', wallet, '--head', 'f'.repeat(64));
  expect([cut.code, cut.out]).toEqual([1, expect.stringContaining('BROKEN at entry 2')]);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query('select actor, action from audit_entries');
  expect(rows).toEqual([{ actor: 'command_line', action: 'merchant.registered' }]);
  await client.query(`update audit_entries set actor = 'server'`).finally(() => client.end());
  const broken = await run('audit', 'verify');
  expect([broken.code, broken.out]).toEqual([1, expect.stringContaining('BROKEN at entry 1: its content was changed')]);
});
