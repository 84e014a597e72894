import type { FastifyReply } from 'fastify';

/** A file that clients may cache forever: plain and compressed. */
export interface StaticFile {
  body: Buffer;
  packed: Buffer;
  type: string;
}

const FOREVER = 'public, max-age=31536000, immutable';

/** Sends a script that pages of other sites load from an address that stays: they ask again after five minutes. */
export function sendShared(reply: FastifyReply, file: StaticFile): FastifyReply {
  reply.headers({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' });
  return sendFile(reply, file, 'public, max-age=300');
}

/** Sends a file with a content-hashed URL, compressed if the browser accepts it. */
export function sendFile(reply: FastifyReply, { body, packed, type }: StaticFile, cached = FOREVER): FastifyReply {
  const packs = /\bgzip\b/.test(reply.request.headers['accept-encoding'] ?? '');
  if (packs) reply.header('content-encoding', 'gzip');
  return reply
    .headers({ 'cache-control': cached, vary: 'accept-encoding' })
    .type(type)
    .send(packs ? packed : body);
}
