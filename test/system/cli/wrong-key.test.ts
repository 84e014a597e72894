import { expect, test } from 'vitest';
import { testDatabase } from '../../support/database.ts';
import { makeDataDir, runQuittance } from '../../support/program.ts';

const FAULT = /^KEY_ENCRYPTION_KEY: is not the key that this database was written with/;

test('with the wrong KEY_ENCRYPTION_KEY neither a server starts nor a command makes a key, and both name the variable', async () => {
  const env = {
    DATA_DIR: makeDataDir(),
    DATABASE_URL: await testDatabase(),
    KEY_ENCRYPTION_KEY: 'the right one',
    RPC_URL: 'http://127.0.0.1:1',
    PORT: '0',
  };
  const wrong = { ...env, KEY_ENCRYPTION_KEY: 'a wrong one' };
  const wallet = `0x${'ab'.repeat(20)}`;
  const created = runQuittance(['merchant', 'create', '--wallet', wallet, '--name', 'Shop'], { env });
  expect(await created.exit, created.stderr()).toMatchObject({ code: 0 });
  const issue = ['key', 'issue', '--wallet', wallet, '--scopes', 'orders:create'];
  const refused = [runQuittance(issue, { env: wrong }), runQuittance(['serve'], { env: wrong })];
  for (const program of refused) {
    expect(await program.exit).toMatchObject({ code: 1 });
    expect(
      program
        .stderr()
        .split('\n')
        .some((line) => FAULT.test(line)),
      program.stderr(),
    ).toBe(true);
    expect(program.stdout()).toBe('');
  }
  const issued = runQuittance(issue, { env });
  expect(await issued.exit, issued.stderr()).toMatchObject({ code: 0 });
});
