import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { expectAccessible, expectWellMade, reaches, readRequest, recordStages, stageOf, visit } from './browser.ts';
import { openScene } from './scene.ts';
import { injectWallet } from './wallet.ts';

/** How far the server's clock is ahead. */
let aheadMs = 0;
const { shop, browser } = await openScene({ tailBlocks: 0, clock: () => Date.now() + aheadMs });

// Contract: orders.option-success
test('each state of a payment that succeeds is accessible and fits a phone', async () => {
  const order = await shop.order(await shop.merchant(), { returnUrl: 'https://shop.example/thanks' });
  const page = await visit(browser, order.url);
  await expectWellMade(page);
  await page.getByRole('button', { name: 'Pay with a test wallet' }).click();
  await reaches(page, 'seen');
  await page.getByText('0 of 2').waitFor();
  await expectWellMade(page);
  await shop.mine(1);
  await page.getByText('1 of 2').waitFor();
  await shop.mine(1);
  await reaches(page, 'paid');
  await page.getByRole('button', { name: 'Stay here' }).click();
  await expectWellMade(page);
  const goOn = async () => {
    await shop.mine(1);
    return stageOf(page);
  };
  await expect.poll(goOn, { timeout: 30_000 }).toBe('completed');
  await expectWellMade(page);
  expect(await page.title()).toMatch(/^Paid · /);
  expect(await page.getByRole('link', { name: /^Return to/ }).getAttribute('href')).toBe(
    `https://shop.example/thanks?receiptId=${order.receiptId}&status=completed`,
  );
});

test('each state of a payment that does not is accessible and fits a phone too', async () => {
  const account = await shop.buyer({ USDC: 5_000_000n });
  const [mismatched, failing] = [await shop.order(await shop.merchant()), await shop.order(await shop.merchant())];
  const short = await visit(browser, mismatched.url);
  const { payTo } = await readRequest(short, 6);
  await shop.transfer(account, 'USDC', payTo.toLowerCase() as Wallet, 5_000_000n);
  await reaches(short, 'short');
  await expectWellMade(short);

  const failed = await visit(browser, failing.url, {
    before: (page) =>
      injectWallet(page, shop, account, {
        send: ({ to, data }) => shop.walletOf(account).sendTransaction({ to, data, gas: 100_000n }),
      }),
  });
  await failed.getByRole('button', { name: 'Pay with browser wallet' }).click();
  await reaches(failed, 'failed');
  await expectWellMade(failed);

  const missing = await visit(browser, `${shop.server.url}/portal/R-nothing`);
  await missing.getByRole('heading', { name: 'No receipt here' }).waitFor();
  await expectWellMade(missing);
});

// Contract: service.portal-shows
test('without its script the page still says how much, where to, and shows the code; another currency is a click away', async () => {
  const merchant = await shop.merchant();
  const order = await shop.order(merchant);
  const page = await visit(browser, order.url, { javaScriptEnabled: false });
  const { amount, payTo } = await readRequest(page, 6);
  expect(payTo).toMatch(/^0x[0-9a-fA-F]{40}$/);
  expect(payTo.toLowerCase()).not.toBe(merchant.split);
  expect(amount / 10_000n).toBe(BigInt(Math.round(order.totalUsd * 100)));
  expect(await page.locator('.qr svg').isVisible()).toBe(true);
  expect(await page.getByRole('button', { name: 'Pay with a test wallet' }).isVisible()).toBe(false);
  await page.getByRole('radio', { name: 'USDT' }).check();
  await page.getByRole('button', { name: 'Show this amount' }).click();
  await page.locator('#amount', { hasText: 'USDT' }).waitFor();
  const account = await shop.buyer({ USDT: 1_000_000_000n });
  const wanted = await readRequest(page, 6);
  await shop.transfer(account, 'USDT', wanted.payTo.toLowerCase() as Wallet, wanted.amount);
  await expect.poll(() => order.status(), { timeout: 30_000 }).toBe('tx_mined');
  await page.getByRole('link', { name: 'Check again' }).click();
  await page.getByRole('heading', { name: 'Payment seen, confirming' }).waitFor();
});

test('markup that a merchant writes shows as text and runs nowhere', async () => {
  const bomb = `' onerror='x' "><img src=x onerror="document.title='owned'"><script>document.title="owned"</script>&apos;`;
  const merchant = await shop.merchant(`Shop ${bomb}`, {
    description: bomb,
    theme: { primaryColor: '#123456' },
  });
  const saved = await shop.server.call('POST', '/api/inventory', {
    headers: merchant.auth,
    body: { sku: 'BOMB', name: `Bomb ${bomb}`, priceUsd: 5, stockQty: -1 },
  });
  expect(saved.status).toBe(200);
  const order = await shop.order(merchant, { items: [{ sku: 'BOMB', qty: 2 }] });
  const page = await visit(browser, order.url);
  await page.locator('.brand').getByText(`Shop ${bomb}`).waitFor();
  await page.locator('.items').getByText(`Bomb ${bomb}`).waitFor();
  await page.getByRole('button', { name: 'Pay with a test wallet' }).click();
  // Whatever else is paid may have brought blocks that confirm it at once.
  await page.locator('[data-stage="seen"], [data-stage="paid"], [data-stage="completed"]').waitFor();
  expect(await page.locator('script:not([src]), img[src="x"], [onerror]').count()).toBe(0);
  expect(await page.title()).not.toBe('owned');
});

test('with the websocket cut, at once or in the middle, the page keeps in step by asking', async () => {
  const merchant = await shop.merchant();
  const orders = [await shop.order(merchant), await shop.order(merchant)];
  const cut: Page[] = [];
  const pages = [
    await visit(browser, orders[0]!.url, {
      before: (page) => page.routeWebSocket(/graphql/, (socket) => socket.close()),
    }),
    await visit(browser, orders[1]!.url, {
      before: (page) =>
        page.routeWebSocket(/graphql/, (socket) => {
          if (cut.includes(page)) return socket.close();
          const server = socket.connectToServer();
          // The stream begins with the tracking report that the page makes; then the line is cut for good.
          server.onMessage((message) => {
            socket.send(message);
            if (!String(message).includes('"next"')) return;
            cut.push(page);
            socket.close();
          });
        }),
    }),
  ];
  await expect.poll(() => cut.length).toBe(1);
  const stages = await Promise.all(pages.map(recordStages));
  const account = await shop.buyer({ USDC: 1_000_000_000n });
  const requests = await Promise.all(pages.map((page) => readRequest(page, 6)));
  for (const { amount, payTo } of requests) await shop.transfer(account, 'USDC', payTo.toLowerCase() as Wallet, amount);
  for (const order of orders) {
    const status = async () => {
      await shop.mine(1);
      return order.status();
    };
    await expect.poll(status, { timeout: 30_000 }).toBe('completed');
  }
  await Promise.all(pages.map((page) => reaches(page, 'completed')));
  for (const seen of stages) expect((await seen())[0]).toBe('waiting');
});

test('a price of ether runs out on the page at the moment that it does, and a new one is a click away', async () => {
  const merchant = await shop.merchant();
  const order = await shop.order(merchant);
  const page = await visit(browser, order.url, { before: (fresh) => fresh.clock.install() });
  await expect
    .poll(
      async () => {
        // Ether is offered once the deployment of the split is final.
        await shop.mine(1);
        await page.goto(`${order.url}&token=ETH`);
        return page.getByRole('radio', { name: 'ETH' }).isChecked();
      },
      { timeout: 60_000 },
    )
    .toBe(true);
  aheadMs = 16 * 60_000;
  await page.clock.fastForward(aheadMs);
  await reaches(page, 'expired');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Get a new ETH price' }).click();
  await reaches(page, 'waiting');
  expect(await page.locator('[data-expires]').innerText()).toMatch(/^1[45]:\d\d$/);
});
