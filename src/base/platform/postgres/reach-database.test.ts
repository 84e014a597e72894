import pg from 'pg';
import { expect, test } from 'vitest';
import { testDatabase } from '../../../../test/support/database.ts';
import { openRelay } from '../../../../test/support/relay.ts';
import { reachDatabase, retryStart } from './reach-database.ts';

test('a database that refuses the connection is a fault of DATABASE_URL, in one line without the password', async () => {
  const good = await testDatabase();
  await reachDatabase('DATABASE_URL', good);
  const changed = (change: Partial<URL>) => Object.assign(new URL(good), change).href;
  const wrong = {
    ECONNREFUSED: changed({ port: '1' }),
    ENOTFOUND: changed({ hostname: 'database.invalid' }),
    'does not exist': changed({ pathname: '/nowhere' }),
    'user "missing-user"': changed({ username: 'missing-user', password: 'open-sesame' }),
  };
  for (const [problem, url] of Object.entries(wrong)) {
    const fault = await reachDatabase('DATABASE_URL', url).catch((error: Error) => error);
    expect(fault, problem).toMatchObject({ name: 'ConfigFaults' });
    const { message } = fault as Error;
    expect(message).toMatch(/^DATABASE_URL: cannot be connected to: [^\n]+ \(for example DATABASE_URL=[^\n]+\)$/);
    expect(message).toContain(problem);
    expect(message).not.toContain('open-sesame');
  }
});

test('a start waits for a database that is away, and not for a statement that is wrong', async () => {
  const relay = await openRelay(await testDatabase());
  await relay.cut();
  let attempts = 0;
  const use = async (text: string) => {
    attempts += 1;
    if (attempts === 3) await relay.mend();
    const client = new pg.Client({ connectionString: relay.url });
    client.on('error', () => {});
    try {
      await client.connect();
      return (await client.query(text)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  };
  expect(await retryStart(() => use('select 1 as one'))).toEqual([{ one: 1 }]);
  expect(attempts).toBe(3);
  await expect(retryStart(() => use('select wrong'))).rejects.toMatchObject({ code: '42703' });
  expect(attempts).toBe(4);
});
