import { buildSchema } from 'graphql';
import { expect, test } from 'vitest';
import { ANONYMOUS } from '../core/caller.ts';
import type { Refusal } from '../core/errors.ts';
import type { Context } from './context.ts';
import { createExecutor } from './execute.ts';
import type { Prepared } from './prepared.ts';

const schema = buildSchema(
  'type Query { now: Int later: Int } type Mutation { later: Int chargeDueSubscriptions: Int }',
);
const prepare = (text: string) => createExecutor(schema).prepare(text) as Prepared;
const context = { caller: ANONYMOUS } as Context;
const never = { later: () => new Promise<number>(() => {}) };

test('a query and a mutation that do not end are answered with an error within ten seconds', async () => {
  const startedMs = performance.now();
  const results = await Promise.all(
    ['{later}', 'mutation{later}'].map((text) => prepare(text).run(context, {}, never)),
  );
  expect(performance.now() - startedMs).toBeLessThan(10_500);
  for (const { data, errors } of results) {
    expect(data).toBeUndefined();
    expect(errors).toHaveLength(1);
    expect(errors![0]!.originalError as Refusal).toMatchObject({ code: 'failed', status: 500 });
  }
}, 20_000);

test('an operation that ends has its own result, and one that fails has its own error', async () => {
  const result = (root: object) => prepare('{later}').run(context, {}, root);
  expect(await result({ later: async () => 7 })).toEqual({ data: { later: 7 } });
  const { errors } = await result({ later: () => Promise.reject(new Error('broken')) });
  expect(errors!.map(({ message }) => message)).toEqual(['broken']);
});

test('the daily batch of charges has no deadline', async () => {
  const { promise, resolve } = Promise.withResolvers<number>();
  let answered = false;
  const running = Promise.resolve(
    prepare('mutation{chargeDueSubscriptions}').run(context, {}, { chargeDueSubscriptions: () => promise }),
  ).finally(() => {
    answered = true;
  });
  const limited = await prepare('{later}').run(context, {}, never);
  expect(limited.errors).toHaveLength(1);
  expect(answered).toBe(false);
  resolve(3);
  expect(await running).toEqual({ data: { chargeDueSubscriptions: 3 } });
}, 20_000);
