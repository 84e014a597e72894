import { setImmediate } from 'node:timers/promises';
import type { ExecutionResult } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../core/caller.ts';
import { weakMemo } from '../core/weak-memo.ts';
import type { LiveFeed, Source } from '../platform/live-feed.ts';
import type { Logger } from '../platform/log.ts';
import type { Context } from './context.ts';
import { cursorVariable } from './cursor-variable.ts';
import { formatError } from './errors.ts';
import type { Executor, Prepared } from './execute.ts';
import { ANONYMOUS_RIGHTS, type Rights, rightsOf } from './rights.ts';
import { isSameForAll } from './same-for-all.ts';

/** What is subscribed to, by whom. */
export interface Subscription {
  readonly prepared: Prepared;
  readonly variables: Record<string, unknown>;
  readonly caller: Caller;
  /** The Host header it came with. */
  readonly host: string;
}

/** Results as they are sent: JSON as bytes, made once for everybody. */
export interface Batch {
  readonly results: readonly Buffer[];
}

/** One subscriber within a group. */
export interface Member {
  readonly source: Source<unknown>;
  take(batch: Batch): void;
  /** Ends it, because events could not be executed: it comes back with its cursor, and misses nothing. */
  fail(error: Error): void;
}

/** Subscribers that share executions. */
export interface Groups {
  /** Runs what all read as the same objects, each of them once for everybody of a group. */
  runShared(subscription: Subscription): Run;
  /** Lets a subscriber that has caught up go along with the tail; the returned function takes it out again. */
  join(subscription: Subscription, member: Member): () => void;
}

/** Runs events one after the other, and gives their results as they are sent. */
export type Run = (events: readonly unknown[]) => Promise<Batch>;

/** Makes the execution of one operation's events for one caller, each with a context of its own. */
export function runnerOf(subscription: Subscription, freshContext: () => Context, log: Logger): Run {
  return oneByOne(tellerOf(subscription, freshContext, log));
}

type Tell = (event: unknown) => Buffer | Promise<Buffer>;

function tellerOf({ prepared, variables }: Subscription, freshContext: () => Context, log: Logger): Tell {
  const bytesOf = ({ errors, data }: ExecutionResult) =>
    Buffer.from(JSON.stringify(errors ? { errors: errors.map((error) => formatError(error, log)), data } : { data }));
  return (event) => {
    const result = prepared.run(freshContext(), variables, event);
    return result instanceof Promise ? result.then(bytesOf) : bytesOf(result);
  };
}

function oneByOne(tell: Tell): Run {
  return async (events) => {
    const results: Buffer[] = [];
    for (const event of events) {
      const bytes = tell(event);
      results.push(bytes instanceof Promise ? await bytes : bytes);
    }
    return { results };
  };
}

/** So many operations' bytes of what all read are kept: each is as large as all that it tells. */
const KEPT_RUNS = 16;

interface Group {
  join(member: Member): () => void;
}

/** Makes the groups of a server. The tail stands for the subject; a group's key is the operation, the variables, the rights and the host. */
export function createGroups(
  executor: Executor,
  contextOf: (caller: Caller, host: string) => Context,
  log: Logger,
): Groups {
  let texts = 0;
  const numberOf = weakMemo((_text: Prepared) => ++texts);
  const groupsOf = weakMemo((_tail: LiveFeed<unknown>) => new Map<string, Group>());
  const keptRuns = new LRUCache<string, Run>({ max: KEPT_RUNS });

  /** What subscribers have in common who share executions. */
  function groupOf({ prepared, variables, caller, host }: Subscription): { key: string; rights: Rights } {
    const rights = isSameForAll(executor.schema, prepared) ? ANONYMOUS_RIGHTS : rightsOf(caller);
    const cursor = cursorVariable(executor.schema, prepared);
    const telling = cursor === null ? variables : { ...variables, [cursor]: undefined };
    return { key: JSON.stringify([numberOf(prepared), host, rights.key, telling]), rights };
  }
  const contextsFor =
    ({ host }: Subscription, { caller }: Rights) =>
    () =>
      contextOf(caller, host);

  return {
    runShared(subscription) {
      const { key, rights } = groupOf(subscription);
      const known = keptRuns.get(key);
      if (known) return known;
      const tell = weakMemo<object, ReturnType<Tell>>(tellerOf(subscription, contextsFor(subscription, rights), log));
      const run = oneByOne(tell as Tell);
      keptRuns.set(key, run);
      return run;
    },
    join(subscription, member) {
      const { tail } = member.source;
      const { key, rights } = groupOf(subscription);
      const groups = groupsOf(tail);
      let group = groups.get(key);
      if (!group) {
        const run = runnerOf(subscription, contextsFor(subscription, rights), log);
        group = openGroup(tail, member.source, run, () => groups.delete(key));
        groups.set(key, group);
      }
      return group.join(member);
    },
  };
}

/** Where a member stands: what is older than its joining it has read itself, and perhaps a little more. */
interface Standing {
  readonly since: number;
  boarding: boolean;
}

/** Events that came close upon each other are told together, so many at most. */
const AT_ONCE = 100;

/** An event that waits to be told, with the number of the telling it came with. */
interface Waiting {
  readonly event: unknown;
  readonly number: number;
}

function openGroup(tail: LiveFeed<unknown>, { wants }: Source<unknown>, run: Run, closed: () => void): Group {
  const members = new Map<Member, Standing>();
  const waiting: Waiting[] = [];
  let told = 0;
  let telling: Promise<void> | null = null;

  const mute = tail.listen((events) => {
    const number = told++;
    for (const event of events) if (!wants || wants(event)) waiting.push({ event, number });
    if (waiting.length === 0) return;
    telling ??= tellAll();
    return telling;
  });

  /** One stretch after the other, however long one takes: everybody hears all in order. */
  async function tellAll(): Promise<void> {
    try {
      while (waiting.length > 0 && members.size > 0) {
        const some = waiting.splice(0, AT_ONCE);
        const batch = await run(some.map(({ event }) => event));
        for (const [member, standing] of members) {
          if (standing.boarding) board(member, standing, some, batch);
          else member.take(batch);
        }
        // Sockets are read in between, however many events there are.
        if (waiting.length > 0) await setImmediate();
      }
    } catch (error) {
      for (const member of [...members.keys()]) member.fail(error as Error);
    } finally {
      waiting.length = 0;
      telling = null;
    }
  }

  /** The first events for one who has just joined, without those that it has read itself. */
  function board(member: Member, standing: Standing, events: readonly Waiting[], batch: Batch): void {
    const first = events.findIndex(({ event, number }) => number >= standing.since && !member.source.knows(event));
    if (first < 0) return;
    standing.boarding = false;
    member.take(first === 0 ? batch : { results: batch.results.slice(first) });
  }

  return {
    join(member) {
      members.set(member, { since: told, boarding: true });
      return () => {
        members.delete(member);
        if (members.size > 0) return;
        mute();
        closed();
      };
    },
  };
}
