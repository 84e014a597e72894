import { createServer } from 'node:net';
import { expect, inject, onTestFinished, test } from 'vitest';
import { entities } from '../../../src/app/entities.ts';
import { createDb } from '../../../src/base/platform/db.ts';
import { findFreePort } from '../../../src/base/platform/embedded/process.ts';
import { createLog } from '../../../src/base/platform/log/log.ts';
import { createOrm } from '../../../src/base/platform/orm.ts';
import { testDatabase } from '../../support/database.ts';
import { makeDataDir, runQuittance, until } from '../../support/program.ts';
import { openRelay } from '../../support/relay.ts';
import { startPgbouncer } from '../../support/services/pgbouncer.ts';
import { runStatement, statement } from '../../support/statement.ts';

interface Line {
  readonly level: number;
  readonly alert?: string;
  readonly msg: string;
}

test('an outage of the database is one alarm and one line at its end in the log of a server with its workers', async () => {
  const relay = await openRelay(await testDatabase());
  const server = runQuittance(['serve'], {
    env: {
      DATA_DIR: makeDataDir(),
      DATABASE_URL: relay.url,
      RPC_URL: inject('rpcUrl'),
      CHAIN_ID: String(inject('chainId')),
      PORT: String(await findFreePort()),
    },
  });
  const lines = () =>
    server
      .stderr()
      .split('\n')
      // The last one may not be complete yet.
      .slice(0, -1)
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Line);
  await until(() => lines().some(({ msg }) => msg === 'listening'), { program: server, timeoutMs: 60_000 });
  const before = lines().length;

  await relay.cut();
  // A server that ends every connection, so that the attempts can be counted.
  let attempts = 0;
  const gone = createServer((socket) => {
    attempts += 1;
    socket.on('error', () => {}).destroy();
  });
  onTestFinished(() => void gone.close());
  await new Promise<void>((resolve) => gone.listen(Number(new URL(relay.url).port), '127.0.0.1', resolve));
  await until(() => attempts > 30, { program: server, timeoutMs: 60_000 });
  await new Promise((resolve) => gone.close(resolve));
  await relay.mend();
  await until(() => lines().some(({ msg }) => msg === 'the database answers again'), { program: server });
  await until(
    () =>
      lines()
        .slice(before)
        .some(({ msg }) => msg === 'leads'),
    { program: server },
  );

  const trouble = lines()
    .slice(before)
    .filter(({ level, msg }) => level >= 40 && msg !== 'the database is still unreachable');

  expect(trouble.map(({ alert, msg }) => [alert, msg])).toEqual([
    ['database_unreachable', 'the database is unreachable'],
    [undefined, 'the database answers again'],
  ]);
});

test('an outage behind a pooler, which takes connections meanwhile, is one alarm and one line at its end', async () => {
  const relay = await openRelay(await testDatabase());
  const pooler = await startPgbouncer(relay.url);
  onTestFinished(pooler.stop);
  const lines: string[] = [];
  const line = (_: unknown, message: string) => lines.push(message);
  const log = Object.assign(createLog('silent'), { error: line, warn: line });
  const databaseUrl = Object.assign(new URL(pooler.databaseUrl), { search: '' }).href;
  const orm = await createOrm(databaseUrl, entities, { pooler: 'transaction' });
  const db = createDb(databaseUrl, orm, log, { pooler: 'transaction' });
  onTestFinished(async () => {
    await db.close();
    await orm.close();
  });
  const ask = () => runStatement(db, statement('outage-behind-pooler', 'select 1 as one'), []);
  const answers = () =>
    ask().then(
      () => true,
      () => false,
    );
  await ask();
  await relay.cut();
  const began = performance.now();
  // Each connection asks again after a quarter of a second.
  while (performance.now() - began < 6_000) await answers().then(() => new Promise(setImmediate));
  await relay.mend();
  await expect.poll(answers, { timeout: 60_000 }).toBe(true);
  await expect.poll(() => lines.at(-1), { timeout: 60_000 }).toBe('the database answers again');
  expect(lines.filter((message) => message !== 'the database is still unreachable')).toEqual([
    'the database is unreachable',
    'the database answers again',
  ]);
}, 120_000);
