import type { Page } from 'playwright-core';
import { payFromTestWallet } from '../../../src/base/chain/local.ts';
import { localAccount } from '../../../src/base/chain/local-accounts.ts';
import type { Wallet } from '../../../src/base/core/wallet.ts';
import { askChain } from '../../../src/base/platform/embedded/anvil.ts';
import { BUYER } from '../buyer.ts';
import { injectWallet, WalletError } from '../wallet.ts';
import { signInAsMerchant } from './console-data.ts';
import type { Album, Look, Scene, Studio } from './studio.ts';

const BASKET = {
  items: [
    { sku: 'GRINDER-M1', qty: 1 },
    { sku: 'MUG-STONE', qty: 2 },
    { sku: 'ESPRESSO-250', qty: 1 },
  ],
  jurisdictionCode: 'US-CA-LA',
};

const FOR_ADA = { ...BUYER, transactionId: 'PO-1815' };

const GIFT =
  "document.body.innerHTML = '<p style=\"margin:0;padding:14px 16px;border-radius:10px;background:#8882\">Your next bag is on us: <b>' + receipt.receiptId.slice(-6).toUpperCase() + '</b></p>'";

const LOGO = `data:image/svg+xml;base64,${btoa(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40"><circle cx="20" cy="20" r="18" fill="#c2410c"/><path d="M48 28V12h6l6 9 6-9h6v16" fill="none" stroke="#c2410c" stroke-width="4"/></svg>',
)}`;
const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
const ARABIC = 'متجر القهوة العربية المختصة (الرياض)';

/** The page of a new order of the demo's shop. */
const ordered = async (studio: Studio, look: Look, more: object = {}, token = ''): Promise<Page> =>
  studio.open(`${await studio.paymentPage('/api/orders', { ...BASKET, ...more })}${token}`, look);

const reach = (page: Page, stage: string) => page.locator(`[data-stage="${stage}"]`).waitFor();
const pay = (page: Page) => press(page, '#pay-test');

/** Presses a button, which may be folded with the other ways to pay. */
async function press(page: Page, selector: string): Promise<void> {
  const button = page.locator(selector);
  while (!(await button.isVisible())) {
    await button.evaluate((one) => one.closest('details:not([open])')?.setAttribute('open', ''));
    await page.waitForTimeout(50);
  }
  await button.click();
}

/** Asks the API what the page's script might, with the page's own token. */
const ask = (page: Page, query: string, variables: object = {}): Promise<Record<string, { url: string }>> =>
  page.evaluate(
    async ([text, more]) => {
      const token = document.querySelector<HTMLMetaElement>('meta[name="page-token"]')?.content;
      const answer = await fetch('/api/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ query: text, variables: { r: location.pathname.split('/').at(-1), ...more } }),
      });
      return (await answer.json()).data;
    },
    [query, variables] as const,
  );

/**
 * Sends something to the address that the page shows and tells the page's receipt of it, as its script does after a
 * wallet has sent.
 */
async function sendAndTell(page: Page, send: (payTo: Wallet) => Promise<string>): Promise<void> {
  const payTo = (await page.locator('#address').textContent())!.trim().toLowerCase() as Wallet;
  const h = await send(payTo);
  await ask(page, 'mutation($r: ID!, $h: Hex!) { submitTransaction(receiptId: $r, transactionHash: $h) { status } }', {
    h,
  });
}

/** Sends tokens that the account does not have: the node accepts the transaction, and the chain reverts it. */
async function sendNothing({ rpcUrl, deps }: Studio, page: Page): Promise<string> {
  const uri = (await page.locator('[data-action="open-wallet"]').getAttribute('href')) as string;
  const [, payTo = '', amount = ''] = /address=(0x[0-9a-fA-F]{40})&uint256=(\d+)/.exec(uri) ?? [];
  const data = `0xa9059cbb${payTo.slice(2).padStart(64, '0')}${BigInt(amount).toString(16).padStart(64, '0')}`;
  const to = deps.settings.tokens.find(({ symbol }) => symbol === 'USDC')?.address;
  const from = localAccount('buyer', 4).address;
  return (await askChain(rpcUrl, 'eth_sendTransaction', [{ from, to, data, gas: '0x186a0' }])) as string;
}

/** Goes to the card provider's page, as the portal does. */
async function atTheCard(studio: Studio, look: Look, more: object = {}): Promise<Page> {
  const page = await ordered(studio, look, more);
  const { startCardCheckout } = await ask(page, 'mutation($r: ID!) { startCardCheckout(receiptId: $r) { url } }');
  await page.goto(studio.url + new URL(startCardCheckout?.url as string).pathname);
  return page;
}

async function paidOnce(studio: Studio, page: Page, stage: 'seen' | 'paid' | 'completed'): Promise<Page> {
  await pay(page);
  await reach(page, 'seen');
  if (stage !== 'seen') await studio.mine(2);
  if (stage === 'completed') await finish(studio, page);
  else await reach(page, stage);
  return page;
}

/**
 * Brings a payment to its end, whenever the workers send what they have to: it would mine blocks on top of the next
 * one.
 */
async function finish(studio: Studio, page: Page): Promise<void> {
  const completed = page.locator('[data-stage="completed"]');
  while ((await completed.count()) === 0) {
    await studio.mine(1);
    await page.waitForTimeout(200);
  }
}

const printed = async (page: Page): Promise<Page> => {
  await page.getByRole('link', { name: 'Print or save the receipt' }).click();
  await page.getByRole('heading', { name: 'Receipt', level: 1 }).waitFor();
  return page;
};

/** The page after its wallet was asked to sign the transfer. */
async function signed(studio: Studio, look: Look, sign?: () => Promise<never>): Promise<Page> {
  const path = await studio.paymentPage('/api/orders', BASKET);
  const account = await studio.buyer({ USDC: 1_000_000_000n });
  const page = await studio.open(path, look, (fresh) =>
    injectWallet(fresh, studio, account, { name: 'Rainy Day', sign }),
  );
  await press(page, '#pay-signed');
  return page;
}

/** A receipt of one's own lines. */
const lines = async (studio: Studio, look: Look, body: object): Promise<Page> =>
  studio.open(await studio.paymentPage('/api/receipts', { id: `P-${crypto.randomUUID()}`, ...body }), look);

let letters: Promise<readonly [string, string]> | undefined;

/** Two shops whose names and goods are long, or are written from right to left. */
const lettered = (studio: Studio) => {
  letters ??= (async () => {
    const [german, arabic] = [
      await studio.shop(LONG, {}, { name: `${LONG}, zweite, überarbeitete Auflage` }),
      await studio.shop(ARABIC, {}, { name: 'قهوة يمنية، 250 غرام (محمصة)' }),
    ];
    const order = { items: [{ sku: 'ITEM', qty: 2 }], taxRate: 0.15 };
    return [
      await studio.paymentPage('/api/orders', order, german),
      await studio.paymentPage('/api/orders', order, arabic),
    ] as const;
  })();
  return letters;
};

const scenes: Record<string, Scene> = {
  short: async (studio, look) => {
    const page = await ordered(studio, look);
    await sendAndTell(page, (to) => payFromTestWallet(studio.chain, { token: 'USDC', to, amount: 100_000_000n }));
    await reach(page, 'short');
    await page.locator('.note h2', { hasText: 'USDC' }).waitFor();
    return page;
  },
  // The wallet of an exchange that rounded up.
  surplus: async (studio, look) => {
    const page = await ordered(studio, look);
    await sendAndTell(page, (to) => payFromTestWallet(studio.chain, { token: 'USDC', to, amount: 500_000_000n }));
    await reach(page, 'seen');
    await studio.mine(2);
    await reach(page, 'paid');
    await page.locator('#surplus').waitFor();
    return page;
  },
  waiting: (studio, look) => ordered(studio, look),
  ether: (studio, look) => ordered(studio, look, {}, '&token=ETH'),
  plain: (studio, look) => ordered(studio, { ...look, javaScriptEnabled: false }),
  wallets: async (studio, look) => {
    const path = await studio.paymentPage('/api/orders', BASKET);
    const account = await studio.buyer();
    const page = await studio.open(path, look, async (fresh) => {
      await injectWallet(fresh, studio, account, { name: 'Rainy Day' });
      await fresh.addInitScript(() => {
        const info = { uuid: 'second', name: 'A Wallet with a Rather Long Name of its Own', icon: '', rdns: 'second' };
        const detail = Object.freeze({ info, provider: { request: () => new Promise(() => {}) } });
        window.addEventListener('eip6963:requestProvider', () =>
          window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail })),
        );
      });
    });
    await press(page, '#pay-wallet');
    await page.locator('.wallets').waitFor();
    return page;
  },
  expired: async (studio, look) => {
    const path = await studio.paymentPage('/api/orders', BASKET);
    const page = await studio.open(`${path}&token=ETH`, look, (fresh) => fresh.clock.install());
    await page.clock.fastForward(16 * 60_000);
    await reach(page, 'expired');
    return page;
  },
  euro: (studio, look) =>
    lines(studio, look, {
      currency: 'EUR',
      lineItems: [
        { label: 'Kaffee aus Äthiopien', amount: 25.5, qty: 2 },
        { label: 'Gutschein', amount: -5 },
      ],
    }),
  many: (studio, look) =>
    lines(studio, look, {
      lineItems: Array.from({ length: 30 }, (_, n) => ({ label: `Line ${n + 1} of thirty`, priceUsd: n + 0.5 })),
      totalUsd: 450,
    }),
  tiny: (studio, look) => lines(studio, look, { lineItems: [{ label: 'A thought', priceUsd: 0.01 }], totalUsd: 0.01 }),
  huge: (studio, look) =>
    lines(studio, look, { lineItems: [{ label: 'A castle', priceUsd: 9_876_543.21 }], totalUsd: 9_876_543.21 }),
  german: async (studio, look) => studio.open((await lettered(studio))[0], look),
  arabic: async (studio, look) => studio.open((await lettered(studio))[1], look),
  logo: async (studio, look) => {
    const theme = {
      primaryColor: '#f5d90a',
      secondaryColor: '#fde68a',
      accentColor: '#c2410c',
      brandLogoUrl: LOGO,
      fontFamily: 'Georgia',
    };
    const shop = await studio.shop('Maison Citron', { theme }, { name: 'Limonade' });
    return studio.open(await studio.paymentPage('/api/orders', { items: [{ sku: 'ITEM', qty: 3 }] }, shop), look);
  },
  seen: async (studio, look) => paidOnce(studio, await ordered(studio, look), 'seen'),
  confirming: async (studio, look) => {
    const page = await paidOnce(studio, await ordered(studio, look), 'seen');
    await studio.mine(1);
    await page.getByText('1 of 2').waitFor();
    return page;
  },
  paid: async (studio, look) => paidOnce(studio, await ordered(studio, look), 'paid'),
  completed: async (studio, look) => paidOnce(studio, await ordered(studio, look), 'completed'),
  leaving: async (studio, look) => {
    const page = await ordered(studio, look, { returnUrl: 'https://kaldi.example/thanks', onSuccess: GIFT });
    // A hidden tab waits.
    await page.evaluate(() => Object.defineProperty(document, 'hidden', { value: true }));
    return paidOnce(studio, page, 'paid');
  },
  receipt: async (studio, look) => printed(await paidOnce(studio, await ordered(studio, look, FOR_ADA), 'completed')),
  refunded: async (studio, look) => {
    const page = await paidOnce(studio, await ordered(studio, look), 'completed');
    await studio.sql(`update receipts set status = 'refunded' where id = ?`, [new URL(page.url()).pathname.slice(8)]);
    await page.reload();
    return page;
  },
  failed: async (studio, look) => {
    const page = await ordered(studio, look);
    await sendAndTell(page, () => sendNothing(studio, page));
    await reach(page, 'failed');
    return page;
  },
  'failed-again': async (studio, look) => {
    const page = await scenes.failed!(studio, look);
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.locator('#pay-again').waitFor();
    return page;
  },
  card: (studio, look) => atTheCard(studio, look, FOR_ADA),
  declined: async (studio, look) => {
    const page = await atTheCard(studio, look);
    await page.locator('#fail').click();
    await reach(page, 'failed');
    return page;
  },
  'card-over': async (studio, look) => {
    const page = await atTheCard(studio, look);
    const provider = page.url();
    await page.locator('#fail').click();
    await reach(page, 'failed');
    await page.goto(provider);
    return page;
  },
  // What a till made: an amount and its fee.
  terminal: async (studio, look) => {
    const { ask } = await signInAsMerchant(studio);
    const { createTerminalReceipt } = await ask(
      'mutation { createTerminalReceipt(input: { amountUsd: 12.5, label: "Coffee and cake" }) { paymentUrl } }',
    );
    const { pathname, search } = new URL(createTerminalReceipt.paymentUrl);
    return studio.open(pathname + search, look);
  },
  signing: async (studio, look) => {
    const page = await signed(studio, look, () => new Promise(() => {}));
    await page.getByRole('button', { name: 'Confirm in your wallet' }).waitFor();
    return page;
  },
  // The server has sent the transfer that the wallet signed, and no block has it yet.
  signed: async (studio, look) => {
    const page = await signed(studio, look);
    await page.locator('[data-stage="sent"], [data-stage="seen"]').waitFor();
    return page;
  },
  'signed-refused': async (studio, look) => {
    const page = await signed(studio, look, () => {
      throw new WalletError(4001, 'User rejected the request.');
    });
    await page.getByRole('alert').waitFor();
    return page;
  },
  'not-found': (studio, look) => studio.open('/portal/R-nothing', look),
};

const UNSETTLED = ['signed', 'short', 'surplus', 'seen', 'confirming', 'paid', 'leaving'];

/** The payment page, the card provider's, and the receipt to print. */
export const portal: Album = {
  scenes,
  async tidy(studio, name, page) {
    if (name === 'short') await pay(page);
    if (UNSETTLED.includes(name)) await finish(studio, page);
  },
};
