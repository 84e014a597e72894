import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { serve, work } from '../../src/app.ts';
import { createChain, LOCAL_CHAIN_ID } from '../../src/chain/client.ts';
import { localAccount, payFromTestWallet, prepareLocalChain } from '../../src/chain/local.ts';
import { prepareDemo } from '../../src/cli/demo.ts';
import type { Wallet } from '../../src/core/wallet.ts';
import { openDeps } from '../../src/deps.ts';
import { writeShop } from '../../src/merchants/write-shop.ts';
import { projectDir, readConfig } from '../../src/platform/config.ts';
import { erasePostgresHome } from '../../src/platform/embedded/postgres-home.ts';
import { askChain } from '../../src/platform/embedded/rpc.ts';
import { startServices } from '../../src/platform/embedded/services.ts';
import { createLog } from '../../src/platform/log.ts';
import { settle } from '../../src/settings.ts';
import { caller } from '../support/http.ts';
import { chromiumArgs, findChromium } from '../support/services/chromium.ts';

/**
 * Takes pictures of the payment page of the demo merchant. Without an argument the two of the README, into docs/images; with a folder, every state in it,
 * on a phone and on a desktop, light and dark:
 *
 *     node test/browser/screenshots.ts [FOLDER [STATE…]]
 */

const sizes = {
  desktop: { viewport: { width: 1280, height: 900 }, deviceScaleFactor: 1.5 },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
};
type Size = keyof typeof sizes;
type Scheme = 'light' | 'dark';

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
const databaseUrl = services.databaseUrl!;
const rpcUrl = services.rpcUrl!;
await prepareLocalChain(rpcUrl);
const config = readConfig({ PORT: '0', DATA_DIR: dataDir, RATE_LIMITS: 'off', BASE_URL: 'http://localhost' });
const deps = await openDeps(settle(config, { databaseUrl, rpcUrl }), log, { worker: true });
const demo = await prepareDemo(deps);
await writeShop(deps, demo.merchant, { postPaymentScripts: true });
const [server, worker] = [await serve(deps), await work(deps)];
const call = caller(server.url);
const chain = createChain({ chainId: LOCAL_CHAIN_ID, rpcUrl, tokens: deps.settings.tokens, confirmations: 0 });
const browser: Browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArgs });

const mine = (blocks: number) => askChain(rpcUrl, 'anvil_mine', [`0x${blocks.toString(16)}`]);

async function order(more: object = {}): Promise<string> {
  const answer = await call('POST', '/api/orders', {
    headers: { 'Ocp-Apim-Subscription-Key': demo.key },
    body: {
      items: [
        { sku: 'GRINDER-M1', qty: 1 },
        { sku: 'MUG-STONE', qty: 2 },
        { sku: 'ESPRESSO-250', qty: 1 },
      ],
      jurisdictionCode: 'US-CA-LA',
      ...more,
    },
  });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body.receipt.receiptId;
}

async function open(receiptId: string, size: Size, colorScheme: Scheme): Promise<Page> {
  const context = await browser.newContext({ ...sizes[size], colorScheme, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(`${server.url}/portal/${receiptId}?recipient=${demo.merchant}`);
  return page;
}

const reach = (page: Page, stage: string) => page.locator(`[data-stage="${stage}"]`).waitFor();

/** Sends this much to the address that the page shows and tells the page's receipt of it, as its script does after a wallet has sent. */
async function sendAndTell(page: Page, send: (payTo: Wallet) => Promise<string>): Promise<void> {
  const payTo = (await page.locator('#address').innerText()).trim().toLowerCase() as Wallet;
  const hash = await send(payTo);
  await page.evaluate(async (transactionHash) => {
    const token = document.querySelector<HTMLMetaElement>('meta[name="page-token"]')?.content;
    const query = 'mutation($r: ID!, $h: Hex!) { submitTransaction(receiptId: $r, transactionHash: $h) { status } }';
    const receiptId = location.pathname.split('/').at(-1);
    await fetch('/api/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query, variables: { r: receiptId, h: transactionHash } }),
    });
  }, hash);
}

/** Goes to the card provider's page, as the portal does. */
async function goToCard(page: Page): Promise<void> {
  const url = await page.evaluate(async () => {
    const token = document.querySelector<HTMLMetaElement>('meta[name="page-token"]')?.content;
    const query = 'mutation($r: ID!) { startCardCheckout(receiptId: $r) { url } }';
    const answer = await fetch('/api/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query, variables: { r: location.pathname.split('/').at(-1) } }),
    });
    return (await answer.json()).data.startCardCheckout.url as string;
  });
  await page.goto(server.url + new URL(url).pathname);
}

/** Sends tokens that nobody has: the node is told to take the transaction, and the chain reverts it. */
async function sendNothing(page: Page, token: Wallet): Promise<string> {
  const uri = (await page.locator('[data-action="open-wallet"]').getAttribute('href'))!;
  const [, payTo = '', amount = ''] = /address=(0x[0-9a-fA-F]{40})&uint256=(\d+)/.exec(uri) ?? [];
  const data = `0xa9059cbb${payTo.slice(2).padStart(64, '0')}${BigInt(amount).toString(16).padStart(64, '0')}`;
  const from = localAccount('buyer', 4).address;
  return (await askChain(rpcUrl, 'eth_sendTransaction', [{ from, to: token, data, gas: '0x186a0' }])) as string;
}

/** Brings a payment to its end, whenever the workers send what they have to: it would mine blocks on top of the next one. */
async function finish(page: Page): Promise<void> {
  const completed = page.locator('[data-stage="completed"]');
  while ((await completed.count()) === 0) {
    await mine(1);
    await page.waitForTimeout(200);
  }
}

const usdc = deps.settings.tokens.find(({ symbol }) => symbol === 'USDC')!.address as Wallet;
const pay = (page: Page) => page.locator('#pay-test').click();

/** How each state is come to, on a page that is open on a new order. Whose too little it was is only clear while no other order waits, so it is first. */
const states: Record<string, (page: Page) => Promise<void>> = {
  short: async (page) => {
    await sendAndTell(page, (to) => payFromTestWallet(chain, { token: 'USDC', to, amount: 100_000_000n }));
    await reach(page, 'short');
  },
  waiting: async () => {},
  seen: async (page) => {
    await pay(page);
    await reach(page, 'seen');
  },
  confirming: async (page) => {
    await states.seen!(page);
    await mine(1);
    await page.getByText('1 of 2').waitFor();
  },
  paid: async (page) => {
    await states.seen!(page);
    await mine(2);
    await reach(page, 'paid');
  },
  completed: async (page) => {
    await states.paid!(page);
    await finish(page);
  },
  leaving: async (page) => {
    // A tab that nobody looks at waits.
    await page.evaluate(() => Object.defineProperty(document, 'hidden', { value: true }));
    await states.paid!(page);
  },
  receipt: async (page) => {
    await states.completed!(page);
    await page.getByRole('link', { name: 'Print or save the receipt' }).click();
    await page.getByRole('heading', { name: 'Receipt', level: 1 }).waitFor();
  },
  card: goToCard,
  declined: async (page) => {
    await goToCard(page);
    await page.locator('#fail').click();
    await reach(page, 'failed');
  },
  'card-over': async (page) => {
    await goToCard(page);
    const provider = page.url();
    await page.locator('#fail').click();
    await reach(page, 'failed');
    await page.goto(provider);
  },
  failed: async (page) => {
    await sendAndTell(page, () => sendNothing(page, usdc));
    await reach(page, 'failed');
  },
};

const unsettled = ['short', 'seen', 'confirming', 'paid', 'leaving'];

const AFTER = {
  script:
    "document.body.innerHTML = '<p style=\"margin:0;padding:14px 16px;border-radius:10px;background:#8882\">Your next bag is on us: <b>' + receipt.receiptId.slice(-6).toUpperCase() + '</b></p>'",
  buyer: {
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@buyer.example',
    line1: '12 St James’s Square',
    city: 'London',
    zip: 'SW1Y 4JH',
    country: 'GB',
  },
};

/** What the order of a state's picture carries along. */
const orders: Record<string, object> = {
  leaving: { returnUrl: 'https://kaldi.example/thanks', onSuccess: AFTER.script },
  receipt: { ...AFTER.buyer, transactionId: 'PO-1815' },
};

async function picture(file: string, state: string, size: Size, scheme: Scheme, fullPage: boolean): Promise<void> {
  const page = await open(state === 'not-found' ? 'R-nothing' : await order(orders[state]), size, scheme);
  await states[state]?.(page);
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: file, fullPage, animations: 'disabled' });
  if (state === 'receipt') await page.pdf({ path: file.replace(/png$/, 'pdf'), format: 'A4' });
  if (state === 'short') await pay(page);
  if (unsettled.includes(state)) await finish(page);
  await page.context().close();
  process.stdout.write(`${file}\n`);
}

const [, , folder, ...wanted] = process.argv;
try {
  if (folder) {
    mkdirSync(folder, { recursive: true });
    for (const state of wanted.length > 0 ? wanted : [...Object.keys(states), 'not-found'])
      for (const size of Object.keys(sizes) as Size[])
        for (const scheme of ['light', 'dark'] as const)
          await picture(join(folder, `${state}-${size}-${scheme}.png`), state, size, scheme, true);
  } else {
    const images = join(projectDir, 'docs/images');
    await picture(join(images, 'portal-desktop.png'), 'waiting', 'desktop', 'light', false);
    await picture(join(images, 'portal-phone.png'), 'confirming', 'phone', 'light', false);
  }
} finally {
  await browser.close();
  await server.stop();
  await worker.stop();
  await deps.close();
  await services.stop();
  erasePostgresHome(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
}
