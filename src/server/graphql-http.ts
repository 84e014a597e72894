import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ExecutionResult, GraphQLError } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { accessRefusal } from '../core/caller.ts';
import { type Refusal, refuse } from '../core/errors.ts';
import { type Context, createContext, DEGRADED } from '../graphql/context.ts';
import { formatError, toRefusal } from '../graphql/errors.ts';
import type { Executor } from '../graphql/execute.ts';
import { parseWithin, validateWithin } from '../graphql/limits.ts';
import type { Deps } from '../platform/deps.ts';
import { serveEvents, wantsEvents } from './event-stream.ts';
import { billOf, keyRefusal, policyRefusal, publicFields } from './graphql-policy.ts';
import { errorBody, retryHeaders } from './http.ts';
import { type HttpGuard, publicAddressOf } from './http-guard.ts';
import type { LiveGuard } from './live-guard.ts';

const STREAM_WANTED = 'A subscription needs Accept: text/event-stream, or a websocket (graphql-ws)';

const QUERY_WANTED = 'Send the query as a string and its variables as an object, in a JSON body or in the URL';

/** Matches an `Accept` header that names JSON, and none of the given text types before it. */
const jsonBefore = (others: string) =>
  new RegExp(
    `^(?:(?!\\s*text/(?:${others})\\b)[^,]*,)*\\s*(?:application/json|application/graphql-response\\+json|\\*/\\*)(?![\\w+.-])`,
  );

/** The request and the reply, passed through Yoga as its context. */
interface Carried {
  readonly carrier: FastifyRequest;
  readonly reply: FastifyReply;
}

interface Params {
  readonly query: string;
  readonly operationName: string | null;
  readonly variables: Record<string, unknown>;
}

/**
 * The GraphQL endpoint at `/api/graphql`. Ordinary requests (POST or GET, JSON response) run on our own executor with
 * its cache of prepared and compiled documents. Subscriptions are event streams of our own. All other GraphQL over HTTP
 * (other media types, GraphiQL in development) goes through Yoga, with the same limits and errors.
 */
export function mountGraphQL(
  server: FastifyInstance,
  executor: Executor,
  deps: Deps,
  guard: HttpGuard,
  live: LiveGuard,
): void {
  const { schema } = executor;
  const openFields = publicFields(schema);
  const development = deps.settings.environment !== 'production';
  // Only development has an HTML page (GraphiQL).
  const wantsJson = jsonBefore(development ? 'html|event-stream' : 'event-stream');

  /** Whether a JSON response is acceptable. */
  const isOrdinary = ({ headers: { accept } }: FastifyRequest): boolean =>
    accept === undefined || wantsJson.test(accept);

  const contextOf = (request: FastifyRequest): Context =>
    createContext(deps, request.caller, {
      host: request.host,
      correlationId: request.id,
      publicAddress: () => publicAddressOf(request),
      setCookie: (cookie) => request.cookiesToSet.push(cookie),
      markDegraded: () => {
        request.degraded = true;
      },
    });

  /** Checks caller, permission and cost. Both paths run it before execution. */
  async function enter(request: FastifyRequest, reply: FastifyReply, { query, operationName, variables }: Params) {
    // Check the key before parsing, so that unauthorized callers see no parse errors.
    const refused = keyRefusal(request.caller);
    if (refused) return { refusal: refused };
    const prepared = executor.prepare(query, operationName);
    if ('errors' in prepared) {
      await guard.reject({ caller: request.caller, ip: request.clientAddress });
      if (request.caller.kind === 'anonymous' && !development) return { refusal: accessRefusal(request.caller, {}) };
      const result: ExecutionResult = {
        errors: prepared.errors.map((error) => formatError(error, deps.log, request.id)),
      };
      return { result };
    }
    const refusal = policyRefusal(request.caller, prepared, openFields, development);
    if (refusal) return { refusal };
    const context = contextOf(request);
    for (const [category, count] of billOf(prepared, variables, context).counts)
      await guard.limit(request, reply, category, count);
    return { prepared, context };
  }

  async function shortWay(request: FastifyRequest, reply: FastifyReply, params: Params) {
    const accept = request.headers.accept ?? '*/*';
    const modern = accept.includes('application/graphql-response+json');
    const type = modern ? 'application/graphql-response+json; charset=utf-8' : 'application/json; charset=utf-8';
    try {
      const entered = await enter(request, reply, params);
      if (entered.refusal) return answerRefusal(reply, entered.refusal, deps.clock());
      if (!entered.prepared)
        return reply
          .code(modern ? 400 : 200)
          .type(type)
          .send(JSON.stringify(entered.result));
      const { operation } = entered.prepared.operation;
      if (operation === 'subscription') throw refuse('invalid_input', STREAM_WANTED);
      if (operation === 'mutation' && request.method !== 'POST') {
        reply.header('allow', 'POST');
        throw refuse('method_not_allowed', 'A mutation needs POST');
      }
      const result = await entered.prepared.run(entered.context, params.variables);
      const errors = result.errors?.map((error) => formatError(error, deps.log, request.id));
      if (request.cookiesToSet.length > 0) reply.header('set-cookie', request.cookiesToSet);
      // Without data nothing was executed: the request itself is invalid.
      const status = modern && result.data === undefined ? 400 : 200;
      return reply
        .code(status)
        .type(type)
        .send(
          JSON.stringify({
            ...(errors ? { errors, data: result.data } : result),
            ...(request.degraded ? { extensions: DEGRADED } : {}),
          }),
        );
    } catch (error) {
      return answerRefusal(reply, toRefusal(error, deps.log, request.id), deps.clock());
    }
  }

  /** Refuses a request without a query: first because of the caller, then because of its form. */
  function withoutQuery({ caller }: FastifyRequest, reply: FastifyReply): FastifyReply {
    const refused = caller.kind === 'anonymous' ? accessRefusal(caller, {}) : keyRefusal(caller);
    return answerRefusal(reply, refused ?? refuse('invalid_input', QUERY_WANTED), deps.clock());
  }

  const yoga = createYoga<Carried>({
    schema,
    graphqlEndpoint: '/api/graphql',
    graphiql: development ? { title: 'Quittance', subscriptionsProtocol: 'WS' } : false,
    // Load the page on its first use: it contains its own scripts (9 MB), so that it works without internet access.
    renderGraphiQL: async (options) => (await import('@graphql-yoga/render-graphiql')).renderGraphiQL(options),
    landingPage: false,
    cors: false,
    batching: false,
    multipart: false,
    logging: false,
    maskedErrors: {
      maskError: (error) =>
        error instanceof GraphQLError
          ? withStatus(formatError(error, deps.log), error)
          : formatError(new GraphQLError('', { originalError: error as Error }), deps.log),
    },
    context: ({ carrier }) => contextOf(carrier) as never,
    plugins: [throughOurExecutor()],
  });

  /** Yoga handles the protocol; parsing, limits, permissions and execution are ours. */
  function throughOurExecutor(): Plugin<Carried> {
    return {
      onParse: ({ setParseFn }) =>
        setParseFn(((source: string | { body: string }) =>
          parseWithin(typeof source === 'string' ? source : source.body)) as never),
      onValidate: ({ setValidationFn }) =>
        setValidationFn(((_schema: unknown, document: never) => validateWithin(schema, document)) as never),
      async onExecute({ args, setResultAndStopExecution }) {
        const entered = await enterYoga(args);
        if (entered.result) setResultAndStopExecution(entered.result);
      },
      onSubscribe({ setResultAndStopExecution }) {
        const refusal = refuse('invalid_input', STREAM_WANTED);
        setResultAndStopExecution({ errors: [statusError(refusal, deps.clock())] });
      },
    };
  }

  /** The parameters of a subscription; null if the request does not ask for an event stream. */
  function subscriptionOf(request: FastifyRequest, params: Params | null): Params | null {
    const prepared = params && wantsEvents(request) && executor.prepare(params.query, params.operationName);
    return prepared && !('errors' in prepared) && prepared.operation.operation === 'subscription' ? params : null;
  }

  async function eventStream(request: FastifyRequest, reply: FastifyReply, params: Params) {
    try {
      const entered = await enter(request, reply, params);
      if (entered.refusal) return answerRefusal(reply, entered.refusal, deps.clock());
      const { prepared } = entered;
      if (!prepared) throw refuse('invalid_input');
      return await serveEvents(live, request, reply, { prepared, variables: params.variables });
    } catch (error) {
      return answerRefusal(reply, toRefusal(error, deps.log, request.id), deps.clock());
    }
  }

  async function enterYoga(args: {
    document: import('graphql').DocumentNode;
    operationName?: string | null;
    variableValues?: unknown;
    contextValue: unknown;
  }) {
    const { carrier: request, reply, params } = args.contextValue as Carried & { params: { query?: string } };
    try {
      const entered = await enter(request, reply, {
        query: params.query ?? '',
        operationName: args.operationName ?? null,
        variables: (args.variableValues ?? {}) as Record<string, unknown>,
      });
      if (entered.refusal) return { result: { errors: [statusError(entered.refusal, deps.clock())] } };
      return entered.prepared ? { prepared: entered.prepared, request } : { result: entered.result };
    } catch (error) {
      return { result: { errors: [statusError(toRefusal(error, deps.log, request.id), deps.clock())] } };
    }
  }

  server.route({
    method: ['GET', 'POST'],
    url: '/api/graphql',
    async onRequest(request) {
      request.caller = await guard.identify(request, { open: true });
    },
    async handler(request, reply) {
      const params = paramsOf(request);
      if (isOrdinary(request)) return params ? shortWay(request, reply, params) : withoutQuery(request, reply);
      const subscription = subscriptionOf(request, params);
      if (subscription) return eventStream(request, reply, subscription);
      if (request.method === 'POST' && !params) return withoutQuery(request, reply);
      const response = await yoga.handleNodeRequestAndResponse(request, reply, { carrier: request, reply });
      for (const [name, value] of response.headers)
        if (name.toLowerCase() !== 'cache-control') reply.header(name, value);
      if (request.cookiesToSet.length > 0) reply.header('set-cookie', request.cookiesToSet);
      // Sending null would produce a body of `null`.
      return reply.code(response.status).send(response.body ?? undefined);
    },
  });
}

const isObject = (body: unknown) => typeof body === 'object' && body !== null && !Array.isArray(body);

/** Our form of one of Yoga's own errors, with Yoga's HTTP status and headers. */
function withStatus(formed: GraphQLError, { extensions: { http } }: GraphQLError): GraphQLError {
  return http === undefined
    ? formed
    : new GraphQLError(formed.message, {
        nodes: formed.nodes,
        source: formed.source,
        positions: formed.positions,
        path: formed.path,
        extensions: { ...formed.extensions, http },
      });
}

/** The parameters of a request, from its body or its query; null if they are malformed. */
function paramsOf(request: FastifyRequest): Params | null {
  const given = request.method === 'POST' ? request.body : fromQuery(request.query);
  if (!isObject(given)) return null;
  const { query, operationName = null, variables, extensions } = given as Partial<Params> & { extensions?: unknown };
  if (typeof query !== 'string') return null;
  if (operationName !== null && typeof operationName !== 'string') return null;
  if (variables != null && !isObject(variables)) return null;
  if (extensions != null && !isObject(extensions)) return null;
  return { query, operationName, variables: variables ?? {} };
}

/** In a URL, `variables` is JSON. */
function fromQuery(query: unknown): unknown {
  const { variables, ...rest } = query as Record<string, unknown>;
  if (typeof variables !== 'string' || variables === '') return rest;
  try {
    return { ...rest, variables: JSON.parse(variables) };
  } catch {
    return null;
  }
}

/** Answers a refusal with its HTTP status and both error forms: GraphQL's, and the one of every other route. */
function answerRefusal(reply: FastifyReply, refusal: Refusal, now: number): FastifyReply {
  return reply
    .code(refusal.status)
    .headers(retryHeaders(refusal, now))
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ ...errorBody(refusal), errors: [refusalError(refusal)] }));
}

const refusalError = (refusal: Refusal) =>
  new GraphQLError(refusal.message, { extensions: { ...refusal.extra, code: refusal.code } });

/** The same for Yoga, which takes the HTTP status and headers from the error and does not report them. */
const statusError = (refusal: Refusal, now: number) =>
  new GraphQLError(refusal.message, {
    extensions: {
      ...refusal.extra,
      code: refusal.code,
      http: { status: refusal.status, headers: retryHeaders(refusal, now) },
    },
  });
