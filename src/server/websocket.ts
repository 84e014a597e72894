import type { Server } from 'node:http';
import { GraphQLError } from 'graphql';
import { CloseCode } from 'graphql-ws';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import type { Caller } from '../core/caller.ts';
import { newUuid } from '../core/ids.ts';
import { clientAddress } from '../gateway/client-address.ts';
import { enforceEdge } from '../gateway/edge.ts';
import { endedAmong, identifySocket } from '../gateway/principal.ts';
import { type Context, createContext, noRequest } from '../graphql/context.ts';
import { formatError, toRefusal } from '../graphql/errors.ts';
import type { Executor, Prepared } from '../graphql/execute.ts';
import { subscribeTo } from '../graphql/subscribe.ts';
import type { Deps } from '../platform/deps.ts';
import type { Door } from './door.ts';
import { COST_PER_REQUEST, costOf, publicFields, refusalAtDoor } from './graphql-door.ts';

/** The largest message a client may send, `connection_init` included. */
const MAX_MESSAGE_BYTES = 64 * 1024;
const INIT_TIMEOUT_MS = 5_000;
/** How often an open socket's key or session is asked again. */
const RECHECK_MS = 2_000;

/** What is known of an open socket. */
type Extra = { caller?: Caller } & Record<PropertyKey, unknown>;

/**
 * GraphQL over websockets (the graphql-ws protocol) at `/api/graphql`. A client proves itself in `connection_init` with the names of the headers; a cookie
 * counts only from a good origin with the CSRF token. A socket whose key or session is revoked is closed with 4403 within seconds.
 */
export function mountWebsocket(
  server: Server,
  executor: Executor,
  deps: Deps,
  door: Pick<Door, 'spend'>,
): { close(): Promise<void> } {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
  const openFields = publicFields(executor.schema);
  const development = deps.settings.environment !== 'production';

  /** Where each open socket comes from. */
  const addresses = new WeakMap<object, string>();
  server.on('upgrade', (request, socket, head) => {
    const path = request.url?.split('?', 1)[0] ?? '/';
    if (path !== '/api/graphql') return socket.destroy();
    try {
      const asked = { method: 'GET', host: request.headers.host ?? '', path, headers: request.headers };
      const throughEdge = enforceEdge(deps.settings, asked);
      addresses.set(request, clientAddress(asked, { throughEdge, peer: request.socket.remoteAddress ?? '' }));
    } catch {
      return socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
    }
    sockets.handleUpgrade(request, socket, head, (websocket) => sockets.emit('connection', websocket, request));
  });

  /** Sockets that live on a proof: one look for all tells whose key or session has ended. */
  const living = new Set<Extra & { socket: { close(code: number, reason: string): void } }>();
  const recheck = setInterval(async () => {
    const callers = [...living].map(({ caller }) => caller);
    const keyIds = [...new Set(callers.flatMap((caller) => (caller?.kind === 'developer' ? [caller.keyId] : [])))];
    const sessionIds = [
      ...new Set(callers.flatMap((caller) => (caller?.kind === 'session' ? [caller.sessionId] : []))),
    ];
    const ended = await endedAmong(deps, { keyIds, sessionIds }).catch(() => new Set<string>());
    for (const { caller, socket } of living) {
      const proof = caller?.kind === 'developer' ? caller.keyId : caller?.kind === 'session' ? caller.sessionId : null;
      if (proof !== null && ended.has(proof)) socket.close(CloseCode.Forbidden, 'Forbidden');
    }
  }, RECHECK_MS);

  const prepared = new WeakMap<object, Prepared>();
  const handle = useServer<Record<string, unknown>, Extra>(
    {
      connectionInitWaitTimeout: INIT_TIMEOUT_MS,
      async onConnect({ connectionParams, extra }) {
        const { headers, url = '/' } = extra.request;
        const upgrade = {
          method: 'CONNECT',
          host: (headers.host ?? '').toLowerCase(),
          path: url,
          headers: { ...headers },
        };
        try {
          extra.caller = await identifySocket(deps, upgrade, connectionParams);
        } catch {
          return false;
        }
        if (extra.caller.kind === 'anonymous') return false;
        living.add(extra);
        return true;
      },
      onClose({ extra }) {
        living.delete(extra);
      },
      async onSubscribe({ extra }, _id, payload) {
        const made = executor.prepare(payload.query, payload.operationName ?? null);
        if ('errors' in made) return made.errors.map((error) => formatError(error, deps.log));
        const caller = extra.caller as Caller;
        try {
          const refusal = refusalAtDoor(caller, made, openFields, development);
          if (refusal) throw refusal;
          const { headers } = extra.request;
          const cost = costOf(executor.schema, made, payload.variables ?? {}, contextOf(caller, headers.host));
          const counted = { caller, ip: addresses.get(extra.request) ?? '' };
          await door.spend(counted, 'reads', Math.ceil(cost / COST_PER_REQUEST));
        } catch (error) {
          // Formed by onError, like all others.
          const refusal = toRefusal(error, deps.log);
          return [new GraphQLError(refusal.message, { originalError: refusal })];
        }
        const args = {
          schema: executor.schema,
          document: made.document,
          variableValues: payload.variables ?? {},
          contextValue: { caller, host: extra.request.headers.host },
        };
        prepared.set(args, made);
        return args;
      },
      execute: (args) => runOf(args).run(fresh(args), (args.variableValues ?? {}) as Record<string, unknown>) as never,
      subscribe: (args) =>
        subscribeTo(
          executor,
          runOf(args),
          () => fresh(args),
          (args.variableValues ?? {}) as Record<string, unknown>,
        ) as never,
      onNext: (_context, _id, _payload, _args, result) =>
        result.errors
          ? { ...result, errors: result.errors.map((error) => formatError(error as GraphQLError, deps.log)) }
          : undefined,
      onError: (_context, _id, _payload, errors) => errors.map((error) => formatError(error as GraphQLError, deps.log)),
    },
    sockets as never,
  );

  const contextOf = (caller: Caller, host: string | undefined): Context =>
    createContext(deps, caller, noRequest(host ?? '', newUuid()));
  const runOf = (args: object) => prepared.get(args) as Prepared;
  const fresh = (args: { contextValue?: unknown }) => {
    const { caller, host } = args.contextValue as { caller: Caller; host?: string };
    return contextOf(caller, host);
  };

  return {
    async close() {
      clearInterval(recheck);
      await handle.dispose();
    },
  };
}
