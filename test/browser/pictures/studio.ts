import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { serve, work } from '../../../src/app/app.ts';
import { prepareDemo } from '../../../src/app/cli/demo.ts';
import { openDeps } from '../../../src/app/deps.ts';
import { completeSettings } from '../../../src/app/settings.ts';
import { createChain } from '../../../src/base/chain/client.ts';
import { prepareLocalChain } from '../../../src/base/chain/local.ts';
import { type LocalAccount, localAccount } from '../../../src/base/chain/local-accounts.ts';
import { LOCAL_CHAIN_ID } from '../../../src/base/core/local-chains.ts';
import { SCOPES } from '../../../src/base/core/scopes.ts';
import { readConfig } from '../../../src/base/platform/config/config.ts';
import { erasePostgresHome } from '../../../src/base/platform/embedded/postgres-home.ts';
import { startServices } from '../../../src/base/platform/embedded/services.ts';
import { createLog } from '../../../src/base/platform/log/log.ts';
import { issueKey } from '../../../src/domain/access/keys/issue.ts';
import { listOffers } from '../../../src/domain/payments/quotes/offers.ts';
import { saveItem } from '../../../src/domain/shop/catalog/test/requests.ts';
import { configuredRates } from '../../../src/domain/shop/fx/usd-per-token.ts';
import { registerMerchant } from '../../../src/domain/shop/merchants/register.ts';
import { writeShop } from '../../../src/domain/shop/merchants/test/requests.ts';
import { configureSplit } from '../../../src/domain/shop/splits/configure.ts';
import { caller } from '../../support/http.ts';
import { chromiumArgs, findChromium } from '../../support/services/chromium.ts';
import { openBuyers } from '../shop.ts';
import { OPERATOR, walletOf } from './wallets.ts';

/** Where and in which light a page is looked at. */
export type Look = BrowserContextOptions;

/** A shop to take pictures of: its wallet, and the headers of its key. */
export interface Sitter {
  readonly account: LocalAccount;
  readonly auth: Record<string, string>;
}

/** A server with the demo's shop on a chain that stands still, and a browser to look at it with. */
export async function openStudio() {
  const log = createLog('error');
  const dataDir = mkdtempSync(join(tmpdir(), 'quittance-pictures-'));
  // Blocks come only when they are mined here, so that each state stands still for its picture.
  const services = await startServices({
    dataDir,
    chainId: LOCAL_CHAIN_ID,
    wantPostgres: true,
    wantChain: true,
    durability: 'fast',
    tailBlocks: 0,
    log,
  });
  const [databaseUrl, rpcUrl] = [services.databaseUrl as string, services.rpcUrl as string];
  await prepareLocalChain(rpcUrl);
  const config = readConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    RPC_URL: rpcUrl,
    PLATFORM_ADMINS: OPERATOR.address,
    SIGNUP: 'open',
  });
  const deps = await openDeps(completeSettings(config, { databaseUrl, rpcUrl }), log);
  const demo = await prepareDemo(deps);
  await writeShop(deps, demo.merchant, { postPaymentScripts: true });
  // Each picture is of an order of its own, more than the demo has in stock.
  await deps.db.orm.em.fork().getConnection().execute('update inventory_items set stock_qty = -1');
  const [server, worker] = [await serve(deps), await work(deps)];
  const call = caller(server.url);
  const buyers = openBuyers(rpcUrl);
  // Ether is offered once the deployment of the split is final.
  const offers = () =>
    listOffers({ ...deps, readRate: configuredRates(deps) }, { merchant: demo.merchant, totalCents: 1_000 });
  while ((await offers()).some(({ offered }) => !offered)) {
    await buyers.mine(1);
    await pause(200);
  }
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArgs });
  const sitter: Sitter = {
    account: localAccount('demoMerchant'),
    auth: { 'Ocp-Apim-Subscription-Key': demo.key },
  };
  let shops = 0;

  return {
    deps,
    rpcUrl,
    url: server.url,
    demo,
    sitter,
    call,
    chain: createChain({ chainId: LOCAL_CHAIN_ID, rpcUrl, tokens: deps.settings.tokens, confirmations: 0 }),
    ...buyers,
    sql: (text: string, params: readonly unknown[] = []) => deps.db.orm.em.fork().getConnection().execute(text, params),

    /** Another shop, with what is written to it and an item. */
    async shop(name: string, shop: object, item: object): Promise<Sitter> {
      const account = walletOf(20 + shops++);
      await registerMerchant(deps, { wallet: account.address, name });
      await writeShop(deps, account.address, shop);
      await saveItem(deps, account.address, { sku: 'ITEM', priceUsd: 24, stockQty: -1, ...item });
      await configureSplit(deps, account.address, {});
      const { key } = await issueKey(deps, { merchant: account.address, scopes: [...SCOPES] });
      return { account, auth: { 'Ocp-Apim-Subscription-Key': key } };
    },

    /** The path of the payment page of what the API made of the body. */
    async paymentPage(path: '/api/orders' | '/api/receipts', body: object, by = sitter): Promise<string> {
      const answer = await call('POST', path, { headers: by.auth, body });
      if (answer.status > 201) throw new Error(JSON.stringify(answer.body));
      const { pathname, search } = new URL(answer.body.paymentUrl);
      return pathname + search;
    },

    /** A page in a browser of its own; `before` is done to it before it goes anywhere. */
    async open(path: string, look: Look, before?: (page: Page) => Promise<unknown>): Promise<Page> {
      const context = await browser.newContext({ reducedMotion: 'reduce', ...look });
      const page = await context.newPage();
      await before?.(page);
      await page.goto(server.url + path);
      return page;
    },

    async stop(): Promise<void> {
      await browser.close();
      await server.stop();
      await worker.stop();
      await deps.close();
      await services.stop();
      erasePostgresHome(dataDir);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export type Studio = Awaited<ReturnType<typeof openStudio>>;

/** Brings a page of its own to a state, ready for its picture. */
export type Scene = (studio: Studio, look: Look) => Promise<Page>;

/** What the scenes of a page need afterwards, so that the next one is not disturbed. */
export interface Album {
  readonly scenes: Readonly<Record<string, Scene>>;
  /** Taken as the window shows it, not in its whole length. */
  readonly endless?: boolean;
  tidy?(studio: Studio, name: string, page: Page): Promise<void>;
}
