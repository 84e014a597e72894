import { expect, test } from 'vitest';
import { testDatabase } from '../../../../test/support/database.ts';
import { reachDatabase } from './reach-database.ts';

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
