import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Work, workBegins, workEnds } from '../../../base/core/observed.ts';
import { beginWork, withinWork } from '../../../base/core/traced.ts';

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
