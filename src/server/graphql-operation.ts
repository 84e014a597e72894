import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ExecutionResult, GraphQLError } from 'graphql';
import { accessRefusal } from '../core/caller.ts';
import { type ErrorCode, type Refusal, refuse } from '../core/errors.ts';
import { operations } from '../core/observed.ts';
import { sharedAnswersOf } from '../graphql/answer-source.ts';
import { DEGRADED } from '../graphql/context.ts';
import { cursorVariable } from '../graphql/cursor-variable.ts';
import { errorExtensions, formatError, toRefusal } from '../graphql/errors.ts';
import type { Executor } from '../graphql/execute.ts';
import type { Prepared } from '../graphql/prepared.ts';
import type { Deps } from '../platform/deps.ts';
import { type Cost, costHeld } from './answer-cost.ts';
import type { Documents } from './documents.ts';
import type { Params } from './graphql-params.ts';
import { keyRefusal, policyRefusal, publicFields, requestsOf } from './graphql-policy.ts';
import { errorBody, retryHeaders } from './http.ts';
import type { HttpGuard } from './http-guard.ts';
import { noteFailure } from './note-failure.ts';
import { contextOf } from './request-context.ts';

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

/** What is known of an operation when it fails. */
interface Attempt {
  prepared?: Prepared;
}

/** Runs the operation of one request. Never rejects: errors are outcomes. */
export type RunOperation = (request: FastifyRequest, reply: FastifyReply, params: Params | null) => Promise<Outcome>;

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
  const { log, settings } = deps;
  const format = (errors: readonly GraphQLError[], { id }: FastifyRequest) =>
    errors.map((error) => formatError(error, { log, settings, correlationId: id }));

  /** Stores the first error of an answer for the merchant. */
  function noteErrors(
    request: FastifyRequest,
    reply: FastifyReply,
    [error]: readonly GraphQLError[],
    prepared?: Prepared,
  ): void {
    if (!error) return;
    const { code, http, field } = error.extensions as { code: ErrorCode; http: { status: number }; field?: unknown };
    noteFailure(deps, request, reply, { operation: nameOf(prepared), status: http.status, code, field });
  }

  /** Counts an invalid document against its sender and reports its errors. */
  async function reject(
    request: FastifyRequest,
    reply: FastifyReply,
    errors: readonly GraphQLError[],
  ): Promise<Outcome> {
    const { caller } = request;
    await guard.reject({ caller, ip: request.clientAddress });
    // The errors of a document describe the schema, which production shows to known callers only.
    if (caller.kind === 'anonymous' && !development && !isHandshake(errors)) throw accessRefusal(caller, {});
    const formatted = format(errors, request);
    if (!isHandshake(errors)) noteErrors(request, reply, formatted);
    return { kind: 'result', result: { errors: formatted }, invalid: true };
  }

  async function run(
    request: FastifyRequest,
    reply: FastifyReply,
    params: Params | null,
    attempt: Attempt,
  ): Promise<Outcome> {
    const { caller } = request;
    // Check the key before parsing, so that unauthorized callers see no parse errors.
    const shut = params || caller.kind !== 'anonymous' ? keyRefusal(caller) : accessRefusal(caller, {});
    if (shut) throw shut;
    if (!params) throw refuse('invalid_input', QUERY_WANTED);
    const { operationName, variables } = params;
    const found = documents.find(caller, params);
    if ('missing' in found) return reject(request, reply, [found.missing]);
    const prepared = executor.prepare(found.text, operationName);
    if ('errors' in prepared) return reject(request, reply, prepared.errors);
    attempt.prepared = prepared;
    const refusal = policyRefusal(caller, prepared, openFields, development);
    if (refusal) throw refusal;
    const context = contextOf(deps, request);
    const cost = costHeld(request);
    for (const [category, count] of requestsOf(caller, prepared, variables, context)) {
      const standing = await guard.limit(request, reply, category, count);
      cost?.count(count, standing);
    }
    found.register?.();
    const { operation } = prepared.operation;
    if (operation === 'subscription') {
      if (request.method === 'HEAD') {
        // The answer has no body, so nothing would read the stream or notice that its client is gone.
        reply.header('allow', 'GET, POST');
        throw refuse('method_not_allowed', 'A subscription needs GET or POST');
      }
      if (operations.hasSubscribers) reportOperation(prepared, variables, context, false);
      if (namesEvents(request)) return { kind: 'stream', subscribed: resumed(request, { prepared, variables }) };
      throw refuse('invalid_input', STREAM_WANTED);
    }
    if (operation === 'mutation' && request.method !== 'POST') {
      reply.header('allow', 'POST');
      throw refuse('method_not_allowed', 'A mutation needs POST');
    }
    const kept = found.known && operation === 'query';
    const execute = async () => {
      const result = await prepared.run(context, variables);
      if (operations.hasSubscribers) reportOperation(prepared, variables, context, result.errors !== undefined);
      const revalidates = kept && !result.errors && request.cookiesToSet.length === 0;
      return outcomeOf(request, reply, result, { revalidates, cost: cost?.total(), prepared });
    };
    const shared = cost ? null : sharedAnswersOf(executor.schema, prepared);
    if (!shared) return execute();
    let executed: Outcome | undefined;
    const bytes = await shared.find(context, variables, async () => {
      executed = await execute();
      return bytesToShare(request, executed);
    });
    if (bytes === null) return executed ?? execute();
    if (!executed && operations.hasSubscribers) reportOperation(prepared, variables, context, false);
    return { kind: 'shared', bytes, revalidates: kept };
  }

  /** A client that reconnects resumes after the event that it names in `Last-Event-ID`. */
  function resumed({ headers }: FastifyRequest, { prepared, variables }: Subscribed): Subscribed {
    const last = headers['last-event-id'];
    const cursor = typeof last === 'string' && last !== '' ? cursorVariable(executor.schema, prepared) : null;
    if (cursor === null) return { prepared, variables };
    // The cursor of one receipt is a number, the `seq` of the event.
    return { prepared, variables: { ...variables, [cursor]: /^\d+$/.test(last as string) ? Number(last) : last } };
  }

  function outcomeOf(
    request: FastifyRequest,
    reply: FastifyReply,
    { errors, data }: ExecutionResult,
    {
      revalidates,
      cost,
      prepared,
    }: { readonly revalidates: boolean; readonly cost: Cost | undefined; readonly prepared: Prepared },
  ): Outcome {
    if (request.cookiesToSet.length > 0) reply.header('set-cookie', request.cookiesToSet);
    const formatted = errors && format(errors, request);
    if (formatted) noteErrors(request, reply, formatted, prepared);
    const result = {
      ...(formatted ? { errors: formatted } : {}),
      data,
      ...(request.degraded || cost
        ? { extensions: { ...(request.degraded ? DEGRADED : {}), ...(cost ? { cost } : {}) } }
        : {}),
    };
    return { kind: 'result', result, invalid: data === undefined, revalidates };
  }

  return async (request, reply, params) => {
    const attempt: Attempt = {};
    try {
      return await run(request, reply, params, attempt);
    } catch (error) {
      const refusal = toRefusal(error, deps.log, request.id);
      const { status, code, extra } = refusal;
      noteFailure(deps, request, reply, { operation: nameOf(attempt.prepared), status, code, field: extra.field });
      reply.headers(retryHeaders(refusal, deps.clock()));
      return { kind: 'refused', refusal, body: refusalBody(refusal, { settings, correlationId: request.id }) };
    }
  };
}

/** The bytes of a result that does not depend on this request; null for any other outcome. */
function bytesToShare(request: FastifyRequest, outcome: Outcome): Buffer | null {
  if (outcome.kind !== 'result' || outcome.result.errors) return null;
  if (request.degraded || request.cookiesToSet.length > 0) return null;
  return Buffer.from(JSON.stringify(outcome.result));
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

/** Reports an executed operation to metrics. */
export function reportOperation(
  { operation, survey }: Pick<Prepared, 'operation' | 'survey'>,
  variables: Record<string, unknown>,
  context: object,
  failed: boolean,
): void {
  const { points } = survey.bill(variables, context);
  operations.publish({ type: operation.operation, field: survey.rootFields[0] ?? '', points, failed });
}

/** The body of a refusal, in both forms of an error: GraphQL's, and the one of every other route. */
export const refusalBody = (refusal: Refusal, scope: Parameters<typeof errorExtensions>[1]): string =>
  JSON.stringify({
    ...errorBody(refusal),
    errors: [{ message: refusal.message, extensions: errorExtensions(refusal, scope) }],
  });
