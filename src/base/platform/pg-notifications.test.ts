import { expect, onTestFinished, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { createLog } from './log/log.ts';
import { createOrm } from './orm.ts';
import { notify, startListener } from './pg-notifications.ts';
import { transact } from './unit-of-work.ts';

/** A handler that collects notifications, and a function that waits for the next one. */
function hearing() {
  const heard: (string | null)[] = [];
  let wake = () => {};
  return {
    heard,
    handler: (payload: string | null) => {
      heard.push(payload);
      wake();
    },
    async until(count: number) {
      while (heard.length < count) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

async function house() {
  const databaseUrl = await testDatabase();
  const orm = await createOrm(databaseUrl, (await import('../../app/entities.ts')).entities);
  onTestFinished(() => orm.close());
  const ear = hearing();
  const listener = await startListener(databaseUrl, { 'a channel': ear.handler }, createLog('silent'));
  onTestFinished(() => listener.close());
  return { deps: { orm }, ear, listener };
}

test('a committed notification is delivered, and a rolled back one is not', async () => {
  const { deps, ear } = await house();
  await transact(deps.orm, async (uow) => {
    await notify(uow, 'a channel', 'lost');
    throw new Error('no');
  }).catch(() => {});
  await transact(deps.orm, async (uow) => {
    await notify(uow, 'another channel', 'elsewhere');
    await notify(uow, 'a channel', "it's");
  });
  await ear.until(1);
  expect(ear.heard).toEqual(["it's"]);
});

test('after a lost connection it listens again, and reports that notifications may have been missed', async () => {
  const { deps, ear, listener } = await house();
  await deps.orm.em.fork().execute(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'quittance listener' and datname = current_database()`,
  );
  await ear.until(1);
  expect(ear.heard).toEqual([null]);
  expect(listener.listening()).toBe(true);
  await transact(deps.orm, (uow) => notify(uow, 'a channel', 'again'));
  await ear.until(2);
  expect(ear.heard).toEqual([null, 'again']);
});

test('a start without a database does not fail', async () => {
  const listener = await startListener('postgresql://missing@127.0.0.1:1/none', {}, createLog('silent'));
  expect(listener.listening()).toBe(false);
  await listener.close();
});
