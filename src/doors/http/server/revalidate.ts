import type { FastifyReply, FastifyRequest } from 'fastify';
import { sha256 } from '../../../base/platform/secrets.ts';

/** The headers that an answer of the API may depend on. */
const VARY = 'Accept, Authorization, Cookie, Ocp-Apim-Subscription-Key, x-api-key, x-graphql-cost';

/**
 * Sends a text that a client may keep for itself and must revalidate: with its `ETag`, or as 304 if the client has it.
 * The text is made for each request, so access is checked and the content is current.
 */
export function sendRevalidated(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  const type = String(reply.getHeader('content-type') ?? '');
  const tag = `"${sha256(`${type}\n${text}`).slice(0, 32)}"`;
  reply.headers({ etag: tag, 'cache-control': 'private, no-cache', vary: VARY });
  if (!isHeld(request.headers['if-none-match'], tag)) return reply.send(text);
  return reply.removeHeader('content-type').code(304).send();
}

/** Whether `If-None-Match` names this tag. Proxies mark tags as weak. */
export const isHeld = (given: string | undefined, tag: string): boolean =>
  (given ?? '').split(',').some((one) => one.trim().replace(/^W\//, '') === tag);
