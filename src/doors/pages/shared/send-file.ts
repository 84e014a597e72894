import type { FastifyReply } from 'fastify';

/** A file that clients may cache forever: plain and compressed. */
export interface StaticFile {
  body: Buffer;
  packed: Buffer;
  type: string;
}

const FOREVER = 'public, max-age=31536000, immutable';

/** Sends a file with a content-hashed URL, compressed if the browser accepts it. */
export function sendFile(reply: FastifyReply, { body, packed, type }: StaticFile): FastifyReply {
  const packs = /\bgzip\b/.test(reply.request.headers['accept-encoding'] ?? '');
  if (packs) reply.header('content-encoding', 'gzip');
  return reply
    .headers({ 'cache-control': FOREVER, vary: 'accept-encoding' })
    .type(type)
    .send(packs ? packed : body);
}
