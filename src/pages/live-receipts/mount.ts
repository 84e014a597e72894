import type { FastifyInstance } from 'fastify';
import { toRefusal } from '../../graphql/errors.ts';
import { readSite } from '../../merchants/site.ts';
import type { Deps } from '../../platform/deps.ts';
import type { HttpGuard } from '../../server/http-guard.ts';
import { pageChain } from '../chain.ts';
import { sendPage } from '../send-page.ts';
import type { PageAssets } from '../shell.ts';
import { renderLiveReceiptsPage, renderReceiptsProblemPage } from './page.ts';

/**
 * The page of a merchant's live receipts, at `/live/receipts`. The page is the same for every visitor; signing in
 * selects the merchant.
 */
export function mountLiveReceipts(server: FastifyInstance, deps: Deps, door: HttpGuard, assets: PageAssets): void {
  server.get('/live/receipts', {
    async onRequest(request, reply) {
      await door.limit(request, reply, 'others');
    },
    async handler(request, reply) {
      try {
        const { theme } = await readSite(deps, request.host.toLowerCase());
        const view = { brandName: theme.brandName, theme, chain: pageChain(deps), graphqlUrl: '/api/graphql' };
        return sendPage(reply, 200, (nonce) => renderLiveReceiptsPage(view, assets, nonce));
      } catch (error) {
        const refusal = toRefusal(error, deps.log, request.id);
        return sendPage(reply, refusal.status, (nonce) => renderReceiptsProblemPage(assets, nonce));
      }
    },
  });
}
