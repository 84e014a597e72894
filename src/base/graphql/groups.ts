import { setImmediate } from 'node:timers/promises';
import type { ExecutionResult, GraphQLSchema } from 'graphql';
import { boundedCache, weakMemo } from '../core/caches.ts';
import type { Caller } from '../core/caller.ts';
import type { LiveFeed, Source } from '../platform/live-feed.ts';
import type { Context } from './context.ts';
import { type ErrorScope, formatError } from './errors.ts';
import type { Executor } from './execute.ts';
import { cursorVariable, type Prepared } from './prepared.ts';
import { ANONYMOUS_RIGHTS, type Rights, rightsOf } from './rights.ts';

/** What is subscribed to, and by which caller. */
export interface Subscription {
  readonly prepared: Prepared;
  readonly variables: Record<string, unknown>;
  readonly caller: Caller;
  /** The Host header of the request. */
  readonly host: string;
  /** Names the stream in the server's log. */
  readonly correlationId: string;
}

/** What the errors of streams are formatted with, beside the id of each execution. */
export type StreamScope = Omit<ErrorScope, 'correlationId'>;

/** Results as JSON bytes, serialized once for all subscribers. */
export interface Batch {
  readonly results: readonly Buffer[];
  /** The cursor of each result; empty if the stream has no cursors. */
  readonly cursors: readonly string[];
}

/** One subscriber within a group. */
interface Member {
  readonly source: Source<unknown>;
  take(batch: Batch): void;
  /** Ends the subscriber because events could not be executed. It resumes with its cursor and misses nothing. */
  fail(error: Error): void;
}

/** Subscribers that share executions. */
interface Groups {
  /** Returns the executor of events that all subscribers of a group read as the same objects. Each is executed once. */
  runShared(subscription: Subscription): Run;
  /** Adds a subscriber that has caught up to the live feed. The returned function removes it. */
  join(subscription: Subscription, member: Member): () => void;
}

/** Executes events in sequence and returns their serialized results. */
type Run = (events: readonly unknown[]) => Promise<Batch>;

/** Creates the executor of one operation's events for one caller. Each event gets a context of its own. */
export function runnerOf(
  subscription: Subscription,
  { cursorOf }: Source<unknown>,
  freshContext: () => Context,
  scope: StreamScope,
): Run {
  return inSequence(serializerOf(subscription, freshContext, scope), cursorOf);
}

type Serialize = (event: unknown) => Buffer | Promise<Buffer>;

function serializerOf(
  { prepared, variables }: Subscription,
  freshContext: () => Context,
  scope: StreamScope,
): Serialize {
  function bytesOf({ errors, data }: ExecutionResult, { request }: Context) {
    if (!errors) return Buffer.from(JSON.stringify({ data }));
    const { correlationId } = request;
    return Buffer.from(
      JSON.stringify({ errors: errors.map((error) => formatError(error, { ...scope, correlationId })), data }),
    );
  }
  return (event) => {
    const context = freshContext();
    const result = prepared.run(context, variables, event);
    return result instanceof Promise ? result.then((later) => bytesOf(later, context)) : bytesOf(result, context);
  };
}

function inSequence(serialize: Serialize, cursorOf?: Source<unknown>['cursorOf']): Run {
  return async (events) => {
    const results: Buffer[] = [];
    for (const event of events) {
      const bytes = serialize(event);
      results.push(bytes instanceof Promise ? await bytes : bytes);
    }
    return { results, cursors: cursorOf ? events.map(cursorOf) : [] };
  };
}

/** How many operations keep their shared results in the cache. The results of one may be large. */
const CACHED_RUNS = 16;

interface Group {
  join(member: Member): () => void;
}

/**
 * Creates the groups of a server. Subscribers share a group if feed, operation, variables, rights and host are equal.
 */
export function createGroups(
  executor: Executor,
  contextOf: (caller: Caller, host: string) => Context,
  scope: StreamScope,
): Groups {
  const groupsOf = weakMemo((_tail: LiveFeed<unknown>) => new Map<string, Group>());
  const cachedRuns = boundedCache<string, Run>({ max: CACHED_RUNS });

  /** The key and the rights that subscribers of a group share. */
  function groupOf({ prepared, variables, caller, host }: Subscription): { key: string; rights: Rights } {
    const rights = isSameForAll(executor.schema, prepared) ? ANONYMOUS_RIGHTS : rightsOf(caller);
    const cursor = cursorVariable(executor.schema, prepared);
    const effective = cursor === null ? variables : { ...variables, [cursor]: undefined };
    return { key: JSON.stringify([prepared.id, host, rights.key, effective]), rights };
  }
  const contextsFor =
    ({ host }: Subscription, { caller }: Rights) =>
    () =>
      contextOf(caller, host);

  return {
    runShared(subscription) {
      const { key, rights } = groupOf(subscription);
      const known = cachedRuns.get(key);
      if (known) return known;
      const serialize = weakMemo<object, ReturnType<Serialize>>(
        serializerOf(subscription, contextsFor(subscription, rights), scope),
      );
      const run = inSequence(serialize as Serialize);
      cachedRuns.set(key, run);
      return run;
    },
    join(subscription, member) {
      const { tail } = member.source;
      const { key, rights } = groupOf(subscription);
      const groups = groupsOf(tail);
      let group = groups.get(key);
      if (!group) {
        const run = runnerOf(subscription, member.source, contextsFor(subscription, rights), scope);
        group = openGroup(tail, member.source, run, () => groups.delete(key));
        groups.set(key, group);
      }
      return group.join(member);
    },
  };
}

/** Where a member joined the feed. It has already read older events itself, and possibly a few newer ones. */
interface Position {
  readonly since: number;
  joining: boolean;
}

/** The largest number of events executed as one batch. */
const AT_ONCE = 100;

/** An event waiting for execution, with the number of the feed's batch it arrived in. */
interface Waiting {
  readonly event: unknown;
  readonly number: number;
}

function openGroup(tail: LiveFeed<unknown>, { wants }: Source<unknown>, run: Run, closed: () => void): Group {
  const members = new Map<Member, Position>();
  const waiting: Waiting[] = [];
  let batches = 0;
  let running: Promise<void> | null = null;

  const unlisten = tail.listen((events) => {
    const number = batches++;
    for (const event of events) if (!wants || wants(event)) waiting.push({ event, number });
    if (waiting.length === 0) return;
    running ??= runWaiting();
    return running;
  });

  /** Executes batches in sequence, so that all members receive all events in order. */
  async function runWaiting(): Promise<void> {
    try {
      while (waiting.length > 0 && members.size > 0) {
        const some = waiting.splice(0, AT_ONCE);
        const batch = await run(some.map(({ event }) => event));
        for (const [member, position] of members) {
          if (position.joining) deliverFirst(member, position, some, batch);
          else member.take(batch);
        }
        // Yield to the event loop between batches, so that sockets are read.
        if (waiting.length > 0) await setImmediate();
      }
    } catch (error) {
      for (const member of [...members.keys()]) member.fail(error as Error);
    } finally {
      waiting.length = 0;
      running = null;
    }
  }

  /** Delivers the first events to a new member, without those that it has read itself. */
  function deliverFirst(member: Member, position: Position, events: readonly Waiting[], batch: Batch): void {
    const first = events.findIndex(({ event, number }) => number >= position.since && !member.source.hasRead(event));
    if (first < 0) return;
    position.joining = false;
    member.take(first === 0 ? batch : { results: batch.results.slice(first), cursors: batch.cursors.slice(first) });
  }

  return {
    join(member) {
      members.set(member, { since: batches, joining: true });
      return () => {
        members.delete(member);
        if (members.size > 0) return;
        unlisten();
        closed();
      };
    },
  };
}

/**
 * Whether all authorized subscribers receive the same events, as the root field declares in `extensions.sameForAll`.
 */
function isSameForAll(schema: GraphQLSchema, { survey }: Pick<Prepared, 'survey'>): boolean {
  const field = schema.getSubscriptionType()?.getFields()[survey.rootFields[0] as string];
  return (field?.extensions as { sameForAll?: boolean } | undefined)?.sameForAll === true;
}
