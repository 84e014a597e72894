import type { FastifyInstance } from 'fastify';
import { parseWallet } from '../../../base/core/wallet.ts';
import { toRefusal } from '../../../base/graphql/errors.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import type { HttpGuard } from '../../http/server/http-guard.ts';
import { sendPage } from '../shared/send-page.ts';
import type { PageAssets } from '../shared/shell.ts';
import { renderNotFoundPage, renderPortalPage, renderProblemPage } from './page.ts';
import { isPreview } from './preview.ts';
import { readView } from './read-view.ts';

/** The payment page at `/portal/<id>`. */
export function mountPortal(server: FastifyInstance, deps: Deps, guard: HttpGuard, assets: PageAssets): void {
  server.get<{ Params: { id: string }; Querystring: { recipient?: unknown; token?: unknown; k?: unknown } }>(
    '/portal/:id',
    {
      async onRequest(request, reply) {
        await guard.limit(request, reply, 'others');
      },
      async handler(request, reply) {
        const { recipient, token, k } = request.query;
        const merchant = parseWallet(recipient);
        try {
          if (recipient !== undefined && merchant === null)
            return sendPage(reply, 404, (nonce) => renderNotFoundPage(assets, nonce));
          const view = await readView(deps, {
            id: request.params.id,
            recipient: merchant,
            token: typeof token === 'string' ? token : null,
            key: k,
            preview: isPreview(request),
          });
          if (!view) return sendPage(reply, 404, (nonce) => renderNotFoundPage(assets, nonce));
          return sendPage(reply, 200, (nonce) => renderPortalPage(view, assets, nonce), view.scriptPath);
        } catch (error) {
          const refusal = toRefusal(error, deps.log, request.id);
          return sendPage(reply, refusal.status, (nonce) => renderProblemPage(assets, nonce));
        }
      },
    },
  );
}
