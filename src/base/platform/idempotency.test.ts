import { expect, test } from 'vitest';
import { runIn } from '../../../test/support/statement.ts';
import { sweepNonces, sweepSessions } from '../../domain/access/gateway/sweep.ts';
import { OTHER_SHOP, SHOP, testDeps } from '../../domain/access/keys/test/deps.ts';
import { refuse } from '../core/errors.ts';
import {
  ANSWER_MS,
  bodyDigest,
  eraseAnswers,
  type RepeatableRequest,
  repeatableOf,
  storeAnswer,
  sweepAnswers,
  withIdempotencyKey,
} from './idempotency.ts';
import type { UnitOfWork } from './unit-of-work.ts';

async function house() {
  const deps = await testDeps();
  await deps.db.orm.em.fork().execute('create table made (id serial)');
  const made = async () => (await deps.db.orm.em.fork().execute<object[]>('select 1 from made')).length;
  const work = async (uow: UnitOfWork) => {
    const [row] = await runIn<{ id: number }>(uow, 'insert into made default values returning id');
    return { zebra: 1, id: row!.id, apple: 'é', list: [null, 1.5] };
  };
  const request: RepeatableRequest = {
    merchant: SHOP,
    operation: 'createOrder',
    key: 'k',
    digest: bodyDigest({ a: 1, b: { c: 2, d: 3 } }),
  };
  return { deps, made, work, request };
}

test('twenty concurrent requests with one key run the work once, and all get its answer', async () => {
  const { deps, made, work, request } = await house();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => withIdempotencyKey(deps.db, deps.clock(), request, work)),
  );
  expect(await made()).toBe(1);
  for (const answer of answers) expect(JSON.stringify(answer)).toBe(JSON.stringify(answers[0]));
});

test('a body with its keys in another order is the same body, and another body is refused', async () => {
  const { deps, made, work, request } = await house();
  const first = await withIdempotencyKey(deps.db, deps.clock(), request, work);
  expect(
    await withIdempotencyKey(
      deps.db,
      deps.clock(),
      { ...request, digest: bodyDigest({ b: { d: 3, c: 2 }, a: 1 }) },
      work,
    ),
  ).toEqual(first);
  await expect(
    withIdempotencyKey(deps.db, deps.clock(), { ...request, digest: bodyDigest({ a: 2 }) }, work),
  ).rejects.toMatchObject({
    code: 'invalid_input',
    status: 400,
    message: 'This Idempotency-Key was used with another body',
    extra: { field: 'Idempotency-Key' },
  });
  expect(await made()).toBe(1);
});

test('a key belongs to its merchant and its operation', async () => {
  const { deps, made, work, request } = await house();
  await withIdempotencyKey(deps.db, deps.clock(), request, work);
  await withIdempotencyKey(deps.db, deps.clock(), { ...request, merchant: OTHER_SHOP, digest: bodyDigest({}) }, work);
  await withIdempotencyKey(
    deps.db,
    deps.clock(),
    { ...request, operation: 'createReceipt', digest: bodyDigest({}) },
    work,
  );
  expect(await made()).toBe(3);
});

test('refused work stores nothing, and the next request runs it again', async () => {
  const { deps, made, work, request } = await house();
  const failing = async (uow: UnitOfWork) => {
    await work(uow);
    throw refuse('split_required');
  };
  await expect(withIdempotencyKey(deps.db, deps.clock(), request, failing)).rejects.toMatchObject({
    code: 'split_required',
  });
  expect(await made()).toBe(0);
  await withIdempotencyKey(deps.db, deps.clock(), request, work);
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
    Array.from({ length: 5 }, () => withIdempotencyKey(deps.db, deps.clock(), request, failingOnce)),
  );
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect(await made()).toBe(1);
});

test('after 24 hours a key may be used again, swept or not', async () => {
  const { deps, made, work, request } = await house();
  await withIdempotencyKey(deps.db, deps.clock(), request, work);
  deps.advance(ANSWER_MS - 1);
  await withIdempotencyKey(deps.db, deps.clock(), request, work);
  expect(await made()).toBe(1);
  deps.advance(1);
  await withIdempotencyKey(deps.db, deps.clock(), { ...request, digest: bodyDigest('other') }, work);
  expect(await made()).toBe(2);
});

test.each(['', 'x'.repeat(257), 'a\0b'])('a key that cannot be stored is refused: %#', async (key) => {
  const { deps, work, request } = await house();
  await expect(withIdempotencyKey(deps.db, deps.clock(), { ...request, key }, work)).rejects.toMatchObject({
    code: 'invalid_input',
    message: 'Idempotency-Key must be 1 to 256 characters',
    extra: { field: 'Idempotency-Key' },
  });
});

test('a key of 256 characters is accepted', async () => {
  const { deps, made, work, request } = await house();
  for (let i = 0; i < 2; i++)
    await withIdempotencyKey(deps.db, deps.clock(), { ...request, key: 'x'.repeat(256) }, work);
  expect(await made()).toBe(1);
});

test('a request without a key is not repeatable', () => {
  expect([repeatableOf(null, 1), repeatableOf(undefined, 1)]).toEqual([null, null]);
  expect(repeatableOf('k', { a: 1 })).toEqual({ key: 'k', digest: bodyDigest({ a: 1 }) });
});

test('the digest of a body depends on its values and the order of its lists, and not on the order of its keys', () => {
  const same = [
    { a: 1, b: [{ c: 2, d: null }], e: 3 },
    { e: 3, b: [{ d: null, c: 2 }], a: 1 },
    { b: [{ c: 2, d: null }], e: 3, a: 1 },
  ];
  expect(new Set(same.map(bodyDigest)).size).toBe(1);
  const different = [same[0], { a: 1 }, [1, 2], [2, 1], { 0: 1, 1: 2 }, null, undefined, 'null', {}];
  expect(new Set(different.map(bodyDigest)).size).toBe(different.length);
  expect(bodyDigest(undefined)).toBe(bodyDigest(undefined));
});

test('an answer that was given without the database is stored, and replaces no answer of the last 24 hours', async () => {
  const { deps, made, work, request } = await house();
  const store = (key: string, answer: object) =>
    deps.db.transaction((uow) => storeAnswer(uow, { ...request, key, answer, at: deps.clock() }));
  await store('given', { id: 7 });
  expect(await withIdempotencyKey(deps.db, deps.clock(), { ...request, key: 'given' }, work)).toEqual({ id: 7 });
  expect(await made()).toBe(0);
  const first = await withIdempotencyKey(deps.db, deps.clock(), request, work);
  await store(request.key, { id: 'another' });
  expect(await withIdempotencyKey(deps.db, deps.clock(), request, work)).toEqual(first);
});

test('erasing sets fields to null in the answers of these records, and their keys still give them', async () => {
  const { deps, work, request } = await house();
  const answer = (id: string) => async () => ({ id, buyerEmail: 'ada@example.com', total: 3 });
  await withIdempotencyKey(deps.db, deps.clock(), request, answer('R-1'));
  await withIdempotencyKey(deps.db, deps.clock(), { ...request, key: 'other' }, answer('R-2'));
  await withIdempotencyKey(deps.db, deps.clock(), { ...request, merchant: OTHER_SHOP }, answer('R-1'));
  await eraseAnswers(deps.db, { merchant: SHOP, ids: ['R-1', 'R-3'] }, ['buyerEmail', 'name']);
  const answerOf = (of: Partial<RepeatableRequest>) =>
    withIdempotencyKey(deps.db, deps.clock(), { ...request, ...of }, work);
  expect(await answerOf({})).toEqual({ id: 'R-1', buyerEmail: null, total: 3 });
  expect(await answerOf({ key: 'other' })).toMatchObject({ id: 'R-2', buyerEmail: 'ada@example.com' });
  expect(await answerOf({ merchant: OTHER_SHOP })).toMatchObject({ id: 'R-1', buyerEmail: 'ada@example.com' });
});

test('sweeping deletes only expired answers', async () => {
  const { deps, work, request } = await house();
  await withIdempotencyKey(deps.db, deps.clock(), request, work);
  const em = deps.db.orm.em.fork();
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
    await sweepNonces(deps.db, deps.clock()),
    await sweepSessions(deps.db, deps.clock()),
    await sweepAnswers(deps.db, deps.clock()),
  ];
  expect(await sweepAll()).toEqual([6001, 1, 0]);
  deps.advance(ANSWER_MS);
  expect(await sweepAll()).toEqual([5, 1, 1]);
});
