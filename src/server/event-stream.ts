import type { FastifyReply, FastifyRequest } from 'fastify';
import { GraphQLError } from 'graphql';
import { refuse } from '../core/errors.ts';
import { weakMemo } from '../core/weak-memo.ts';
import { formatError } from '../graphql/errors.ts';
import type { Prepared } from '../graphql/execute.ts';
import type { Batch } from '../graphql/groups.ts';
import type { LiveGuard } from './live-guard.ts';
import { LIVE_LIMITS } from './live-limits.ts';
import { createQueue } from './queue.ts';

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  // Proxies must forward each event immediately.
  'cache-control': 'no-cache, no-store',
  'x-accel-buffering': 'no',
} as const;

const COMPLETE = 'event: complete\ndata:\n\n';

/** The bytes of a batch, made once for all streams that share it. */
const bytesOf = weakMemo(({ results }: Batch) =>
  Buffer.from(results.map((result) => `event: next\ndata: ${result}\n\n`).join('')),
);

/** Whether a request accepts server-sent events. */
export const wantsEvents = ({ headers }: FastifyRequest): boolean =>
  /\btext\/event-stream\b/.test(headers.accept ?? '');

/**
 * Answers a subscription as server-sent events (graphql-sse, distinct connections): `next` with each result, `complete`
 * at the end. The connection is closed without `complete` when its key or session ends, when the client reads too
 * slowly, and when the server ends. The client resumes with the cursor.
 *
 * Errors: `too_many_streams`.
 */
export async function serveEvents(
  guard: LiveGuard,
  request: FastifyRequest,
  reply: FastifyReply,
  { prepared, variables }: { prepared: Prepared; variables: Record<string, unknown> },
): Promise<FastifyReply> {
  const { raw } = reply;
  const { caller } = request;
  const cut = () => void raw.destroy();
  const leave = guard.connections.enter({ caller, ip: request.clientAddress }, cut);
  if (!leave) throw refuse('too_many_streams');
  const queue = createQueue(raw, cut);
  guard.streams.add(cut);
  raw.on('close', () => {
    guard.streams.delete(cut);
    leave();
  });
  // The status is sent before the outcome is known, so a refusal is an event of the stream.
  reply.hijack();
  raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...HEADERS });
  raw.write(':\n\n');

  const opened = await guard
    .openStream(
      { prepared, variables, caller, host: request.host },
      {
        send(batch) {
          if (!raw.destroyed && queue.admits()) raw.write(bytesOf(batch));
        },
        drained: queue.drained,
        end(errors) {
          if (errors) raw.write(`event: next\ndata: ${JSON.stringify({ errors })}\n\n`);
          raw.end(COMPLETE);
        },
      },
    )
    .catch((error: Error) => ({ refused: { errors: [new GraphQLError('', { originalError: error })] } }));
  if ('refused' in opened) {
    const errors = opened.refused.errors?.map((error) => formatError(error, guard.deps.log));
    raw.end(`event: next\ndata: ${JSON.stringify({ errors })}\n\n${COMPLETE}`);
    return reply;
  }
  const beat = setInterval(() => raw.write(':\n\n'), LIVE_LIMITS.pingMs);
  const stop = () => {
    clearInterval(beat);
    opened.stop();
  };
  if (raw.destroyed) stop();
  else raw.on('close', stop);
  return reply;
}
