import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ExecutionResult, GraphQLError } from 'graphql';
import { accessRefusal } from '../../../base/core/caller.ts';
import { type ErrorCode, malformed, type Refusal, refuse } from '../../../base/core/errors.ts';
import { operations } from '../../../base/core/observed.ts';
import { sharedAnswersOf } from '../../../base/graphql/answer-source.ts';
import { type Context, DEGRADED } from '../../../base/graphql/context.ts';
import { errorExtensions, formatError, toRefusal } from '../../../base/graphql/errors.ts';
import type { Executor } from '../../../base/graphql/execute.ts';
import { cursorVariable, type Prepared } from '../../../base/graphql/prepared.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import type { Standing } from '../../../domain/access/gateway/rolling-window.ts';
import { requireRoom } from '../../../domain/access/gateway/storage-budget.ts';
import type { Documents } from './documents.ts';
import type { Params } from './graphql-params.ts';
import { keyRefusal, policyRefusal, publicFields, requestsOf } from './graphql-policy.ts';
import { errorBody, retryHeaders } from './http.ts';
import { contextOf, type HttpGuard } from './http-guard.ts';
import { noteFailure, reportOperation } from './note-failure.ts';

const STREAM_WANTED = 'A subscription needs Accept: text/event-stream, or a websocket (graphql-ws)';
const QUERY_WANTED =
  'Send the query as a string or a documentId, and its variables as an object, in a JSON body or in the URL';

/** An admitted subscription, ready to be opened. */
export interface Subscribed {
  readonly prepared: Prepared;
  readonly variables: Record<string, unknown>;
}

/**
 * What a request is answered with, before its media type is chosen. Headers that every media type has are already set
 * on the reply.
 */
export type Outcome =
  /** Refused before execution. The answer is JSON in the common form of errors, with the status of the refusal. */
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly body: string }
  /** A result. `invalid`: nothing was executed, because the document or its variables are wrong. */
  | {
      readonly kind: 'result';
      readonly result: ExecutionResult;
      readonly invalid: boolean;
      /** The answer of a query that the request named. A client may keep it, and ask whether it has changed. */
      readonly revalidates?: boolean;
    }
  /** A result without errors as JSON, which answers further requests as well. */
  | { readonly kind: 'shared'; readonly bytes: Buffer; readonly revalidates: boolean }
  | { readonly kind: 'stream'; readonly subscribed: Subscribed };

/** Whether a request names server-sent events as acceptable. */
const namesEvents = ({ headers }: FastifyRequest): boolean => /\btext\/event-stream\b/.test(headers.accept ?? '');

/** Runs the operation of one request. Never rejects: errors are outcomes. */
export type RunOperation = (request: FastifyRequest, reply: FastifyReply, params: Params | null) => Promise<Outcome>;

/** What the operations of all requests share. */
interface Endpoint {
  readonly executor: Executor;
  readonly documents: Documents;
  readonly deps: Deps;
  readonly guard: HttpGuard;
  /** The root fields that anonymous callers may use. */
  readonly openFields: ReadonlySet<string>;
  readonly development: boolean;
}

/** A request and its reply. */
interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** The operation, once its document has been found to be valid. */
  prepared?: Prepared;
  /** Whether the request has been counted, as an operation or as a refusal. */
  counted?: boolean;
}

/** An operation that its caller may run, and that has been counted against the caller's rate limit. */
interface Admitted {
  readonly prepared: Prepared;
  readonly variables: Record<string, unknown>;
  readonly context: Context;
  /** Null unless the request asks for its cost. */
  readonly cost: HeldCost | null;
  /** Whether the request named its document instead of sending it. */
  readonly named: boolean;
}

/**
 * Creates the function that runs the operations of GraphQL over HTTP. It checks the caller, the limits of documents,
 * permissions, cost and rate limits, and executes queries and mutations, whatever serves the protocol.
 */
export function createOperations(
  { executor, documents }: { readonly executor: Executor; readonly documents: Documents },
  deps: Deps,
  guard: HttpGuard,
): RunOperation {
  const openFields = publicFields(executor.schema);
  const development = deps.settings.environment !== 'production';
  const endpoint: Endpoint = { executor, documents, deps, guard, openFields, development };
  return async (request, reply, params) => {
    const exchange: Exchange = { request, reply };
    try {
      return await run(endpoint, exchange, params);
    } catch (error) {
      return refused(endpoint, exchange, exchange.counted ? error : await countRefusal(endpoint, exchange, error));
    }
  };
}

/** Counts a refusal against its caller. Gives the refusal, or the one for too many. */
async function countRefusal({ guard }: Endpoint, exchange: Exchange, error: unknown): Promise<unknown> {
  const { caller, clientAddress } = exchange.request;
  exchange.counted = true;
  return guard.refusals.count({ caller, ip: clientAddress }).then(
    () => error,
    (tooMany: unknown) => tooMany,
  );
}

/** Admits the operation of a request, and executes it unless it is a subscription. */
async function run(endpoint: Endpoint, exchange: Exchange, params: Params | null): Promise<Outcome> {
  const { executor, documents, deps, openFields, development } = endpoint;
  const { request } = exchange;
  const { caller } = request;
  // Check the key before parsing, so that unauthorized callers see no parse errors.
  const shut = params || caller.kind !== 'anonymous' ? keyRefusal(caller) : accessRefusal(caller, {});
  if (shut) throw shut;
  if (!params) throw malformed(QUERY_WANTED);
  const { operationName, variables } = params;
  const found = documents.find(caller, params);
  if ('missing' in found) return reject(endpoint, exchange, [found.missing]);
  const prepared = executor.prepare(found.text, operationName);
  if ('errors' in prepared) return reject(endpoint, exchange, prepared.errors);
  exchange.prepared = prepared;
  const refusal = policyRefusal(caller, prepared, openFields, development);
  if (refusal) throw refusal;
  const context = contextOf(deps, request);
  const cost = costHeld(request);
  for (const [category, count] of requestsOf(caller, prepared, variables, context)) {
    const standing = await endpoint.guard.limit(request, exchange.reply, category, count);
    cost?.count(count, standing);
  }
  exchange.counted = true;
  if (prepared.operation.operation === 'mutation') await requireRoom(deps, caller, prepared.survey.rootFields);
  found.register?.();
  const admitted: Admitted = { prepared, variables, context, cost, named: found.known };
  checkMethod(exchange, prepared);
  if (prepared.operation.operation === 'subscription') return streamOf(endpoint, request, admitted);
  return shareOrExecute(endpoint, exchange, admitted);
}

/** Counts an invalid document against its sender and reports its errors. */
async function reject(endpoint: Endpoint, exchange: Exchange, errors: readonly GraphQLError[]): Promise<Outcome> {
  const { caller, clientAddress } = exchange.request;
  exchange.counted = true;
  await endpoint.guard.refusals.count({ caller, ip: clientAddress });
  // The errors of a document describe the schema, which production shows to known callers only.
  if (caller.kind === 'anonymous' && !endpoint.development && !isHandshake(errors)) throw accessRefusal(caller, {});
  const formatted = format(endpoint, exchange, errors);
  if (!isHandshake(errors)) noteErrors(endpoint, exchange, formatted);
  return { kind: 'result', result: { errors: formatted }, invalid: true };
}

/** Refuses a method that the type of the operation does not allow, and names those that it does. */
function checkMethod({ request, reply }: Exchange, { operation: { operation } }: Prepared): void {
  if (operation === 'subscription' && request.method === 'HEAD') {
    // The answer has no body, so nothing would read the stream or notice that its client is gone.
    reply.header('allow', 'GET, POST');
    throw refuse('method_not_allowed', 'A subscription needs GET or POST');
  }
  if (operation === 'mutation' && request.method !== 'POST') {
    reply.header('allow', 'POST');
    throw refuse('method_not_allowed', 'A mutation needs POST');
  }
}

function streamOf(
  { executor }: Endpoint,
  request: FastifyRequest,
  { prepared, variables, context }: Admitted,
): Outcome {
  if (operations.hasSubscribers) reportOperation(prepared, variables, context, false);
  if (!namesEvents(request)) throw malformed(STREAM_WANTED);
  return { kind: 'stream', subscribed: resumed(executor, request, { prepared, variables }) };
}

/** A client that reconnects resumes after the event that it names in `Last-Event-ID`. */
function resumed({ schema }: Executor, { headers }: FastifyRequest, { prepared, variables }: Subscribed): Subscribed {
  const last = headers['last-event-id'];
  const cursor = typeof last === 'string' && last !== '' ? cursorVariable(schema, prepared) : null;
  if (cursor === null) return { prepared, variables };
  // The cursor of one receipt is a number, the `seq` of the event.
  return { prepared, variables: { ...variables, [cursor]: /^\d+$/.test(last as string) ? Number(last) : last } };
}

/** Executes an operation, unless its answer has been made for an earlier request and is still the same. */
async function shareOrExecute(endpoint: Endpoint, exchange: Exchange, admitted: Admitted): Promise<Outcome> {
  const { prepared, variables, context, cost } = admitted;
  const shared = cost ? null : sharedAnswersOf(endpoint.executor.schema, prepared);
  if (!shared) return execute(endpoint, exchange, admitted);
  let executed: Outcome | undefined;
  const bytes = await shared.find(context, variables, async () => {
    executed = await execute(endpoint, exchange, admitted);
    return bytesToShare(exchange.request, executed);
  });
  if (bytes === null) return executed ?? execute(endpoint, exchange, admitted);
  if (!executed && operations.hasSubscribers) reportOperation(prepared, variables, context, false);
  return { kind: 'shared', bytes, revalidates: revalidates(admitted) };
}

async function execute(endpoint: Endpoint, exchange: Exchange, admitted: Admitted): Promise<Outcome> {
  const { prepared, variables, context } = admitted;
  const { request, reply } = exchange;
  const { errors, data } = await prepared.run(context, variables);
  if (operations.hasSubscribers) reportOperation(prepared, variables, context, errors !== undefined);
  const setsCookies = request.cookiesToSet.length > 0;
  if (setsCookies) reply.header('set-cookie', request.cookiesToSet);
  const formatted = errors && format(endpoint, exchange, errors);
  if (formatted) noteErrors(endpoint, exchange, formatted);
  const cost = admitted.cost?.total();
  const extensions = { ...(request.degraded ? DEGRADED : {}), ...(cost ? { cost } : {}) };
  const result = {
    ...(formatted ? { errors: formatted } : {}),
    data,
    ...(request.degraded || cost ? { extensions } : {}),
  };
  const invalid = data === undefined;
  return { kind: 'result', result, invalid, revalidates: revalidates(admitted) && !errors && !setsCookies };
}

/** Whether a client may keep the answer of an operation, and ask whether it has changed. */
const revalidates = ({ named, prepared }: Admitted): boolean => named && prepared.operation.operation === 'query';

/** The bytes of a result that does not depend on this request; null for any other outcome. */
function bytesToShare(request: FastifyRequest, outcome: Outcome): Buffer | null {
  if (outcome.kind !== 'result' || outcome.result.errors) return null;
  if (request.degraded || request.cookiesToSet.length > 0) return null;
  return Buffer.from(JSON.stringify(outcome.result));
}

function refused({ deps }: Endpoint, { request, reply, prepared }: Exchange, error: unknown): Outcome {
  const refusal = toRefusal(error, deps.log, request.id);
  const { status, code, extra } = refusal;
  noteFailure(deps, request, reply, { operation: nameOf(prepared), status, code, field: extra.field });
  reply.headers(retryHeaders(refusal, deps.clock()));
  const scope = { settings: deps.settings, correlationId: request.id };
  return { kind: 'refused', refusal, body: refusalBody(refusal, scope) };
}

function format({ deps }: Endpoint, { request }: Exchange, errors: readonly GraphQLError[]): GraphQLError[] {
  const { log, settings } = deps;
  return errors.map((error) => formatError(error, { log, settings, correlationId: request.id }));
}

/** Stores the first error of an answer for the merchant. */
function noteErrors(
  { deps }: Endpoint,
  { request, reply, prepared }: Exchange,
  [error]: readonly GraphQLError[],
): void {
  if (!error) return;
  const { code, http, field } = error.extensions as { code: ErrorCode; http: { status: number }; field?: unknown };
  noteFailure(deps, request, reply, { operation: nameOf(prepared), status: http.status, code, field });
}

/** The root fields that the name of an operation has at most. */
const NAMED_FIELDS = 5;

/** The type and the root fields of an operation. The names that the client gave to it are left out. */
function nameOf(prepared: Prepared | undefined): string {
  if (prepared === undefined) return 'GraphQL';
  const fields = [...new Set(prepared.survey.rootFields)].slice(0, NAMED_FIELDS);
  return `${prepared.operation.operation} ${fields.join(', ')}`;
}

/** Whether a client only asks if the server keeps queries. The answer says nothing of the schema. */
const isHandshake = ([error]: readonly GraphQLError[]): boolean =>
  error?.extensions.code === 'PERSISTED_QUERY_NOT_SUPPORTED';

/** The body of a refusal, in both forms of an error: GraphQL's, and the one of every other route. */
export const refusalBody = (refusal: Refusal, scope: Parameters<typeof errorExtensions>[1]): string =>
  JSON.stringify({
    ...errorBody(refusal),
    errors: [{ message: refusal.message, extensions: errorExtensions(refusal, scope) }],
  });

/** The header by which a request asks for the cost of its operation. */
const COST_HEADER = 'x-graphql-cost';

/** What an operation counted against the caller's rate limit, in requests of the window. */
interface Cost {
  readonly requested: number;
  /** The limit of the window, what remains of it, and when it resets (epoch milliseconds). Null: there is no limit. */
  readonly limit: number | null;
  readonly remaining: number | null;
  readonly resetAt: number | null;
}

/** Collects the cost of one operation. */
interface HeldCost {
  /** Adds a number of requests, and the window after them. */
  count(requests: number, standing: Standing | null): void;
  /** The requests of all categories, and the window with the least left. */
  total(): Cost;
}

/** The collector for a request that asks for its cost; null for any other. */
function costHeld({ headers }: Pick<FastifyRequest, 'headers'>): HeldCost | null {
  const asked = headers[COST_HEADER];
  if (asked !== '1' && asked !== 'true') return null;
  let requested = 0;
  let least: Standing | null = null;
  return {
    count(requests, standing) {
      requested += requests;
      if (standing && (least === null || standing.remaining < least.remaining)) least = standing;
    },
    total: () => ({
      requested,
      limit: least?.limit ?? null,
      remaining: least?.remaining ?? null,
      resetAt: least?.resetAtMs ?? null,
    }),
  };
}
