import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pageCsp, sampleCsp } from './csp.ts';

/**
 * Sends a page with a fresh nonce for its style block and with security headers. `framePath` is the only path of this
 * server that the page may show in a frame.
 */
export function sendPage(
  reply: FastifyReply,
  status: number,
  render: (nonce: string) => string,
  framePath: string | null = null,
): FastifyReply {
  const { scheme, host } = reply.request;
  // Without the query: a policy matches paths only.
  const frames = framePath === null ? [] : [`${scheme}://${host}${framePath.split('?')[0]}`];
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

/** Sends a document without scripts that only pages of this server may show in a frame. */
export function sendSample(reply: FastifyReply, render: (nonce: string) => string): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  return reply
    .headers({
      'content-security-policy': sampleCsp(nonce),
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'SAMEORIGIN',
    })
    .type('text/html; charset=utf-8')
    .send(render(nonce));
}

/** The origin of the page's websocket, for browsers that do not include it in `'self'`. */
const socketOrigin = ({ scheme, host }: FastifyRequest): string => `${scheme === 'https' ? 'wss' : 'ws'}://${host}`;
