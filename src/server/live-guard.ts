import type { Caller } from '../core/caller.ts';
import { newUuid } from '../core/ids.ts';
import { type Context, createContext, noRequest } from '../graphql/context.ts';
import type { Executor, Prepared } from '../graphql/execute.ts';
import { createSubscriptions, type OpenStream } from '../graphql/subscribe.ts';
import type { Deps } from '../platform/deps.ts';
import { billOf, policyRefusal, publicFields } from './graphql-policy.ts';
import type { HttpGuard } from './http-guard.ts';
import { createResidents, type Residents } from './live-connections.ts';

/** What websockets and event streams have in common. */
export interface LiveGuard {
  readonly deps: Deps;
  readonly executor: Executor;
  readonly openStream: OpenStream;
  readonly residents: Residents;
  /** Cuts each open event stream. */
  readonly streams: Set<() => void>;
  contextOf(caller: Caller, host: string): Context;
  /** Lets an operation in, or throws why not: who may ask it, and how often. */
  admit(asked: { caller: Caller; host: string; ip: string }, prepared: Prepared, variables: Variables): Promise<void>;
  /** Ends what is not ended by its own protocol. */
  close(): void;
}

type Variables = Record<string, unknown>;

/** Makes the door of a server's live connections: they share executions and the register of who is there. */
export function createLiveGuard(executor: Executor, deps: Deps, { spend }: Pick<HttpGuard, 'spend'>): LiveGuard {
  const { schema } = executor;
  const openFields = publicFields(schema);
  const development = deps.settings.environment !== 'production';
  const residents = createResidents(deps);
  const streams = new Set<() => void>();
  const contextOf = (caller: Caller, host: string) => createContext(deps, caller, noRequest(host, newUuid()));
  return {
    deps,
    executor,
    openStream: createSubscriptions(executor, contextOf, deps.log),
    residents,
    streams,
    contextOf,
    async admit({ caller, host, ip }, prepared, variables) {
      const refusal = policyRefusal(caller, prepared, openFields, development);
      if (refusal) throw refusal;
      const { counts } = billOf(prepared, variables, contextOf(caller, host));
      for (const [category, count] of counts) await spend({ caller, ip }, category, count);
    },
    close() {
      residents.close();
      for (const cut of streams) cut();
    },
  };
}
