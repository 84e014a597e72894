import { PassThrough } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { GraphQLError } from 'graphql';
import { weakMemo } from '../../../base/core/caches.ts';
import { type Refusal, refuse } from '../../../base/core/errors.ts';
import { formatError } from '../../../base/graphql/errors.ts';
import type { Batch } from '../../../base/graphql/groups.ts';
import type { Sink } from '../../../base/graphql/subscribe.ts';
import type { Subscribed } from './graphql-operation.ts';
import { LIVE_LIMITS } from './live-connections.ts';
import type { LiveGuard } from './live-guard.ts';
import { createQueue } from './queue.ts';

/** The headers of an event stream. */
export const EVENT_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  // Proxies must forward each event immediately.
  'cache-control': 'no-cache, no-store',
  'x-accel-buffering': 'no',
} as const;

const COMPLETE = 'event: complete\ndata:\n\n';
const PING = ':\n\n';

const failure = (errors: readonly GraphQLError[] | undefined) => `event: next\ndata: ${JSON.stringify({ errors })}\n\n`;

/** The bytes of a batch, made once for all streams that share it. */
const bytesOf = weakMemo(({ results, cursors }: Batch) =>
  Buffer.from(results.map((result, i) => `event: next\n${idLine(cursors[i])}data: ${result}\n\n`).join('')),
);

/** The line from which a client that reconnects takes its `Last-Event-ID`. */
const idLine = (cursor?: string) => (cursor === undefined ? '' : `id: ${cursor}\n`);

/**
 * Opens a subscription as server-sent events (graphql-sse, distinct connections): `next` with each result, `complete`
 * at the end. The connection is closed without `complete` when its key or session ends, when the client reads too
 * slowly, and when the server ends. The client resumes with the cursor.
 *
 * The status is sent before the outcome is known, so a subscription that cannot be opened is an event of the stream.
 * Returns a refusal, `too_many_streams`, if the caller has too many connections.
 */
export function openEvents(guard: LiveGuard, request: FastifyRequest, subscribed: Subscribed): PassThrough | Refusal {
  const { caller, host, clientAddress: ip } = request;
  const stream = new PassThrough();
  const cut = () => void stream.destroy();
  const leave = guard.connections.enter('event_stream', { caller, ip }, cut);
  if (!leave) return refuse('too_many_streams');
  guard.streams.add(cut);
  stream.on('close', () => {
    guard.streams.delete(cut);
    leave();
  });
  stream.write(PING);

  const { log, settings } = guard.deps;
  const scope = { log, settings, correlationId: request.id };
  const format = (errors?: readonly GraphQLError[]) => errors?.map((error) => formatError(error, scope));
  guard.openStream({ ...subscribed, caller, host, correlationId: request.id }, sinkOf(stream)).then(
    (opened) => {
      if ('refused' in opened) return stream.end(failure(format(opened.refused.errors)) + COMPLETE);
      const beat = setInterval(() => void (stream.writable && stream.write(PING)), LIVE_LIMITS.pingMs);
      const stop = () => {
        clearInterval(beat);
        opened.stop();
      };
      if (stream.destroyed) stop();
      else stream.on('close', stop);
    },
    (error: Error) => stream.end(failure(format([new GraphQLError('', { originalError: error })])) + COMPLETE),
  );
  return stream;
}

/** Writes results to a stream. The queue is bounded: a client that reads too slowly is cut. */
function sinkOf(stream: PassThrough): Sink {
  const queue = createQueue(stream, () => void stream.destroy());
  return {
    send(batch) {
      if (stream.writable && queue.admits()) stream.write(bytesOf(batch));
    },
    drained: queue.drained,
    end(errors) {
      if (stream.writable) stream.end((errors ? failure(errors) : '') + COMPLETE);
    },
  };
}
