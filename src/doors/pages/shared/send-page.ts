import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Reading } from './reading.ts';

/**
 * Sends a page in its language, with a fresh nonce for its style block and with security headers. `framePath` is the
 * only path of this server that the page may show in a frame, and `ancestors` are the only origins that may show the
 * page in one.
 */
export function sendPage(
  reply: FastifyReply,
  { language }: Reading,
  status: number,
  render: (nonce: string) => string,
  framePath: string | null = null,
  ancestors: readonly string[] = [],
): FastifyReply {
  const { scheme, host } = reply.request;
  // Without the query: a policy matches paths only.
  const frames = framePath === null ? [] : [`${scheme}://${host}${framePath.split('?')[0]}`];
  const nonce = randomBytes(16).toString('base64');
  return reply
    .code(status)
    .headers({
      'content-language': language,
      'content-security-policy': pageCsp(nonce, [socketOrigin(reply.request)], frames, ancestors),
      'referrer-policy': 'no-referrer',
      // It cannot name origins.
      ...(ancestors.length === 0 && { 'x-frame-options': 'DENY' }),
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

/** The origin of an address that is not relative, for `connect-src`; null where `'self'` covers it. */
function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}

/** The policy of a sample that our own pages show in a frame: it has styles and pictures, and no script. */
function sampleCsp(nonce: string): string {
  return [
    "default-src 'none'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: https:",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join('; ');
}

/**
 * The Content-Security-Policy of a page: scripts and styles from this server only, plus the one style block that
 * carries `nonce`. `connectUrls` are the addresses that the page's script connects to (GraphQL, websocket); relative
 * ones need no entry. `frameUrls` are the only addresses that the page may show in a frame.
 */
export function pageCsp(
  nonce: string,
  connectUrls: readonly string[] = [],
  frameUrls: readonly string[] = [],
  ancestors: readonly string[] = [],
): string {
  const origins = new Set(connectUrls.map(originOf).filter((origin) => origin !== null));
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: https:",
    ["connect-src 'self'", ...origins].join(' '),
    ...(frameUrls.length > 0 ? [['frame-src', ...frameUrls].join(' ')] : []),
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${ancestors.join(' ') || "'none'"}`,
  ].join('; ');
}
