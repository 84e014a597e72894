import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { payFromTestWallet } from '../../src/base/chain/local.ts';
import { reportOverdue, sweepSessions } from '../../src/domain/payments/cards/due-sessions.ts';
import { ABANDONED_AFTER_MS, DELIVERED_AFTER_MS, EXPIRES_AFTER_MS } from '../../src/domain/payments/cards/sessions.ts';
import { claimOf } from '../../src/domain/payments/test/quoted.ts';
import { startLivingChain } from '../browser/chain.ts';
import { ask, codeOf } from '../graphql/ask.ts';
import { type CardPage, decide, namesOf, openCardPage } from '../support/card.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { stock } from './catalog.ts';

let chain: Awaited<ReturnType<typeof startLivingChain>>;
let server: TestServer;
let merchant: TestMerchant;
/** How far the server's clock is ahead. */
let aheadMs = 0;
const clock = () => Date.now() + aheadMs;
beforeAll(async () => {
  chain = await startLivingChain();
  server = await startTestServer({ worker: true, clock, env: { RPC_URL: chain.rpcUrl } });
  merchant = await server.merchant();
  await stock(server, merchant, [{ sku: 'TEA', priceUsd: 10 }]);
});
afterAll(async () => {
  await server?.stop();
  await chain?.stop();
});

const open = (body?: object) => openCardPage(server, merchant, body);
const startAt = async (page: CardPage) => (await page.start()).body.data.startCardCheckout;

describe('starting a card checkout', () => {
  test('answers the provider’s page and its expiry, and the receipt has the session', async () => {
    const page = await open();
    const before = clock();
    const checkout = await startAt(page);
    expect(checkout).toEqual({
      provider: 'sandbox',
      url: expect.stringMatching(/\/onramp\/sandbox\/cos_sandbox_[0-9a-f]{40}$/),
      expiresAt: expect.any(Number),
      opensInNewTab: false,
      failure: null,
    });
    expect(checkout.expiresAt - before).toBeGreaterThanOrEqual(ABANDONED_AFTER_MS);
    const shown = await page.read();
    expect(shown).toMatchObject({
      status: 'pending',
      totalUsd: 10.05,
      onrampSessionId: checkout.url.split('/').at(-1),
      isOnrampSessionUnique: true,
      cardSession: { provider: 'sandbox', status: 'initialized', expiresAt: checkout.expiresAt },
    });
    expect(shown.onrampSourceAmountUsd).toBe(10.05);
    expect(shown.customerTotalUsd).toBeCloseTo(shown.onrampSourceAmountUsd + 0.5, 5);
  });

  test('repeated, also concurrently, answers the open page', async () => {
    const page = await open();
    const answers = await Promise.all(Array.from({ length: 8 }, () => startAt(page)));
    const again = await startAt(page);
    expect(new Set([...answers, again].map(({ url }) => url)).size).toBe(1);
  });

  test('is allowed for the receipt’s own page and its merchant’s admin, not for keys, other pages or other wallets', async () => {
    const [page, other] = [await open(), await open()];
    const text = 'mutation ($receiptId: ID!) { startCardCheckout(receiptId: $receiptId) { url } }';
    const { receiptId } = page;
    const asked = async (headers: Record<string, string>) => codeOf(await ask(server, headers, text, { receiptId }));
    expect(await asked(other.auth)).toBe('forbidden');
    expect(await asked(merchant.auth)).toBe('forbidden');
    expect(await asked({})).toBe('unauthorized');
    const stranger = await server.merchant();
    expect(await asked(await server.signIn(stranger.account))).toBe('not_found');
    const admin = await server.signIn(merchant.account);
    expect(await asked({ cookie: admin.cookie! })).toBe('forbidden');
    expect(await asked(admin)).toBeNull();
    expect((await page.read()).status).toBe('pending');
    expect((await other.read()).status).toBe('generated');
  });

  test('of a receipt that is paid is refused', async () => {
    const page = await open();
    const { payTo, amount, token } = await page.quote();
    await payFromTestWallet(server.deps.chain, { token, to: payTo, amount: BigInt(amount) });
    await expect.poll(async () => (await page.read()).status).toBe('completed');
    expect(codeOf(await page.start())).toBe('invalid_input');
    expect((await page.read()).status).toBe('completed');
  });

  test('is limited to twenty sessions for each receipt', async () => {
    const page = await open();
    for (let i = 0; i < 20; i++) await decide((await startAt(page)).url, 'PORTAL_PAY_CARD_DECLINED');
    expect(codeOf(await page.start())).toBe('invalid_input');
  });
});

describe('the sandbox', () => {
  test('that lets it succeed really pays on the chain, once, however often the button is pressed', async () => {
    const page = await open();
    const { url } = await startAt(page);
    await Promise.all(Array.from({ length: 5 }, () => decide(url, 'pay')));
    await expect.poll(async () => (await page.read()).status).toBe('completed');
    expect(await page.read()).toMatchObject({
      transactionHash: expect.stringMatching(/^0x/),
      cardSession: { status: 'fulfillment_complete' },
      isOnrampSessionUnique: true,
    });
    const { body } = await ask(
      server,
      await server.signIn(merchant.account),
      '{ unmatchedTransfers { nodes { transactionHash } } }',
    );
    expect(body.data.unmatchedTransfers.nodes).toEqual([]);
  });

  test('whose delivery has arrived raises no alarm', async () => {
    const page = await open();
    await decide((await startAt(page)).url, 'pay');
    await expect.poll(async () => (await page.read()).status).toBe('completed');
    aheadMs += DELIVERED_AFTER_MS + 1;
    expect(await reportOverdue(server.deps)).toBe(0);
    expect(namesOf(await page.read())).not.toContain('card_overdue');
  });

  test('accepts its form only from its own page, and only known outcomes', async () => {
    const page = await open();
    const { url } = await startAt(page);
    expect((await decide(url, 'pay', { origin: 'https://evil.example' })).status).toBe(403);
    expect((await decide(url, 'constructor')).status).toBe(400);
    expect((await decide(url, '')).status).toBe(400);
    const json = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"outcome":"pay"}',
    });
    expect(json.status).toBe(415);
    expect(await page.read()).toMatchObject({ status: 'pending', cardSession: { status: 'initialized' } });
  });

  test('answers 404 for unknown sessions', async () => {
    expect((await fetch(`${server.url}/onramp/sandbox/cos_sandbox_0`)).status).toBe(404);
    expect((await decide(`${server.url}/onramp/sandbox/cos_sandbox_0`, 'pay')).status).toBe(404);
  });

  test('redirects a buyer who has paid to the merchant, and other buyers to the payment page', async () => {
    const redirectUrl = 'https://shop.example/thanks?a=1&b="2"'.replaceAll('"', '%22');
    const [paying, failing] = [await open({ redirectUrl }), await open({ redirectUrl })];
    const paid = await decide((await startAt(paying)).url, 'pay');
    expect(paid.status).toBe(200);
    expect(await paid.text()).toContain(`content="0;url=${redirectUrl.replace('&', '&amp;')}"`);
    const failed = await decide((await startAt(failing)).url, 'PORTAL_PAY_EXPIRED_CARD');
    expect(failed.headers.get('location')).toBe(`/portal/${failing.receiptId}?recipient=${merchant.wallet}`);
    expect(await failing.page()).not.toContain('shop.example');
  });
});

describe('a buyer who goes away', () => {
  const sweepLater = async (ms: number) => {
    aheadMs += ms;
    await sweepSessions(server.deps);
  };

  test('abandons an unused checkout thirty minutes after it was opened, not before', async () => {
    const page = await open();
    await startAt(page);
    await sweepLater(ABANDONED_AFTER_MS - 5_000);
    expect(await page.read()).toMatchObject({ status: 'pending', cardSession: { status: 'initialized' } });
    await sweepLater(5_001);
    expect(await page.read()).toMatchObject({
      status: 'failed',
      failure: { code: 'PORTAL_SESSION_ABANDONED' },
      cardSession: { status: 'abandoned' },
    });
    const { seq } = await page.read();
    await sweepLater(EXPIRES_AFTER_MS);
    expect((await page.read()).seq).toBe(seq);
  });

  test('who paid from a wallet meanwhile keeps a paid receipt', async () => {
    const page = await open();
    await startAt(page);
    const { payTo, amount, token } = await page.quote();
    await payFromTestWallet(server.deps.chain, { token, to: payTo, amount: BigInt(amount) });
    await expect.poll(async () => (await page.read()).status).toBe('completed');
    await sweepLater(EXPIRES_AFTER_MS);
    expect(await page.read()).toMatchObject({ status: 'completed', failure: null });
  });

  test('whose money has arrived in part is not failed', async () => {
    const alone = await server.merchant();
    await stock(server, alone, [{ sku: 'TEA', priceUsd: 10 }]);
    const page = await openCardPage(server, alone);
    await startAt(page);
    const { receiptId } = page;
    const { payTo, amount, token } = await page.quote();
    const transactionHash = await payFromTestWallet(server.deps.chain, {
      token,
      to: payTo,
      amount: BigInt(amount) - 1_000_000n,
    });
    await page.mutate(
      `mutation ($receiptId: ID!, $transactionHash: Hex!, $signer: Wallet!, $signature: Hex!) {
        submitTransaction(receiptId: $receiptId, transactionHash: $transactionHash, signer: $signer, signature: $signature) {
          status } }`,
      { transactionHash, ...(await claimOf(server.deps, { merchant: alone.wallet, receiptId }, transactionHash)) },
    );
    await page.reportFailure('PORTAL_CHAIN_USER_REJECTED');
    await expect.poll(async () => (await page.read()).status).toBe('tx_mismatch');
    await sweepLater(EXPIRES_AFTER_MS);
    await page.reportFailure('PORTAL_SESSION_CANCELLED');
    expect(await page.read()).toMatchObject({ status: 'tx_mismatch', failure: null });
  });

  test('can return: the next card pays an abandoned receipt', async () => {
    const page = await open();
    const first = await startAt(page);
    await sweepLater(ABANDONED_AFTER_MS + 1);
    const second = await startAt(page);
    expect(second.url).not.toBe(first.url);
    await decide(first.url, 'pay');
    expect(await page.read()).toMatchObject({ cardSession: { status: 'initialized' } });
    await decide(second.url, 'pay');
    await expect.poll(async () => (await page.read()).status).toBe('completed');
  });
});

test('a receipt accepts at most twenty reports of a browser', async () => {
  const page = await open();
  for (let i = 0; i < 24; i++) {
    await page.reportFailure(i % 2 ? 'PORTAL_CHAIN_USER_REJECTED' : 'PORTAL_CHAIN_INSUFFICIENT_BALANCE');
  }
  const { history } = await page.read();
  expect(
    history.filter((row: { kind: string; status: string }) => row.kind === 'status' && row.status === 'failed'),
  ).toHaveLength(20);
});

test('a card that is charged after its receipt was voided does not open the receipt again', async () => {
  const page = await open();
  const { url } = await startAt(page);
  const admin = await server.signIn(merchant.account);
  const text = 'mutation ($id: ID!) { voidReceipt(receiptId: $id) { status } }';
  await ask(server, admin, text, { id: page.receiptId });
  await decide(url, 'pay');
  const listed = async () => {
    const query = '{ unmatchedTransfers { nodes { reason candidates { receiptId status } } } }';
    const { unmatchedTransfers: all } = (await ask(server, admin, query)).body.data;
    return all.nodes.map(({ reason, candidates: [first] }: { reason: string; candidates: object[] }) => ({
      reason,
      first,
    }));
  };
  await expect.poll(listed).toContainEqual({ reason: 'late', first: { receiptId: page.receiptId, status: 'failed' } });
  expect(await page.read()).toMatchObject({ status: 'failed', failure: { code: 'PORTAL_SESSION_CANCELLED' } });
});

test('where no card is taken, none is offered and none can be started', async () => {
  const bare = await startTestServer({
    env: { TOKENS: '{"ETH":{"address":null,"decimals":18}}' },
  });
  const shop = await bare.merchant();
  await stock(bare, shop, [{ sku: 'TEA', priceUsd: 10 }]);
  const page = await openCardPage(bare, shop);
  expect(codeOf(await page.start())).toBe('invalid_input');
  expect(await page.page()).not.toContain('pay-card');
  await bare.stop();
});
