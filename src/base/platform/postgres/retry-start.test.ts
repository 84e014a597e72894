import pg from 'pg';
import { expect, test } from 'vitest';
import { testDatabase } from '../../../../test/support/database.ts';
import { openRelay } from '../../../../test/support/relay.ts';
import { retryStart } from './retry-start.ts';

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
