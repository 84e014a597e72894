import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { localAccount } from '../../src/base/chain/local-accounts.ts';
import { createSender } from '../../src/base/chain/sender.ts';
import { startTestChain } from '../../src/base/chain/test/anvil.ts';
import { setPriceTransaction, testPriceFeeds } from '../../src/base/chain/test-price-feed.ts';
import { readConfig } from '../../src/base/platform/config/config.ts';
import { ConfigFaults } from '../../src/base/platform/config/faults.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function open(options: Parameters<typeof startTestServer>[0]) {
  const server = await startTestServer(options);
  cleanups.push(() => server.stop());
  return { server, merchant: await server.merchant() };
}

let count = 0;

/** A native receipt over 25.50 euros. */
const ask = ({ call }: TestServer, { auth }: TestMerchant) =>
  call('POST', '/api/receipts', {
    headers: auth,
    body: { id: `fx-${++count}`, currency: 'EUR', lineItems: [{ label: 'Coffee', amount: 25.5 }] },
  });

/** The receipt's valuation. */
async function pricing(server: TestServer, merchant: TestMerchant) {
  const { body, status } = await ask(server, merchant);
  expect(status, JSON.stringify(body)).toBe(201);
  const read = await server.call('GET', `/api/receipts/${body.id}`, { headers: merchant.auth });
  return { totalUsd: read.body.totalUsd, ...read.body.pricing };
}

const UNAVAILABLE = { status: 503, body: { error: 'exchange_rate_unavailable' } };

async function expectNothingMade(server: TestServer, merchant: TestMerchant) {
  const receipts = async () => (await server.call('GET', '/api/receipts', { headers: merchant.auth })).body.receipts;
  const before = await receipts();
  expect(await ask(server, merchant)).toMatchObject(UNAVAILABLE);
  const terminal = await server.call('POST', '/api/receipts/terminal', {
    headers: await server.signIn(merchant.account),
    body: { amount: 5, currency: 'EUR' },
  });
  expect(terminal).toMatchObject(UNAVAILABLE);
  await server.call('POST', '/api/inventory', {
    headers: merchant.auth,
    body: { sku: 'E', name: 'Espresso', price: 3, currency: 'EUR', stockQty: -1 },
  });
  const order = await server.call('POST', '/api/orders', {
    headers: merchant.auth,
    body: { items: [{ sku: 'E', qty: 1 }] },
  });
  expect(order).toMatchObject(UNAVAILABLE);
  expect(await receipts()).toEqual(before);
}

/** A server of XML that a test can change and take away. */
async function ecb(xml: string) {
  const state = { xml, status: 200, asked: 0 };
  const server: Server = createServer((_request, response) => {
    state.asked++;
    response.writeHead(state.status, { 'content-type': 'text/xml' }).end(state.xml);
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    state,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/stats/eurofxref/eurofxref-daily.xml`,
  };
}

const daily = (date: string, rate: string) => `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
	<gesmes:subject>Reference rates</gesmes:subject>
	<gesmes:Sender>
		<gesmes:name>European Central Bank</gesmes:name>
	</gesmes:Sender>
	<Cube>
		<Cube time='${date}'>
			<Cube currency='USD' rate='${rate}'/>
			<Cube currency='JPY' rate='181.53'/>
		</Cube>
	</Cube>
</gesmes:Envelope>`;

describe('static', () => {
  // Contract: native.rate-missing, receipts.create-no-rate, errors.exchange-rate
  test('an unlisted currency has no rate: 503, and nothing is created', async () => {
    const { server, merchant } = await open({ env: { FX_RATES: 'ETH=3100' } });
    await expectNothingMade(server, merchant);
  });

  test('a listed currency has the configured rate', async () => {
    const { server, merchant } = await open({ env: { FX_RATES: 'EUR=1.1' } });
    expect(await pricing(server, merchant)).toMatchObject({ totalUsd: 28.05, usdPerUnit: 1.1, provider: 'static' });
  });
});

describe('ecb', () => {
  const CONCERTATION = Date.UTC(2025, 10, 20, 13, 15);

  test("the day's rate prices euros, with its day and provider; ether stays as FX_RATES has it", async () => {
    const source = await ecb(daily('2025-11-20', '1.1514'));
    const { server, merchant } = await open({
      env: { FX_SOURCE: 'ecb', FX_ECB_URL: source.url, FX_RATES: 'EUR=9,ETH=3000' },
      clock: () => CONCERTATION + 3_600_000,
    });
    expect(await pricing(server, merchant)).toMatchObject({
      totalUsd: 29.36,
      usdPerUnit: 1.1514,
      quotedAt: CONCERTATION,
      provider: 'ecb',
    });
    expect(server.deps.rates().get('ETH')).toMatchObject({ usdPerUnit: '3000', provider: 'static' });
  });

  test('a rate is refused when it is too old, until a new one is published', async () => {
    const source = await ecb(daily('2025-11-20', '1.1514'));
    let now = CONCERTATION + 1_000;
    const env = { FX_SOURCE: 'ecb', FX_ECB_URL: source.url, FX_MAX_AGE_S: '4' };
    const { server, merchant } = await open({ env, clock: () => now });
    expect(await pricing(server, merchant)).toMatchObject({ usdPerUnit: 1.1514 });
    now = CONCERTATION + 4_001;
    await expectNothingMade(server, merchant);
    source.state.xml = daily('2025-11-21', '1.1603');
    now += 24 * 3_600_000 - 4_000;
    await expect.poll(async () => (await ask(server, merchant)).status).toBe(201);
    expect(await pricing(server, merchant)).toMatchObject({
      usdPerUnit: 1.1603,
      quotedAt: CONCERTATION + 24 * 3_600_000,
    });
  });

  test('weekends and Easter are no reason to refuse', () => {
    expect(readConfig({ FX_SOURCE: 'ecb' }).fx.maxAgeMs).toBe(6 * 24 * 3_600_000);
  });

  test('a source that is down or invalid gives its last rate while it is valid, then none, and never the one in FX_RATES', async () => {
    const source = await ecb('<html>Maintenance</html>');
    const env = { FX_SOURCE: 'ecb', FX_ECB_URL: source.url, FX_RATES: 'EUR=9', FX_MAX_AGE_S: '4' };
    const { server, merchant } = await open({ env, clock: () => CONCERTATION + 1_000 });
    await expectNothingMade(server, merchant);
    source.state.xml = daily('2025-11-20', '1.1514');
    await expect.poll(async () => (await ask(server, merchant)).status).toBe(201);
    source.state.status = 500;
    const { asked } = source.state;
    await expect.poll(() => source.state.asked).toBeGreaterThan(asked + 1);
    expect(await pricing(server, merchant)).toMatchObject({ usdPerUnit: 1.1514 });
  });
});

describe('chainlink', () => {
  const eur = testPriceFeeds.find(({ currency }) => currency === 'EUR')!.address;

  test('the feeds price euros and ether, and are followed in the background', async () => {
    const chain = await startTestChain();
    cleanups.push(() => chain.stop());
    const { server, merchant } = await open({
      env: { FX_SOURCE: 'chainlink', RPC_URL: chain.rpcUrl, FX_RATES: 'EUR=9,ETH=9', FX_MAX_AGE_S: '3600' },
    });
    const sender = createSender(chain.chain, localAccount('deployer').privateKey);
    const set = async (answer: bigint, at: number) => {
      const { hash } = await sender.send(setPriceTransaction(eur, answer, Math.floor(at / 1000)));
      await sender.waitFor(hash!);
    };
    expect(await pricing(server, merchant)).toMatchObject({
      totalUsd: 27.65,
      usdPerUnit: 1.0842,
      provider: 'chainlink',
    });
    expect(server.deps.rates().get('ETH')).toMatchObject({ usdPerUnit: '3100', provider: 'chainlink' });

    const at = Math.floor(Date.now() / 1000) * 1000;
    await set(115_140_000n, at);
    await expect.poll(() => server.deps.rates().get('EUR')?.usdPerUnit).toBe('1.1514');
    expect(await pricing(server, merchant)).toMatchObject({ totalUsd: 29.36, usdPerUnit: 1.1514, quotedAt: at });
  });

  test('a feed without a recent update is refused', async () => {
    const chain = await startTestChain();
    cleanups.push(() => chain.stop());
    let now = Date.now();
    const { server, merchant } = await open({
      env: { FX_SOURCE: 'chainlink', RPC_URL: chain.rpcUrl, FX_MAX_AGE_S: '3600' },
      clock: () => now,
    });
    expect((await ask(server, merchant)).status).toBe(201);
    const sender = createSender(chain.chain, localAccount('deployer').privateKey);
    const at = Math.floor(now / 1000) + 10;
    const { hash } = await sender.send(setPriceTransaction(eur, 108_420_000n, at));
    await sender.waitFor(hash!);
    now = at * 1000 + 3_600_000;
    await expect.poll(() => server.deps.rates().get('EUR')?.quotedAt).toBe(at * 1000);
    expect((await ask(server, merchant)).status).toBe(201);
    now += 1;
    expect(await ask(server, merchant)).toMatchObject(UNAVAILABLE);
  });

  test('a chain without known feeds stops the start unless feeds are configured', () => {
    const environment = { FX_SOURCE: 'chainlink', CHAIN_ID: '137', RPC_URL: 'http://localhost:1' };
    expect(() => readConfig(environment)).toThrow(ConfigFaults);
    expect(() => readConfig(environment)).toThrow('FX_FEEDS: must be set for chain 137');
    expect(readConfig({ ...environment, FX_FEEDS: `EUR=${eur}` }).fx.feeds.get('EUR')).toBe(eur);
  });
});
