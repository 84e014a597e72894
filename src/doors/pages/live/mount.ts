import type { FastifyInstance } from 'fastify';
import { toRefusal } from '../../../base/graphql/errors.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import type { HttpGuard } from '../../http/server/http-guard.ts';
import { sendPage } from '../shared/send-page.ts';
import type { PageAssets } from '../shared/shell.ts';
import { renderLivePage, renderLiveProblemPage } from './page.ts';
import { readView } from './read-view.ts';

/** The page of live people, at `/live`. */
export function mountLive(server: FastifyInstance, deps: Deps, guard: HttpGuard, assets: PageAssets): void {
  server.get('/live', {
    async onRequest(request, reply) {
      await guard.limit(request, reply, 'others');
    },
    async handler(request, reply) {
      try {
        const view = await readView(deps, request.host.toLowerCase());
        return sendPage(reply, 200, (nonce) => renderLivePage(view, assets, nonce));
      } catch (error) {
        const refusal = toRefusal(error, deps.log, request.id);
        return sendPage(reply, refusal.status, (nonce) => renderLiveProblemPage(assets, nonce));
      }
    },
  });
}
