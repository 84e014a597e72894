import type { FastifyInstance } from 'fastify';
import { parseWallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import type { HttpGuard } from '../server/http-guard.ts';
import { answerX402 } from './answer.ts';
import { HEADERS } from './protocol.ts';

/** Headers of every answer, so that a page of any website can read the terms and pay. No cookie is ever sent. */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': `${HEADERS.required}, ${HEADERS.response}`,
} as const;

const PREFLIGHT = {
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': HEADERS.signature,
  'access-control-max-age': '86400',
} as const;

/**
 * The address `/x402/<id>` at which programs read and pay a receipt (HTTP 402). Any website may use it: it takes no
 * cookie, and what it answers follows from the address alone.
 */
export function mountX402(server: FastifyInstance, deps: Deps, guard: HttpGuard): void {
  server.options('/x402/:id', (_request, reply) =>
    reply
      .code(204)
      .headers({ ...CORS, ...PREFLIGHT })
      .send(),
  );
  server.get<{ Params: { id: string }; Querystring: { recipient?: unknown; k?: unknown } }>('/x402/:id', {
    async onRequest(request, reply) {
      reply.headers(CORS);
      await guard.limit(request, reply, 'others');
    },
    async handler(request, reply) {
      const { recipient, k: key } = request.query;
      const payment = request.headers[HEADERS.signature];
      const { status, headers, body } = await answerX402(deps, {
        id: request.params.id,
        recipient: parseWallet(recipient),
        key,
        payment: typeof payment === 'string' ? payment : null,
      });
      return reply
        .code(status)
        .headers({ ...headers, 'cache-control': 'no-store' })
        .send(body);
    },
  });
}
