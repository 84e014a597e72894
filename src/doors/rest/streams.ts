import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { merchantOf } from '../../base/core/caller.ts';
import { refuse } from '../../base/core/errors.ts';
import { parseInput } from '../../base/core/input.ts';
import { toRefusal } from '../../base/graphql/errors.ts';
import { createDb } from '../../base/platform/db.ts';
import type { Deps } from '../../base/platform/deps.ts';
import { ahead } from '../../domain/reports/exports/ahead.ts';
import { errorBody } from '../http/server/http.ts';
import { contextOf } from '../http/server/http-guard.ts';
import type { LiveGuard } from '../http/server/live-guard.ts';
import { IGNORED_FIELDS_HEADER } from './ignored-fields.ts';
import { query, type RestRequest } from './routes/reader.ts';
import type { StreamedRoute, StreamedText } from './routes/route.ts';

/** The texts of one merchant that a process sends at once. */
const TEXTS_PER_MERCHANT = 4;
/** How long a client may take nothing. */
const STALL_MS = 120_000;

type IgnoredIn = (request: FastifyRequest) => string | null;

/** The handlers of streamed routes. */
export interface Streams {
  handlerOf(
    route: StreamedRoute,
    ignoredIn: IgnoredIn,
  ): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
}

/**
 * Sends texts of any length in constant memory: a part is made when the client has taken the one before. The texts are
 * read on database connections of their own, so that no other request waits for them.
 */
export function createStreams(
  server: FastifyInstance,
  deps: Deps,
  { connections }: Pick<LiveGuard, 'connections'>,
): Streams {
  const { databaseUrl, databasePooler: pooler, databaseReadUrl: readUrl } = deps.settings;
  const db = createDb(databaseUrl, deps.db.orm, deps.log, { pooler, readUrl, kept: deps.db.kept });
  server.addHook('onClose', () => db.close());
  const sending = new Map<string, number>();

  /** Counts a text of a merchant until the returned function is called. Refuses with `too_many_streams`. */
  function enter({ caller, clientAddress: ip }: FastifyRequest, cut: () => void): () => void {
    const merchant = merchantOf(caller);
    const count = sending.get(merchant) ?? 0;
    const leave = count < TEXTS_PER_MERCHANT ? connections.enter('export', { caller, ip }, cut) : null;
    if (!leave) throw refuse('too_many_streams', `At most ${TEXTS_PER_MERCHANT} exports run at once`);
    sending.set(merchant, count + 1);
    return () => {
      leave();
      const left = (sending.get(merchant) as number) - 1;
      if (left > 0) sending.set(merchant, left);
      else sending.delete(merchant);
    };
  }

  return {
    handlerOf: (route, ignoredIn) => async (request, reply) => {
      const ignored = ignoredIn(request);
      if (ignored !== null) reply.header(IGNORED_FIELDS_HEADER, ignored);
      const rest = { caller: request.caller, query: parseInput(query, request.query) } as RestRequest;
      const parts = { caller: request.caller, query: route.query?.read(rest) };
      let stream: Readable | null = null;
      const leave = enter(request, () => stream?.destroy());
      try {
        const text = route.open({ ...deps, db, origin: contextOf(deps, request, route.path).origin }, parts);
        const ready = ahead(text.parts);
        // Until the first part is there, an error is an ordinary answer.
        const first = await ready.next();
        stream = Readable.from(sent({ ...text, parts: ready }, first, { cut: () => stream?.destroy(), deps, request }));
        stream.once('close', leave);
        reply.type(text.type).header('content-disposition', `attachment; filename="${text.filename}"`);
        return reply.send(stream);
      } catch (error) {
        if (!stream) leave();
        throw error;
      }
    },
  };
}

interface Sending {
  readonly cut: () => void;
  readonly deps: Deps;
  readonly request: FastifyRequest;
}

/** The parts of a text. After a fault, the last line that its format has for it; then the connection is cut. */
async function* sent(
  { parts, fault }: StreamedText,
  first: IteratorResult<string>,
  { cut, deps, request }: Sending,
): AsyncGenerator<string> {
  try {
    for (let part = first; !part.done; part = await parts.next()) {
      if (part.value === '') continue;
      const stalled = setTimeout(cut, STALL_MS);
      yield part.value;
      clearTimeout(stalled);
    }
  } catch (error) {
    const last = fault(errorBody(toRefusal(error, deps.log, request.id)));
    if (last !== '') yield last;
    throw error;
  } finally {
    await parts.return(undefined);
  }
}
