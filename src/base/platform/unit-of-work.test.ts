import { expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { openRelay } from '../../../test/support/relay.ts';
import { runIn } from '../../../test/support/statement.ts';
import { entities } from '../../app/entities.ts';
import { createOrm } from './orm.ts';
import { transact } from './unit-of-work.ts';

const work = (orm: Awaited<ReturnType<typeof createOrm>>) =>
  transact(orm, async (uow) => (await runIn<{ one: number }>(uow, 'select 1 as one'))[0]?.one);

test('the pool loses no connection when the database hangs and is then cut off during transactions', async () => {
  const relay = await openRelay(await testDatabase());
  const orm = await createOrm(relay.url, entities);
  const many = (count: number) => Promise.allSettled(Array.from({ length: count }, () => work(orm)));
  await many(12);
  relay.hang();
  for (const outcome of await many(12)) expect(outcome).toMatchObject({ reason: { code: 'datastore_unavailable' } });
  await relay.cut();
  for (const outcome of await many(12)) expect(outcome).toMatchObject({ reason: { code: 'datastore_unavailable' } });
  await relay.mend();
  for (const outcome of await many(24)) expect(outcome).toEqual({ status: 'fulfilled', value: 1 });
  await orm.close();
});

test('actions that wait for the commit do not run after a rollback', async () => {
  const orm = await createOrm(await testDatabase(), entities);
  const happened: string[] = [];
  await expect(
    transact(orm, async (uow) => {
      uow.afterCommit(() => happened.push('left'));
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  await transact(orm, async (uow) => uow.afterCommit(() => happened.push('committed')));
  expect(happened).toEqual(['committed']);
  await orm.close();
});

test('deadlocks are retried', async () => {
  const orm = await createOrm(await testDatabase(), entities);
  await transact(orm, (uow) => runIn(uow, 'create table slots (id int primary key, n int)'));
  await transact(orm, (uow) => runIn(uow, 'insert into slots values (1, 0), (2, 0)'));
  // Both lock one row before either requests the other, so the deadlock is certain.
  let holding = 0;
  let bothHold = () => {};
  const held = new Promise<void>((resolve) => {
    bothHold = resolve;
  });
  const raise = (first: number, second: number) =>
    transact(orm, async (uow) => {
      await runIn(uow, 'update slots set n = n + 1 where id = $1', [first]);
      if (++holding === 2) bothHold();
      await held;
      await runIn(uow, 'update slots set n = n + 1 where id = $1', [second]);
    });
  await Promise.all([raise(1, 2), raise(2, 1)]);
  const rows = await transact(orm, (uow) => runIn(uow, 'select n from slots order by id'));
  expect(rows).toEqual([{ n: 2 }, { n: 2 }]);
  await orm.close();
});
