import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pageCsp } from './csp.ts';

/** Answers with a page: a fresh nonce for its style block, and the headers that keep it to itself. */
export function sendPage(reply: FastifyReply, status: number, render: (nonce: string) => string): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  return reply
    .code(status)
    .headers({
      'content-security-policy': pageCsp(nonce, [socketOrigin(reply.request)]),
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    })
    .type('text/html; charset=utf-8')
    .send(render(nonce));
}

/** Where the page's websocket leads, for browsers that do not count it as `'self'`. */
const socketOrigin = ({ protocol, host }: FastifyRequest): string => `${protocol === 'https' ? 'wss' : 'ws'}://${host}`;
