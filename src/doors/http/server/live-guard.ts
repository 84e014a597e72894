import type { Caller } from '../../../base/core/caller.ts';
import { newUuid } from '../../../base/core/ids.ts';
import { operations } from '../../../base/core/observed.ts';
import { type Context, createContext, noRequest, type RequestFacts } from '../../../base/graphql/context.ts';
import type { Executor } from '../../../base/graphql/execute.ts';
import type { Prepared } from '../../../base/graphql/prepared.ts';
import { createSubscriptions, type OpenStream } from '../../../base/graphql/subscribe.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { requireRoom } from '../../../domain/access/gateway/storage-budget.ts';
import type { Documents } from './documents.ts';
import { policyRefusal, publicFields, requestsOf } from './graphql-policy.ts';
import type { HttpGuard } from './http-guard.ts';
import { createLiveConnections, type LiveConnections } from './live-connections.ts';
import { reportOperation } from './note-failure.ts';

/** What websockets and event streams share. */
export interface LiveGuard {
  readonly deps: Deps;
  readonly executor: Executor;
  readonly documents: Documents;
  readonly openStream: OpenStream;
  readonly connections: LiveConnections;
  /** One function per open event stream; it closes the stream. */
  readonly streams: Set<() => void>;
  /**
   * The context of an operation. `client` is who sent it, if it may change anything; `correlationId` is a random one
   * by default.
   */
  contextOf(caller: Caller, host: string, client?: ClientFacts, correlationId?: string): Context;
  /** Admits an operation, or throws a refusal and counts it: permission, cost, rate limit. */
  admit(request: { caller: Caller; host: string; ip: string }, prepared: Prepared, variables: Variables): Promise<void>;
  /** Counts refused operations. */
  readonly refusals: HttpGuard['refusals'];
  /** Releases resources that no protocol closes by itself. */
  close(): void;
}

type Variables = Record<string, unknown>;
type ClientFacts = ReturnType<RequestFacts['client']>;

/** Creates the guard of a server's live connections. They share executions and the register of connections. */
export function createLiveGuard(
  { executor, documents }: { readonly executor: Executor; readonly documents: Documents },
  deps: Deps,
  { spend, refusals }: Pick<HttpGuard, 'spend' | 'refusals'>,
): LiveGuard {
  const { schema } = executor;
  const openFields = publicFields(schema);
  const development = deps.settings.environment !== 'production';
  const connections = createLiveConnections(deps);
  const streams = new Set<() => void>();
  const contextOf = (caller: Caller, host: string, client?: ClientFacts, correlationId = newUuid()) =>
    createContext(deps, caller, noRequest(host, correlationId, client));
  return {
    deps,
    executor,
    documents,
    openStream: createSubscriptions(executor, contextOf, deps),
    connections,
    streams,
    contextOf,
    refusals,
    async admit({ caller, host, ip }, prepared, variables) {
      const context = contextOf(caller, host);
      try {
        const refusal = policyRefusal(caller, prepared, openFields, development);
        if (refusal) throw refusal;
        const counts = requestsOf(caller, prepared, variables, context);
        for (const [category, count] of counts) await spend({ caller, ip }, category, count);
        if (prepared.operation.operation === 'mutation') await requireRoom(deps, caller, prepared.survey.rootFields);
      } catch (error) {
        await refusals.count({ caller, ip });
        throw error;
      }
      if (operations.hasSubscribers) reportOperation(prepared, variables, context, false);
    },
    close() {
      connections.close();
      for (const cut of streams) cut();
    },
  };
}
