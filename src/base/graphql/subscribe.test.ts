import { GraphQLInt, GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql';
import { expect, test } from 'vitest';
import type { Caller } from '../core/caller.ts';
import { refuse } from '../core/errors.ts';
import type { Scope } from '../core/scopes.ts';
import type { Wallet } from '../core/wallet.ts';
import { createLocalBus } from '../platform/bus.ts';
import { follow } from '../platform/live-feed.ts';
import { createLog } from '../platform/log/log.ts';
import type { Context } from './context.ts';
import { createExecutor } from './execute.ts';
import type { Batch } from './groups.ts';
import { live } from './live.ts';
import type { Prepared } from './prepared.ts';
import { createSubscriptions, type Sink } from './subscribe.ts';

/** A stream of numbers with a history in memory. `executed` records each event and the caller of its execution. */
function scene() {
  const bus = createLocalBus();
  const history: number[] = [];
  /** The current state: the same objects for every subscriber. */
  const currentState = [{ n: 1 }, { n: 2 }, { n: 3 }];
  const executed: { n: number; caller: Caller }[] = [];
  const contexts = new Set<unknown>();
  const counter = (from: number) =>
    follow<number, number>(
      {
        bus,
        channel: 'numbers',
        read: async (after) => {
          const events = history.filter((n) => n > after).slice(0, 3);
          return { events, more: events.length === 3 };
        },
        positionOf: (n) => n,
        cursorOf: String,
        isAfter: (a, b) => a > b,
      },
      from,
    );
  const type = new GraphQLObjectType<number, Context>({
    name: 'N',
    extensions: { pothosOptions: { pages: ['receipt', 'plan', 'live'] } },
    fields: {
      n: {
        type: GraphQLInt,
        resolve(n, _args, context) {
          executed.push({ n, caller: context.caller });
          contexts.add(context);
          return n;
        },
      },
      label: { type: GraphQLString, args: { as: { type: GraphQLString } }, resolve: (n, { as }) => `${as}${n}` },
    },
  });
  const schema = new GraphQLSchema({
    query: new GraphQLObjectType({ name: 'Query', fields: { a: { type: GraphQLInt } } }),
    subscription: new GraphQLObjectType({
      name: 'Subscription',
      fields: {
        numbers: {
          type,
          args: { after: { type: GraphQLInt } },
          extensions: { cursorArg: 'after' },
          subscribe: (_root, { after }) => live(counter(after ?? history.length)),
          resolve: (n) => n,
        },
        standing: {
          type,
          subscribe: () =>
            live({
              ...counter(history.length),
              shared: true,
              read: async () => ({ events: currentState as never[], more: false }),
            }),
          resolve: ({ n }) => n,
        },
        news: {
          type,
          extensions: { sameForAll: true },
          subscribe: (_root, _args, { caller }) => {
            if (caller.kind === 'buyer') throw refuse('forbidden');
            return live(counter(history.length));
          },
          resolve: (n) => n,
        },
      },
    }),
  });
  const executor = createExecutor(schema);
  const state = { broken: false };
  const contextOf = (caller: Caller) => {
    if (state.broken) throw new Error('broken');
    return { caller, request: { correlationId: 'c' } } as Context;
  };
  const open = createSubscriptions(executor, contextOf, {
    log: createLog('silent'),
    settings: { baseUrl: 'https://pay.test' },
  });
  return {
    state,
    currentState,
    executed,
    contexts,
    /** Subscribes and returns what the subscriber receives. */
    async subscribe(text: string, variables: Record<string, unknown>, caller: Caller, more: Partial<Sink> = {}) {
      const prepared = executor.prepare(text) as Prepared;
      const heard: number[] = [];
      const batches: Batch[] = [];
      const sink: Sink = {
        send(batch) {
          batches.push(batch);
          for (const result of batch.results) {
            const { data } = JSON.parse(String(result));
            heard.push((data.numbers ?? data.news ?? data.standing).n);
          }
        },
        drained: () => {},
        end: () => {},
        ...more,
      };
      const stream = await open({ prepared, variables, caller, host: 'h', correlationId: 'opened' }, sink);
      if ('refused' in stream) throw new Error(String(stream.refused.errors));
      return { heard, batches, stop: stream.stop };
    },
    add(...numbers: number[]) {
      history.push(...numbers);
      bus.publish('numbers', '');
    },
  };
}

const key = (keyId: string, scopes: Scope[] = ['graphql:read'], merchant = '0xa'): Caller => ({
  kind: 'developer',
  merchant: merchant as Wallet,
  keyId,
  scopes: new Set(scopes),
  unlimited: false,
  limits: null,
});

const TEXT = 'subscription ($after: Int) { numbers(after: $after) { n } }';

test('a thousand subscribers with the same rights share one execution of an event, and its bytes, wherever they started', async () => {
  const { subscribe, add, executed } = scene();
  add(1, 2, 3, 4);
  const all = await Promise.all(
    Array.from({ length: 1_000 }, (_, i) => subscribe(TEXT, { after: i % 5 }, key(`k${i}`))),
  );
  await expect.poll(() => all.every(({ heard }) => heard.at(-1) === 4 || heard.length === 0)).toBe(true);
  executed.length = 0;
  add(5);
  await expect.poll(() => all.every(({ heard }) => heard.at(-1) === 5)).toBe(true);
  expect(executed.map(({ n }) => n)).toEqual([5]);
  expect(new Set(all.map(({ batches }) => batches.at(-1)?.results[0])).size).toBe(1);
  for (const [i, { heard }] of all.entries()) expect(heard).toEqual([1, 2, 3, 4, 5].slice(i % 5));
});

test('other rights, another merchant, other variables and another text are executed separately', async () => {
  const { subscribe, add, executed } = scene();
  const labelled = 'subscription ($as: String) { numbers { n label(as: $as) } }';
  await Promise.all([
    subscribe(TEXT, {}, key('a')),
    subscribe(TEXT, {}, key('b', ['graphql:read', 'receipts:read'])),
    subscribe(TEXT, {}, key('c', ['graphql:read'], '0xb')),
    subscribe(labelled, { as: 'x' }, key('d')),
    subscribe(labelled, { as: 'y' }, key('e')),
    subscribe(labelled, { as: 'y' }, key('f')),
  ]);
  await new Promise((resolve) => setImmediate(resolve));
  add(1);
  await expect.poll(() => executed.length).toBe(5);
});

test('shared events are executed without an identity, each with its own context; missed events with the subscriber’s identity', async () => {
  const { subscribe, add, executed, contexts } = scene();
  add(1);
  await subscribe(TEXT, { after: 0 }, key('own'));
  await expect.poll(() => executed.length).toBe(1);
  add(2);
  await expect.poll(() => executed.length).toBe(2);
  add(3);
  await expect.poll(() => executed.length).toBe(3);
  expect(executed.map(({ caller }) => (caller as { keyId: string }).keyId)).toEqual(['own', 'shared', 'shared']);
  expect(contexts.size).toBe(3);
});

test('events that are the same for all are executed once, anonymously, and unauthorized subscribers are still refused', async () => {
  const { subscribe, add, executed } = scene();
  const text = 'subscription { news { n } }';
  const session = { kind: 'session', sessionId: 's', wallet: '0x1', merchant: null } as unknown as Caller;
  const buyer: Caller = { kind: 'buyer', merchant: '0xa' as Wallet, receiptId: 'r' };
  const all = await Promise.all(
    [session, { ...session, wallet: '0x2' } as Caller, key('a'), key('b', [], '0xb'), { kind: 'visitor' } as const].map(
      (caller) => subscribe(text, {}, caller),
    ),
  );
  await expect(subscribe(text, {}, buyer)).rejects.toThrow();
  await new Promise((resolve) => setImmediate(resolve));
  add(1);
  await expect.poll(() => all.map(({ heard }) => heard)).toEqual(all.map(() => [1]));
  expect(executed).toEqual([{ n: 1, caller: { kind: 'anonymous' } }]);
  expect(new Set(all.map(({ batches }) => batches[0]?.results[0])).size).toBe(1);
});

test('the current state is executed once per set of rights, without an identity, and its bytes are shared', async () => {
  const { subscribe, currentState, executed } = scene();
  const text = 'subscription { standing { n } }';
  const first = await Promise.all(Array.from({ length: 100 }, (_, i) => subscribe(text, {}, key(`k${i}`))));
  await expect.poll(() => first.map(({ heard }) => heard.length)).toEqual(first.map(() => 3));
  const names = executed.map(({ n, caller }) => `${n} ${(caller as { keyId: string }).keyId}`);
  expect(names).toEqual(['1 shared', '2 shared', '3 shared']);
  expect(new Set(first.map(({ batches }) => batches[0]?.results[0])).size).toBe(1);
  currentState[1] = { n: 4 };
  const later = await subscribe(text, {}, key('later'));
  await expect.poll(() => later.heard).toEqual([1, 4, 3]);
  expect(executed.slice(3).map(({ n }) => n)).toEqual([4]);
  const other = await subscribe(text, {}, key('other', ['graphql:read', 'receipts:read']));
  await expect.poll(() => other.heard).toEqual([1, 4, 3]);
  expect(executed).toHaveLength(7);
});

test('a subscriber that stalls while catching up delays no other subscriber and misses nothing', async () => {
  const { subscribe, add } = scene();
  add(1, 2, 3, 4, 5, 6, 7);
  let flow: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    flow = resolve;
  });
  const slow = await subscribe(TEXT, { after: 0 }, key('slow'), { drained: () => gate });
  const quick = await subscribe(TEXT, { after: 0 }, key('quick'));
  for (let n = 8; n <= 20; n++) add(n);
  await expect.poll(() => quick.heard.length).toBe(20);
  expect(slow.heard).toEqual([1, 2, 3]);
  flow();
  await expect.poll(() => slow.heard.length).toBe(20);
  add(21);
  const counted = Array.from({ length: 21 }, (_, i) => i + 1);
  for (const { heard } of [slow, quick]) await expect.poll(() => heard).toEqual(counted);
});

test('a subscriber that joins during a burst of events receives each once and in order', async () => {
  const { subscribe, add } = scene();
  const readers: Awaited<ReturnType<typeof subscribe>>[] = [];
  for (let n = 1; n <= 300; n++) {
    add(n);
    if (n % 7 === 0) void subscribe(TEXT, { after: 0 }, key('k')).then((reader) => readers.push(reader));
    if (n % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
    if (n % 50 === 0) readers.shift()?.stop();
  }
  const counted = Array.from({ length: 300 }, (_, i) => i + 1);
  await expect.poll(() => readers.map(({ heard }) => heard.length)).toEqual(readers.map(() => 300));
  for (const { heard } of readers) expect(heard).toEqual(counted);
});

test('a stopped subscriber receives nothing more, and the last to leave closes the feed', async () => {
  const { subscribe, add, executed } = scene();
  const one = await subscribe(TEXT, {}, key('a'));
  await new Promise((resolve) => setImmediate(resolve));
  add(1);
  await expect.poll(() => one.heard).toEqual([1]);
  one.stop();
  add(2);
  await new Promise((resolve) => setImmediate(resolve));
  expect(one.heard).toEqual([1]);
  expect(executed).toHaveLength(1);
});

test('if an event cannot be executed, its subscribers’ streams end instead of leaving a gap', async () => {
  const { state, subscribe, add } = scene();
  const ended: (readonly Error[] | undefined)[] = [];
  await subscribe(TEXT, {}, key('a'), { end: (errors) => ended.push(errors) });
  await new Promise((resolve) => setImmediate(resolve));
  state.broken = true;
  add(1);
  await expect.poll(() => ended.length).toBe(1);
  expect(ended[0]?.[0]).toMatchObject({ extensions: { code: 'failed', correlationId: 'opened' } });
});
