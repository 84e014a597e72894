import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Chain } from '../../../base/chain/client.ts';
import { askLocalWallet } from '../../../base/chain/local-wallet.ts';
import { ANONYMOUS } from '../../../base/core/caller.ts';
import { forbid } from '../../../base/core/forbidden.ts';
import { parseInput } from '../../../base/core/input.ts';
import { LOCAL_CHAIN_ID } from '../../../base/core/local-chains.ts';
import { toRefusal } from '../../../base/graphql/errors.ts';
import type { Deps, Settings } from '../../../base/platform/deps.ts';
import { endOfStream } from '../../../base/platform/ordered-feed.ts';
import { isOwnOrigin } from '../../../domain/access/gateway/csrf.ts';
import { readSite } from '../../../domain/shop/merchants/site.ts';
import type { HttpGuard } from '../../http/server/http-guard.ts';
import { renderPortalSample } from '../portal/page.ts';
import type { PortalView } from '../portal/view.ts';
import { pageChain } from '../shared/chain.ts';
import { type Reading, readingIn } from '../shared/reading.ts';
import { sendPage, sendSample } from '../shared/send-page.ts';
import type { PageAssets } from '../shared/shell.ts';
import { pageAt } from './app/registry.ts';
import { languageFor } from './language.ts';
import { type ConsoleAssets, renderConsolePage, renderConsoleProblemPage } from './page.ts';
import { PREVIEW_PATH } from './shared/settings.ts';
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
      // People behind one address do not use up each other's limit. A caller that is not identified counts by address.
      request.caller = await guard.identify(request, { open: true }).catch(() => ANONYMOUS);
      await guard.limit(request, reply, 'reads');
    },
    async handler(request: FastifyRequest, reply: FastifyReply) {
      const language = languageFor(request);
      try {
        const view = { ...(await readView(deps, request)), language };
        const status = view.page === undefined ? 404 : 200;
        return sendPage(
          reply,
          readingIn(language),
          status,
          (nonce) => renderConsolePage(view, assets, nonce),
          PREVIEW_PATH,
        );
      } catch (error) {
        const refusal = toRefusal(error, deps.log, request.id);
        return sendPage(reply, readingIn(language), refusal.status, (nonce) =>
          renderConsoleProblemPage(language, assets, nonce),
        );
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
  const { theme } = await readSite(deps.db, deps.settings, request.host.toLowerCase());
  const { brandName, brandLogoUrl } = theme;
  const chain = pageChain(deps);
  const chains = deps.chains.map(({ chainId }) => pageChain(deps, chainId));
  const batchesPerMinute = deps.settings.rateLimits?.inventoryBatches ?? null;
  const testWalletUrl = hasTestWallet(deps.chain, deps.settings) ? TEST_WALLET_PATH : null;
  const streamEnd = await endOfStream(deps.db).catch(() => null);
  return {
    brandName,
    theme,
    chain,
    settings: {
      brandName,
      brandLogoUrl,
      chain,
      chains,
      graphqlUrl: '/api/graphql',
      streamEnd,
      batchesPerMinute,
      testWalletUrl,
    },
    page: pageAt(new URL(request.url, 'http://console').pathname)?.name,
  };
}

const HOUR_MS = 3_600_000;
const NO_WALLET = `0x${'0'.repeat(40)}`;

/** A made-up order: two products with tax and fee, and the amount in one token. */
function sampleView(deps: Deps, reading: Reading): PortalView {
  const now = deps.clock();
  const [token] = deps.chain.tokens;
  const symbol = token?.symbol ?? 'USDC';
  const quote = { token: symbol, chainId: deps.chain.chainId, amount: '64120000', decimals: 6, display: '64.12' };
  return {
    now,
    reading,
    merchant: { name: '', wallet: NO_WALLET, theme: {} },
    receipt: {
      receiptId: 'R-sample',
      status: 'pending',
      seq: 1,
      currency: 'USD',
      totalUsdCents: 6_412,
      pricing: null,
      lineItems: [
        { kind: 'item', label: 'Stoneware mug', priceUsdCents: 4_800, qty: 2 },
        { kind: 'item', label: 'Espresso beans, 250 g', priceUsdCents: 1_450, qty: 1 },
        { kind: 'tax', label: 'Tax', priceUsdCents: 130 },
        { kind: 'fee', label: 'Processing Fee', priceUsdCents: 32 },
      ],
      createdAt: now,
      expiresAt: now + 24 * HOUR_MS,
      closedAt: null,
      transactionHash: null,
      transactionTimestamp: null,
      confirmations: 0,
      confirmationsNeeded: 1,
      confirmationNote: '',
      expectedTime: '',
      failure: null,
      missing: null,
      unmatched: false,
      receivedUsdCents: 0,
      paid: null,
      history: [],
      cardSession: null,
      returnUrl: null,
      transactionId: null,
    },
    settlement: [],
    remainder: null,
    scriptPath: null,
    receiptPath: '',
    readOnly: false,
    renewable: false,
    key: null,
    asksEmail: false,
    addressChanged: false,
    card: null,
    testWallet: false,
    pageToken: '',
    tokens: [{ id: symbol, symbol, address: NO_WALLET, decimals: 6, name: symbol, offered: true }],
    tokenId: symbol,
    quote: { ...quote, payTo: NO_WALLET, uri: `ethereum:${NO_WALLET}`, expiresAt: now + 24 * HOUR_MS },
    chain: pageChain(deps),
    graphqlUrl: '',
    websocketUrl: '',
  };
}

/**
 * The payment page of a sample order, which the console shows in a frame while a theme is chosen. It has no script, no
 * token and no data of anyone. Only pages of this server may show it.
 */
function mountShopPreview(server: FastifyInstance, deps: Deps, guard: HttpGuard, assets: PageAssets): void {
  server.get(PREVIEW_PATH, {
    async onRequest(request: FastifyRequest, reply) {
      await guard.limit(request, reply, 'others');
    },
    handler(request, reply) {
      const view = sampleView(deps, readingIn(languageFor(request)));
      return sendSample(reply, (nonce) => renderPortalSample(view, assets, nonce));
    },
  });
}

/** Where the demo merchant's wallet answers the requests of a page (EIP-1193). */
const TEST_WALLET_PATH = '/console/test-wallet';

/** Whether the demo merchant's wallet answers: on the local chain, and never in production. */
export const hasTestWallet = (chain: Chain, settings: Settings): boolean =>
  chain.chainId === LOCAL_CHAIN_ID && settings.environment !== 'production';

const REQUEST_BYTES = 65_536;

const requestInput = z.object({ method: z.string(), params: z.array(z.unknown()).default([]) });

/**
 * The demo merchant's wallet in place of a browser's wallet, for the console of a local chain. Its key is public, as
 * every key of a local chain. Only our own pages may ask it: a page of another site must not use a session's browser.
 */
function mountTestWallet(server: FastifyInstance, deps: Deps, guard: HttpGuard): void {
  if (!hasTestWallet(deps.chain, deps.settings)) return;
  server.post(TEST_WALLET_PATH, {
    bodyLimit: REQUEST_BYTES,
    async onRequest(request, reply) {
      await guard.limit(request, reply, 'others');
    },
    async handler(request, reply) {
      try {
        const { method, host, url, raw } = request as FastifyRequest;
        if (!isOwnOrigin(deps.settings, { method, host, path: url, headers: raw.headers }))
          throw forbid('csrf_token_missing', 'The test wallet answers pages of this server only');
        const asked = parseInput(requestInput, request.body);
        return reply.send(await askLocalWallet(deps.chain, 'demoMerchant', asked));
      } catch (error) {
        const { status, message } = toRefusal(error, deps.log, request.id);
        return reply.code(status).send({ error: { code: -32_603, message } });
      }
    },
  });
}
