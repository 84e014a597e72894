import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pageCsp } from './csp.ts';

/**
 * Answers with a page: a fresh nonce for its style block, and the headers that keep it to itself. `framePath` is the one path of this server that it may
 * show in a frame.
 */
export function sendPage(
  reply: FastifyReply,
  status: number,
  render: (nonce: string) => string,
  framePath: string | null = null,
): FastifyReply {
  const { protocol, host } = reply.request;
  // Without the query, which a policy does not know.
  const frames = framePath === null ? [] : [`${protocol}://${host}${framePath.split('?')[0]}`];
  const nonce = randomBytes(16).toString('base64');
  return reply
    .code(status)
    .headers({
      'content-security-policy': pageCsp(nonce, [socketOrigin(reply.request)], frames),
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    })
    .type('text/html; charset=utf-8')
    .send(render(nonce));
}

/** Where the page's websocket leads, for browsers that do not count it as `'self'`. */
const socketOrigin = ({ protocol, host }: FastifyRequest): string => `${protocol === 'https' ? 'wss' : 'ws'}://${host}`;
