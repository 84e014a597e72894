import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../../base/core/caller.ts';
import type { Refusal } from '../../../base/core/errors.ts';
import { forbid } from '../../../base/core/forbidden.ts';
import type { Settings } from '../../../base/platform/deps.ts';
import { csrfToken } from '../../../domain/access/gateway/csrf.ts';

/** Why a caller may not open GraphiQL; null if it may. */
export function graphiqlRefusal(setting: Settings['graphiql'], caller: Caller): Refusal | null {
  if (setting === 'on') return null;
  if (caller.kind !== 'session')
    return forbid('session_required', 'GraphiQL opens for signed-in admins: sign in at /console');
  return caller.merchant !== null || caller.platformAdmin ? null : forbid('role_missing', undefined, { role: 'admin' });
}

/**
 * The page's one script block carries the nonce. Its editor starts workers from blobs, and adds style blocks without a
 * nonce. Nothing is loaded from elsewhere.
 */
const policy = (nonce: string, { protocol, host }: FastifyRequest): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    'worker-src blob:',
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    'font-src data:',
    `connect-src 'self' ${protocol === 'https' ? 'wss' : 'ws'}://${host}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Sends GraphiQL with the session's CSRF token as its default header, so that an admin can run mutations. */
export async function sendGraphiQL(
  request: FastifyRequest,
  reply: FastifyReply,
  settings: Settings,
): Promise<FastifyReply> {
  const { caller } = request;
  const headers = caller.kind === 'session' ? { 'x-csrf-token': csrfToken(settings, caller.sessionId) } : null;
  // Load the page on its first use: it contains its own scripts (9 MB), so that it works without internet access.
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const page = renderGraphiQL({
    title: 'Quittance GraphiQL',
    subscriptionsProtocol: 'WS',
    credentials: 'same-origin',
    ...(headers ? { headers: JSON.stringify(headers) } : {}),
  });
  const nonce = randomBytes(16).toString('base64');
  return reply
    .headers({
      'content-security-policy': policy(nonce, request),
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    })
    .type('text/html; charset=utf-8')
    .send(page.replace('<script>', () => `${opensDocs(request) ? OPEN_DOCS(nonce) : ''}<script nonce="${nonce}">`));
}

/** The link from the API reference asks for the documentation beside the editor. */
const opensDocs = ({ query }: FastifyRequest): boolean => 'docs' in (query as object);

/** GraphiQL opens the pane that it finds in the browser's storage. */
const OPEN_DOCS = (nonce: string): string =>
  `<script nonce="${nonce}">localStorage.setItem('graphiql:visiblePlugin', 'Documentation Explorer')</script>`;
