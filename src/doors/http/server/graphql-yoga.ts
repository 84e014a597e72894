import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ExecutionResult, GraphQLError, type GraphQLSchema } from 'graphql';
import { createYoga, type FetchAPI, type Plugin, type YogaServerInstance } from 'graphql-yoga';
import { Refusal, refuse } from '../../../base/core/errors.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { EVENT_HEADERS, openEvents } from './event-stream.ts';
import { type Outcome, type RunOperation, refusalBody } from './graphql-operation.ts';
import { type Params, readParams } from './graphql-params.ts';
import type { LiveGuard } from './live-guard.ts';
import { sendRevalidated } from './revalidate.ts';

/** A request on its way through Yoga, and its outcome. */
interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  params?: Params | null;
  outcome?: Outcome;
  /** The body of an event stream. Fastify sends it, because a body of Yoga's copies every chunk. */
  events?: NodeJS.ReadableStream;
}

/** Yoga copies its context, but not the objects in it. */
interface Carried {
  readonly exchange: Exchange;
}

/** Headers of Yoga's that the HTTP server decides: every answer says `no-store`, and Node frames the body. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'cache-control',
  'connection',
  'content-length',
  'transfer-encoding',
]);

/** Answers one request to the GraphQL endpoint. */
export type AnswerThroughYoga = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/**
 * Creates the server of GraphQL over HTTP. Yoga owns the protocol: methods, media types, the form of results, event
 * streams. `run` decides what an operation is answered with.
 */
export function createYogaServer(
  schema: GraphQLSchema,
  run: RunOperation,
  { settings }: Deps,
  live: LiveGuard,
): AnswerThroughYoga {
  const yoga: YogaServerInstance<Carried, object> = createYoga<Carried>({
    schema,
    graphqlEndpoint: '/api/graphql',
    // The endpoint sends it by itself, with a policy.
    graphiql: false,
    landingPage: false,
    cors: false,
    batching: false,
    multipart: false,
    logging: false,
    // Fastify parses and limits the bodies of all routes.
    maxRequestBodySize: false,
    plugins: [answerOperations(run, live, settings)],
  });

  return async (request, reply) => {
    const exchange: Exchange = { request, reply };
    const method = request.method === 'POST' ? 'POST' : 'GET';
    const headers = request.headers as Record<string, string>;
    const response = await yoga.fetch(`http://localhost${request.url}`, { method, headers }, { exchange });
    for (const [name, value] of response.headers) if (!OWN_HEADERS.has(name.toLowerCase())) reply.header(name, value);
    reply.code(response.status);
    if (exchange.events) return reply.send(exchange.events);
    if (response.status === 406) {
      const body = refusalBody(refuse('not_acceptable'), { settings, correlationId: request.id });
      return reply.type('application/json; charset=utf-8').send(body);
    }
    // Sending null would produce a body of `null`.
    if (response.body === null) return reply.send(undefined);
    const text = await response.text();
    const { outcome } = exchange;
    const isJson = String(reply.getHeader('content-type')).startsWith('application/');
    if (method === 'GET' && isJson && revalidates(outcome)) return sendRevalidated(request, reply, text);
    return reply.send(text);
  };
}

const revalidates = (outcome: Outcome | undefined): boolean =>
  (outcome?.kind === 'result' || outcome?.kind === 'shared') && outcome.revalidates === true;

/** Replaces Yoga's parsing of requests and its execution by ours, and adds the answers that only we have. */
function answerOperations(run: RunOperation, live: LiveGuard, settings: Deps['settings']): Plugin<object, Carried> {
  return {
    onRequestParse({ serverContext: { exchange }, setRequestParser }) {
      exchange.params = readParams(exchange.request);
      const { query, operationName, variables } = exchange.params ?? {};
      setRequestParser(() => ({ query: query ?? '', variables, operationName: operationName ?? undefined }));
    },
    onParams({ context: { exchange }, setParamsHandler }) {
      setParamsHandler(async () => {
        exchange.outcome = await run(exchange.request, exchange.reply, exchange.params ?? null);
        return resultOf(exchange.outcome);
      });
    },
    onResultProcess({ serverContext: { exchange }, resultProcessor, setResultProcessor }) {
      const { outcome, request, reply } = exchange;
      // Without a processor no media type is acceptable, which Yoga answers with 406.
      if (!resultProcessor || !outcome) return;
      if (outcome.kind === 'refused')
        setResultProcessor((_result, api) => answerRefusal(api, outcome.refusal, outcome.body), 'application/json');
      if (outcome.kind === 'stream')
        setResultProcessor((_result, api) => {
          const events = openEvents(live, request, outcome.subscribed);
          if (events instanceof Refusal)
            return answerRefusal(api, events, refusalBody(events, { settings, correlationId: request.id }));
          exchange.events = events;
          reply.headers(EVENT_HEADERS);
          return new api.Response(null, { status: 200 });
        }, 'text/event-stream');
    },
  };
}

/** A result with its own text: shared bytes, or errors, from which Yoga would remove `extensions.http`. */
type Written = ExecutionResult & { readonly stringify: () => string };

/** An outcome as Yoga chooses the media type for it. Refusals and streams are sent by processors of our own. */
function resultOf(outcome: Outcome): ExecutionResult | Written | AsyncIterable<ExecutionResult> {
  if (outcome.kind === 'refused') return {};
  if (outcome.kind === 'stream') return { [Symbol.asyncIterator]: unreachable };
  if (outcome.kind === 'shared') return { data: {}, stringify: () => outcome.bytes.toString() };
  const { result, invalid } = outcome;
  if (!result.errors) return result;
  const errors = result.errors.map(invalid ? withStatus : withoutStatus);
  return { ...result, errors, stringify: () => JSON.stringify(result) };
}

function unreachable(): never {
  throw new Error('The results of a stream are sent by its event stream');
}

/** An error as Yoga chooses the status by it: 400, except in the media type application/json. */
const withStatus = ({ message }: GraphQLError): GraphQLError =>
  new GraphQLError(message, { extensions: { http: { status: 400, spec: true } } });

/** An error of a request that was executed. Its own `extensions.http` does not set the status of the answer. */
const withoutStatus = ({ message }: GraphQLError): GraphQLError => new GraphQLError(message);

const answerRefusal = (api: FetchAPI, { status }: Refusal, body: string): Response =>
  new api.Response(body, {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
  });
