import { once } from 'node:events';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { runAsLeader } from './leadership.ts';
import { createLog } from './log/log.ts';

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

test('of two processes one leads, and one leads again when the leader loses its connection', async () => {
  const databaseUrl = await testDatabase();
  const client = await connect(databaseUrl);
  const turns: string[] = [];
  const start = (name: string) => {
    const leadership = runAsLeader({
      databaseUrl,
      name: 'a test',
      log: createLog('silent'),
      async task(signal) {
        turns.push(name);
        if (!signal.aborted) await once(signal, 'abort');
        turns.push(`${name} ends`);
      },
    });
    onTestFinished(() => leadership.stop());
  };
  const connections = async () => {
    const { rows } = await client.query<{ pid: number; holds: boolean }>(
      `select a.pid, exists (select 1 from pg_locks l where l.pid = a.pid and l.locktype = 'advisory' and l.granted) as holds
         from pg_stat_activity a where a.datname = current_database() and a.application_name = 'quittance a test'`,
    );
    return rows;
  };
  start('one');
  await vi.waitFor(() => expect(turns).toEqual(['one']));
  start('two');
  await vi.waitFor(async () => expect(await connections()).toHaveLength(2));
  expect(turns).toEqual(['one']);
  const holder = (await connections()).find(({ holds }) => holds)!;
  await client.query('select pg_terminate_backend($1)', [holder.pid]);
  await vi.waitFor(() => expect(turns).toHaveLength(3));
  // The other process may take the lock before the first one has noticed that its connection is lost.
  expect(turns.slice(1)).toEqual(expect.arrayContaining(['one ends', expect.stringMatching(/^(one|two)$/)]));
});

test('a process that stops while it takes the lock does not start its task', async () => {
  const databaseUrl = await testDatabase();
  for (let i = 0; i < 5; i++) {
    const query = vi.spyOn(pg.Client.prototype, 'query');
    const started: boolean[] = [];
    const leadership = runAsLeader({
      databaseUrl,
      name: 'a test',
      log: createLog('silent'),
      task: async ({ aborted }) => void started.push(aborted),
    });
    await vi.waitFor(() => expect(query).toHaveBeenCalled(), { interval: 1 });
    query.mockRestore();
    await leadership.stop();
    expect(started).not.toContain(true);
  }
});
