import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SubscribePayload } from 'graphql-ws';
import { newUuid } from '../../../base/core/ids.ts';
import { type Work, workBegins, workEnds } from '../../../base/core/observed.ts';
import { beginWork, completesWork, withinWork } from '../../../base/core/traced.ts';
import type { Prepared } from '../../../base/graphql/prepared.ts';

const requests = new WeakMap<IncomingMessage, Work>();

/**
 * Begins the span of a request, in the trace that its `traceparent` names. Gives the id of the trace; null while traces
 * are off.
 */
export function beginRequest(raw: IncomingMessage): string | null {
  if (!workBegins.hasSubscribers) return null;
  const { traceparent } = raw.headers;
  const method = raw.method ?? 'GET';
  const remote = typeof traceparent === 'string' ? traceparent : null;
  const work = beginWork({ kind: 'request', name: method, attributes: { 'http.request.method': method }, remote });
  requests.set(raw, work);
  return work.traceparent?.split('-')[1] ?? null;
}

/** Makes what a request causes part of its trace, and ends its span with the answer. */
export function traceRequests(server: FastifyInstance): void {
  // The parser of the body loses the context of the first hook.
  const begin = ({ raw }: FastifyRequest, _reply: FastifyReply, done: () => void) => {
    const work = requests.get(raw);
    if (work) withinWork(work, done);
    else done();
  };
  server.addHook('onRequest', begin);
  // The parser of the body loses the context of the first hook.
  server.addHook('preValidation', begin);
  server.addHook('onResponse', (request, reply, done) => {
    const work = requests.get(request.raw);
    if (work) {
      const route = request.routeOptions.url;
      workEnds.publish({
        work,
        failed: reply.statusCode >= 500,
        name: route === undefined ? work.name : `${work.name} ${route}`,
        attributes: {
          'http.response.status_code': reply.statusCode,
          correlation_id: request.id,
          ...(route === undefined ? {} : { 'http.route': route }),
        },
      });
    }
    done();
  });
}

/** An operation of a websocket, from its message until its answer, or until its stream is open. */
export interface TracedOperation {
  /** The id of its trace; a random one while traces are off. */
  readonly correlationId: string;
  readonly work: Work | null;
}

/**
 * Begins the span of an operation, in the trace that `extensions.traceparent` of its message names, or `traceparent` of
 * `connection_init`.
 */
export function beginOperation({ extensions }: SubscribePayload, params: unknown): TracedOperation {
  if (!workBegins.hasSubscribers) return { correlationId: newUuid(), work: null };
  const remote = textOf(extensions) ?? textOf(params);
  const attributes = { 'network.protocol.name': 'websocket' };
  const work = beginWork({ kind: 'request', name: 'websocket', attributes, remote });
  return { correlationId: work.traceparent?.split('-')[1] ?? newUuid(), work };
}

const textOf = (holder: unknown): string | null => {
  const text = (holder as { readonly traceparent?: unknown } | null | undefined)?.traceparent;
  return typeof text === 'string' ? text : null;
};

/** Admits an operation as a part of its span, which ends if the operation is refused. */
export async function admitTraced<T>({ work, correlationId }: TracedOperation, run: () => Promise<T>): Promise<T> {
  if (!work) return run();
  const result = await withinWork(work, run);
  if (Array.isArray(result))
    completesWork(work, () => {}, { isFailure: () => true, attributes: { correlation_id: correlationId } });
  return result;
}

/** Executes an operation as the last part of its span. */
export function executeTraced<T>(
  { work, correlationId }: TracedOperation,
  { operation, survey }: Pick<Prepared, 'operation' | 'survey'>,
  run: () => T,
): T {
  if (!work) return run();
  const type = operation.operation;
  const field = survey.rootFields[0] ?? '';
  return completesWork(work, run, {
    name: `websocket ${type}`,
    attributes: { 'graphql.operation.type': type, 'graphql.field': field, correlation_id: correlationId },
    isFailure: (result) => typeof result === 'object' && result !== null && 'errors' in result && !!result.errors,
  });
}
