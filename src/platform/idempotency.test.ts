import { expect, test } from 'vitest';
import { runIn } from '../../test/support/statement.ts';
import { refuse } from '../core/errors.ts';
import { sweepNonces, sweepSessions } from '../gateway/sweep.ts';
import { OTHER_SHOP, SHOP, testDeps } from '../keys/test/deps.ts';
import { ANSWER_MS, type RepeatableRequest, sweepAnswers, withIdempotencyKey } from './idempotency.ts';
import type { UnitOfWork } from './unit-of-work.ts';

async function house() {
  const deps = await testDeps();
  await deps.orm.em.fork().execute('create table made (id serial)');
  const made = async () => (await deps.orm.em.fork().execute<object[]>('select 1 from made')).length;
  const work = async (uow: UnitOfWork) => {
    const [row] = await runIn<{ id: number }>(uow, 'insert into made default values returning id');
    return { zebra: 1, id: row!.id, apple: 'é', list: [null, 1.5] };
  };
  const request: RepeatableRequest = {
    merchant: SHOP,
    operation: 'createOrder',
    key: 'k',
    body: { a: 1, b: { c: 2, d: 3 } },
  };
  return { deps, made, work, request };
}

test('twenty concurrent requests with one key run the work once, and all get its answer', async () => {
  const { deps, made, work, request } = await house();
  const answers = await Promise.all(Array.from({ length: 20 }, () => withIdempotencyKey(deps, request, work)));
  expect(await made()).toBe(1);
  for (const answer of answers) expect(JSON.stringify(answer)).toBe(JSON.stringify(answers[0]));
});

test('a body with its keys in another order is the same body, and another body is refused', async () => {
  const { deps, made, work, request } = await house();
  const first = await withIdempotencyKey(deps, request, work);
  expect(await withIdempotencyKey(deps, { ...request, body: { b: { d: 3, c: 2 }, a: 1 } }, work)).toEqual(first);
  await expect(withIdempotencyKey(deps, { ...request, body: { a: 2 } }, work)).rejects.toMatchObject({
    code: 'invalid_input',
    status: 400,
  });
  expect(await made()).toBe(1);
});

test('a key belongs to its merchant and its operation', async () => {
  const { deps, made, work, request } = await house();
  await withIdempotencyKey(deps, request, work);
  await withIdempotencyKey(deps, { ...request, merchant: OTHER_SHOP, body: {} }, work);
  await withIdempotencyKey(deps, { ...request, operation: 'createReceipt', body: {} }, work);
  expect(await made()).toBe(3);
});

test('refused work stores nothing, and the next request runs it again', async () => {
  const { deps, made, work, request } = await house();
  const failing = async (uow: UnitOfWork) => {
    await work(uow);
    throw refuse('split_required');
  };
  await expect(withIdempotencyKey(deps, request, failing)).rejects.toMatchObject({ code: 'split_required' });
  expect(await made()).toBe(0);
  await withIdempotencyKey(deps, request, work);
  expect(await made()).toBe(1);
});

test('one of the waiting requests takes over from a failed one', async () => {
  const { deps, made, work, request } = await house();
  let calls = 0;
  const failingOnce = async (uow: UnitOfWork) => {
    const answer = await work(uow);
    if (calls++ === 0) throw refuse('failed');
    return answer;
  };
  const outcomes = await Promise.allSettled(
    Array.from({ length: 5 }, () => withIdempotencyKey(deps, request, failingOnce)),
  );
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect(await made()).toBe(1);
});

test('after 24 hours a key may be used again, swept or not', async () => {
  const { deps, made, work, request } = await house();
  await withIdempotencyKey(deps, request, work);
  deps.advance(ANSWER_MS - 1);
  await withIdempotencyKey(deps, request, work);
  expect(await made()).toBe(1);
  deps.advance(1);
  await withIdempotencyKey(deps, { ...request, body: 'other' }, work);
  expect(await made()).toBe(2);
});

test.each(['', 'x'.repeat(257), 'a\0b'])('a key that cannot be stored is refused: %#', async (key) => {
  const { deps, work, request } = await house();
  await expect(withIdempotencyKey(deps, { ...request, key }, work)).rejects.toMatchObject({ code: 'invalid_input' });
});

test('sweeping deletes only expired answers', async () => {
  const { deps, work, request } = await house();
  await withIdempotencyKey(deps, request, work);
  const em = deps.orm.em.fork();
  const now = deps.clock();
  await em.execute(
    `insert into login_nonces (nonce, wallet, host, issued_at, expires_at) select 'n' || i, ?, 'h', 0, i from generate_series(?::bigint - 6000, ?::bigint + 5) as i`,
    [SHOP, now, now],
  );
  await em.execute(
    `insert into sessions (id, wallet, created_at, expires_at) values ('old', ?, 0, ?), ('new', ?, 0, ?)`,
    [SHOP, now, SHOP, now + 1],
  );
  const sweepAll = async () => [
    await sweepNonces(deps),
    await sweepSessions(deps, deps.clock()),
    await sweepAnswers(deps),
  ];
  expect(await sweepAll()).toEqual([6001, 1, 0]);
  deps.advance(ANSWER_MS);
  expect(await sweepAll()).toEqual([5, 1, 1]);
});
