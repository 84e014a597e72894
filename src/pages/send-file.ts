import type { FastifyReply } from 'fastify';
import type { StaticFile } from './assets.ts';

const FOREVER = 'public, max-age=31536000, immutable';

/** Answers with a file whose address says what is in it: packed where the browser takes that. */
export function sendFile(reply: FastifyReply, { body, packed, type }: StaticFile): FastifyReply {
  const packs = /\bgzip\b/.test(reply.request.headers['accept-encoding'] ?? '');
  if (packs) reply.header('content-encoding', 'gzip');
  return reply
    .headers({ 'cache-control': FOREVER, vary: 'accept-encoding' })
    .type(type)
    .send(packs ? packed : body);
}
