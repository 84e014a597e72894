import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseWallet } from '../core/wallet.ts';
import { toRefusal } from '../graphql/errors.ts';
import type { Deps } from '../platform/deps.ts';
import type { Door } from '../server/door.ts';
import { buildPortalAssets } from './assets.ts';
import { portalCsp } from './csp.ts';
import { renderNotFoundPage, renderPortalPage, renderProblemPage } from './page.ts';
import { readView } from './read-view.ts';

const FOREVER = 'public, max-age=31536000, immutable';

/** The payment page at `/portal/<id>`, and the built files of pages under `/_next/static/`, which may be kept for ever. */
export async function mountPortal(server: FastifyInstance, deps: Deps, door: Door): Promise<void> {
  const assets = await buildPortalAssets();

  for (const [path, file] of assets.files) {
    server.get(path, (_request, reply) => reply.header('cache-control', FOREVER).type(file.type).send(file.body));
  }

  const page = (reply: FastifyReply, status: number, render: (nonce: string) => string) => {
    const nonce = randomBytes(16).toString('base64');
    return reply
      .code(status)
      .headers({
        'content-security-policy': portalCsp(nonce, [socketOrigin(reply.request)]),
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
      })
      .type('text/html; charset=utf-8')
      .send(render(nonce));
  };

  server.get<{ Params: { id: string }; Querystring: { recipient?: unknown; token?: unknown } }>('/portal/:id', {
    async onRequest(request, reply) {
      await door.limit(request, reply, 'others');
    },
    async handler(request, reply) {
      const { recipient, token } = request.query;
      const merchant = parseWallet(recipient);
      try {
        if (recipient !== undefined && merchant === null)
          return page(reply, 404, (nonce) => renderNotFoundPage(assets, nonce));
        const view = await readView(deps, {
          id: request.params.id,
          recipient: merchant,
          token: typeof token === 'string' ? token : null,
        });
        if (!view) return page(reply, 404, (nonce) => renderNotFoundPage(assets, nonce));
        return page(reply, 200, (nonce) => renderPortalPage(view, assets, nonce));
      } catch (error) {
        const refusal = toRefusal(error, deps.log);
        return page(reply, refusal.status, (nonce) => renderProblemPage(assets, nonce));
      }
    },
  });
}

/** Where the page's websocket leads, for browsers that do not count it as `'self'`. */
const socketOrigin = ({ protocol, host }: FastifyRequest): string => `${protocol === 'https' ? 'wss' : 'ws'}://${host}`;
