import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { toRefusal } from '../../../base/graphql/errors.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { readSite } from '../../../domain/shop/merchants/site.ts';
import type { HttpGuard } from '../../http/server/http-guard.ts';
import { pageChain } from '../shared/chain.ts';
import { sendPage } from '../shared/send-page.ts';
import type { PageAssets } from '../shared/shell.ts';
import { pageAt } from './app/registry.ts';
import { type ConsoleAssets, renderConsolePage, renderConsoleProblemPage } from './page.ts';
import { PREVIEW_PATH } from './shared/settings.ts';
import { mountShopPreview } from './shop-preview.ts';
import { hasTestWallet, mountTestWallet, TEST_WALLET_PATH } from './test-wallet.ts';
import { mountTillApp } from './till-app.ts';

/**
 * The console at `/console`. Every address below it has the same document for every visitor; its script draws the page
 * of the address, and signing in selects the merchant. `sampleAssets` are the files of the payment page, which the
 * preview of a theme shows.
 */
export function mountConsole(
  server: FastifyInstance,
  deps: Deps,
  guard: HttpGuard,
  assets: ConsoleAssets,
  sampleAssets: PageAssets,
): void {
  const page = {
    async onRequest(request: FastifyRequest, reply: FastifyReply) {
      await guard.limit(request, reply, 'others');
    },
    async handler(request: FastifyRequest, reply: FastifyReply) {
      try {
        const view = await readView(deps, request);
        const status = view.page === undefined ? 404 : 200;
        return sendPage(reply, status, (nonce) => renderConsolePage(view, assets, nonce), PREVIEW_PATH);
      } catch (error) {
        const refusal = toRefusal(error, deps.log, request.id);
        return sendPage(reply, refusal.status, (nonce) => renderConsoleProblemPage(assets, nonce));
      }
    },
  };
  // The page of live receipts was here.
  server.get('/live/receipts', { onRequest: page.onRequest }, (_request, reply) =>
    reply.redirect('/console/live', 308),
  );
  server.get('/console', page);
  server.get('/console/*', page);
  mountTestWallet(server, deps, guard);
  mountTillApp(server, deps);
  mountShopPreview(server, deps, guard, sampleAssets);
}

async function readView(deps: Deps, request: FastifyRequest) {
  const { theme } = await readSite(deps, request.host.toLowerCase());
  const { brandName, brandLogoUrl } = theme;
  const chain = pageChain(deps);
  const chains = deps.chains.map(({ chainId }) => pageChain(deps, chainId));
  const batchesPerMinute = deps.settings.rateLimits?.inventoryBatches ?? null;
  const testWalletUrl = hasTestWallet(deps) ? TEST_WALLET_PATH : null;
  return {
    brandName,
    theme,
    chain,
    settings: { brandName, brandLogoUrl, chain, chains, graphqlUrl: '/api/graphql', batchesPerMinute, testWalletUrl },
    page: pageAt(new URL(request.url, 'http://console').pathname)?.name,
  };
}
