import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Executor } from '../../../base/graphql/execute.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import type { Documents } from './documents.ts';
import { graphiqlRefusal, sendGraphiQL } from './graphiql.ts';
import { createOperations, type RunOperation } from './graphql-operation.ts';
import { readParams } from './graphql-params.ts';
import { createYogaServer } from './graphql-yoga.ts';
import type { HttpGuard } from './http-guard.ts';
import type { LiveGuard } from './live-guard.ts';

const JSON_TYPE = 'application/json';
const STRICT_TYPE = 'application/graphql-response+json';

/** What common clients accept, and the media type that Yoga chooses for it. */
const FAST_TYPES: ReadonlyMap<string, string> = new Map([
  ['*/*', JSON_TYPE],
  ['application/json', JSON_TYPE],
  ['application/json, text/plain, */*', JSON_TYPE],
  [STRICT_TYPE, STRICT_TYPE],
  [`${STRICT_TYPE}, application/json`, STRICT_TYPE],
  [`${STRICT_TYPE},application/json;q=0.9`, STRICT_TYPE],
]);

/**
 * The GraphQL endpoint at `/api/graphql`. Yoga serves it. The most common requests (POST, one operation, a JSON answer)
 * take a fast path instead, unless `GRAPHQL_FAST_PATH=off`: the same operation and the same bytes without Yoga's work
 * per request.
 */
export function mountGraphQL(
  server: FastifyInstance,
  { executor, documents }: { readonly executor: Executor; readonly documents: Documents },
  deps: Deps,
  guard: HttpGuard,
  live: LiveGuard,
): void {
  const { settings } = deps;
  const run = createOperations({ executor, documents }, deps, guard);
  const answerThroughYoga = createYogaServer(executor.schema, run, deps, live);
  const counted = ({ caller, clientAddress }: FastifyRequest) => ({ caller, ip: clientAddress });
  /** Requests that have been admitted to send a body. */
  const admitted = new WeakSet<FastifyRequest>();
  const fastTypes = settings.graphqlFastPath ? FAST_TYPES : new Map<string, string>();
  server.route({
    method: ['GET', 'POST'],
    url: '/api/graphql',
    async onRequest(request) {
      request.caller = await guard.identify(request, { open: true });
      // Before the body is read: a caller that sends refused operations without end costs nothing else.
      guard.refusals.check(counted(request));
      admitted.add(request);
    },
    async errorHandler(error, request) {
      // A body that cannot be read. The common error handler answers what this one throws.
      if (admitted.has(request)) await guard.refusals.count(counted(request));
      throw error;
    },
    async handler(request, reply) {
      if (settings.graphiql !== 'off' && isGraphiQLVisit(request)) {
        const refusal = graphiqlRefusal(settings.graphiql, request.caller);
        if (refusal) throw refusal;
        // The page has 9 MB.
        await guard.refusals.count(counted(request));
        return sendGraphiQL(request, reply, settings);
      }
      const type = request.method === 'POST' ? fastTypes.get(request.headers.accept ?? '*/*') : undefined;
      return type ? answerFast(run, request, reply, type) : answerThroughYoga(request, reply);
    },
  });
}

/** Whether a browser opens the endpoint as a page. */
const isGraphiQLVisit = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && (headers.accept ?? '').includes('text/html');

/** Answers one operation as JSON of this media type. */
async function answerFast(
  run: RunOperation,
  request: FastifyRequest,
  reply: FastifyReply,
  type: string,
): Promise<FastifyReply> {
  const outcome = await run(request, reply, readParams(request));
  if (outcome.kind === 'refused')
    return reply.code(outcome.refusal.status).type(`${JSON_TYPE}; charset=utf-8`).send(outcome.body);
  if (outcome.kind === 'shared') return reply.type(`${type}; charset=utf-8`).send(outcome.bytes);
  if (outcome.kind === 'stream') throw new Error('The fast path accepts no event stream');
  return reply
    .code(outcome.invalid && type === STRICT_TYPE ? 400 : 200)
    .type(`${type}; charset=utf-8`)
    .send(JSON.stringify(outcome.result));
}
