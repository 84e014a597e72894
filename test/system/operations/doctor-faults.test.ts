import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, expect, inject, test } from 'vitest';
import { examine } from '../../../src/app/cli/doctor.ts';
import { DEPLOYER } from '../../../src/base/chain/create2.ts';
import { localAccount } from '../../../src/base/chain/local-accounts.ts';
import { RECEIPT_FACTORY } from '../../../src/base/chain/receipt-record.ts';
import { openNode } from '../../../src/base/chain/test/node.ts';
import { defaultTokens } from '../../../src/base/chain/tokens.ts';
import { LOCAL_CHAIN_ID } from '../../../src/base/core/local-chains.ts';
import { readConfig } from '../../../src/base/platform/config/config.ts';
import type { ConfigFaults } from '../../../src/base/platform/config/faults.ts';
import { findFreePort } from '../../../src/base/platform/embedded/process.ts';
import { newAccount, startTestServer } from '../../support/server.ts';

type Environment = Record<string, string | undefined>;

const server = await startTestServer();
afterAll(() => server.stop());
const { databaseUrl, dataDir } = server.deps.settings;

/** The run's chain as if it were Base. */
const asBase = await openNode(
  inject('rpcUrl'),
  async ({ method }) => (method === 'eth_chainId' ? { result: '0x2105' } : null),
  undefined,
  afterAll,
);
/** The same chain without code at these addresses. */
const without = (...addresses: readonly string[]) =>
  openNode(
    asBase,
    async ({ method, params = [] }) => {
      if (method === 'eth_getCode' && addresses.includes(String(params[0]).toLowerCase())) return { result: '0x' };
      return method === 'eth_estimateGas' ? { result: '0xf4240' } : null;
    },
    undefined,
    afterAll,
  );
const [noFactory, noDeployer] = [await without(RECEIPT_FACTORY), await without(RECEIPT_FACTORY, DEPLOYER)];
/** The same chain, where the factory makes other addresses. */
const otherFactory = await openNode(
  asBase,
  async ({ method, params = [] }) => {
    if (method === 'eth_getCode') return { result: '0x01' };
    return method === 'eth_call' && params[0]?.to?.toLowerCase() === RECEIPT_FACTORY
      ? { result: `0x${'0'.repeat(64)}` }
      : null;
  },
  undefined,
  afterAll,
);
const rpc = (method: string, ...params: unknown[]) =>
  fetch(inject('rpcUrl'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
const settlementKey = generatePrivateKey();
await rpc('anvil_setBalance', privateKeyToAddress(settlementKey), '0xde0b6b3a7640000');
await rpc('evm_mine');

const taken = createServer((_, response) => response.end('another program'));
await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
afterAll(() => taken.close());
const takenPort = String((taken.address() as AddressInfo).port);

const { address, decimals } = defaultTokens(LOCAL_CHAIN_ID).find(({ symbol }) => symbol === 'USDC')!;
const USDC = { USDC: { address, decimals } };
const [port, metricsPort, closed] = [await findFreePort(), await findFreePort(), await findFreePort()];
const secret = (letter: string) => letter.repeat(64);

/** An installation on a public chain with nothing wrong. */
const good: Environment = {
  NODE_ENV: 'production',
  CHAIN_ID: '8453',
  RPC_URL: asBase,
  TOKENS: JSON.stringify(USDC),
  DATABASE_URL: databaseUrl,
  REDIS_URL: inject('redisUrl'),
  DATA_DIR: dataDir,
  BASE_URL: `http://localhost:${port}`,
  HOST: '127.0.0.1',
  PORT: String(port),
  METRICS_PORT: String(metricsPort),
  JWT_SECRET: secret('a'),
  KEY_ENCRYPTION_KEY: server.deps.settings.keyEncryptionKey,
  CRON_SECRET: secret('c'),
  EDGE_SECRET: secret('d'),
  PLATFORM_RECIPIENT: newAccount().address,
  PLATFORM_ADMINS: newAccount().address,
  SETTLEMENT_PRIVATE_KEY: settlementKey,
};

/** What is wrong or worth a note. */
const faultsOf = async (environment: Environment): Promise<string[]> =>
  (await examine(environment)).flatMap(({ state, check, found }) =>
    state === 'ok' ? [] : [`${state} ${check}: ${found}`],
  );

const other = generatePrivateKey();
const away = `127.0.0.1:${closed}`;

/** By what is planted: the changed variables, and what the doctor must name. */
const PLANTED: Readonly<Record<string, readonly [Environment, RegExp]>> = {
  'one wallet for two roles': [
    { SPENDER_PRIVATE_KEY: settlementKey },
    /^wrong configuration: SETTLEMENT_PRIVATE_KEY: must belong to a different wallet/,
  ],
  'a replaced key that is in use': [
    { SPENDER_PRIVATE_KEY: other, SPENDER_PREVIOUS_KEYS: other },
    /^wrong configuration: SPENDER_PREVIOUS_KEYS: must not repeat/,
  ],
  'one port for requests and metrics': [
    { METRICS_PORT: String(port) },
    /^wrong configuration: METRICS_PORT: must differ from PORT/,
  ],
  'a short secret': [{ JWT_SECRET: 'short' }, /^wrong configuration: JWT_SECRET: must be at least 32 bytes/],
  'a missing secret': [{ CRON_SECRET: undefined }, /^wrong configuration: CRON_SECRET: must be set/],
  'a missing chain': [{ CHAIN_ID: undefined }, /^wrong configuration: CHAIN_ID: must be set/],
  'one value for two secrets': [{ CRON_SECRET: secret('a') }, /^wrong CRON_SECRET: it has the value of JWT_SECRET/],
  'the secret of the edge used twice': [{ EDGE_SECRET: secret('c') }, /^wrong EDGE_SECRET: it has the value of CRON/],
  'a replaced secret that is another one': [
    { EDGE_SECRET_PREVIOUS: secret('a') },
    /^wrong EDGE_SECRET_PREVIOUS: it has the value of JWT_SECRET/,
  ],
  'a key beyond the curve': [
    { SETTLEMENT_PRIVATE_KEY: `0x${'f'.repeat(64)}` },
    /^wrong configuration: SETTLEMENT_PRIVATE_KEY: must be a key that a wallet has made(?!.*f{64})/,
  ],
  'a key that everybody guesses': [
    { SPENDER_PREVIOUS_KEYS: `0x${'7'.padStart(64, '0')}` },
    /^wrong configuration: SPENDER_PREVIOUS_KEYS: each must be a key that a wallet has made/,
  ],
  'an address with a wrong character': [
    { PLATFORM_RECIPIENT: '0x1C7D4B196Cb0C7B01d743Fbc6116a902379C7239' },
    /^wrong configuration: PLATFORM_RECIPIENT: must have the letters of its checksum/,
  ],
  'a schedule that never comes': [
    { CHARGE_SCHEDULE: '0 4 31 2 *' },
    /^wrong configuration: CHARGE_SCHEDULE: must be `off` or the five fields of a cron expression that has a next time/,
  ],
  'plain http at a name that does not resolve': [
    { BASE_URL: 'http://pay.shop.invalid' },
    /^wrong BASE_URL: browsers send no cookies over http/,
  ],
  'a misspelt variable': [{ RPC_FALBACK_URL: asBase }, /^wrong RPC_FALBACK_URL: it is no variable/],
  'a second endpoint that is down': [{ RPC_FALLBACK_URL: `http://${away}` }, /^wrong RPC 127.*: it does not answer/],
  'an endpoint that is down': [{ RPC_URL: `http://${away}` }, /^wrong RPC 127.*: it does not answer/],
  'an endpoint of another chain': [{ CHAIN_ID: '10' }, /^wrong RPC 127.*: it serves chain 8453/],
  'a wrong token': [
    { TOKENS: JSON.stringify({ USDC: { address, decimals: decimals + 1 } }) },
    /^wrong tokens: .*decimals/,
  ],
  'Redis that is down': [{ REDIS_URL: `redis://${away}` }, /^wrong redis: it does not answer/],
  'a database that is down': [{ DATABASE_URL: `postgresql://${away}/none` }, /^wrong database: it does not answer/],
  'a user that the database does not know': [
    { DATABASE_URL: Object.assign(new URL(databaseUrl), { username: 'stranger', password: 'x' }).href },
    /^wrong database: it does not answer/,
  ],
  'another KEY_ENCRYPTION_KEY': [{ KEY_ENCRYPTION_KEY: secret('f') }, /^wrong KEY_ENCRYPTION_KEY: it is not the key/],
  'a price feed without a contract': [
    { FX_SOURCE: 'chainlink', FX_FEEDS: `ETH=${newAccount().address}` },
    /^wrong rate of ETH \(FX_SOURCE=chainlink\): it cannot be read: [^\n]+$/,
  ],
  'a source of rates that is down': [
    { FX_SOURCE: 'ecb', FX_ECB_URL: `http://${away}/` },
    /^wrong rate of EUR \(FX_SOURCE=ecb\): it cannot be read: /,
  ],
  'a coin without a rate': [
    { TOKENS: JSON.stringify({ ...USDC, ETH: { address: null, decimals: 18 } }) },
    /^wrong rate of ETH: it has none/,
  ],
  'no EDGE_SECRET behind a proxy': [
    { EDGE_SECRET: undefined, BASE_URL: `https://localhost:${closed}` },
    /^note EDGE_SECRET: it is not set/,
  ],
  'no key for settlement': [{ SETTLEMENT_PRIVATE_KEY: undefined }, /^note SETTLEMENT_PRIVATE_KEY: it is not set/],
  'no operator': [{ PLATFORM_ADMINS: undefined }, /^note PLATFORM_ADMINS: it is not set/],
  'no recipient of the platform': [{ PLATFORM_RECIPIENT: undefined }, /^note PLATFORM_RECIPIENT: it is not set/],
  'no factory of addresses, and no wallet that deploys it': [
    { SETTLEMENT_PRIVATE_KEY: undefined, RPC_URL: noFactory },
    /^wrong receipt addresses on chain 8453: the factory is not at 0x\w{40}; its deployment costs about 0\.\d+ ETH/,
  ],
  'no deployer of the factory': [
    { RPC_URL: noDeployer },
    /^wrong receipt addresses on chain 8453: the deterministic deployer is not at/,
  ],
  'a factory that makes other addresses': [
    { RPC_URL: otherFactory },
    /^wrong receipt addresses on chain 8453: The contract at 0x\w{40} makes other addresses/,
  ],
  'a payment that counts in its own block': [
    { CONFIRMATIONS: '{"0":0,"100":12}' },
    /^note CONFIRMATIONS of chain 8453: with 0 a payment is paid in its own block/,
  ],
  'a further chain whose payments count in their own block': [
    { CHAINS: JSON.stringify([{ chainId: 10, rpcUrl: `http://${away}`, confirmations: 0 }]) },
    /^note CONFIRMATIONS of chain 10: /,
  ],
  'the contract of a token as the recipient of the platform': [
    { PLATFORM_RECIPIENT: address! },
    /^wrong PLATFORM_RECIPIENT on chain 8453: it is a contract that takes no coins/,
  ],
  'a test account': [
    { SETTLEMENT_PRIVATE_KEY: localAccount('buyer').privateKey },
    /^wrong configuration: SETTLEMENT_PRIVATE_KEY: must not be an account of a test mnemonic/,
  ],
  'a wallet without coins': [{ SETTLEMENT_PRIVATE_KEY: other }, /^wrong gas of the settlement wallet/],
  'a port that is taken': [{ PORT: takenPort }, new RegExp(`^wrong PORT: PORT: ${takenPort} is taken`)],
  'a port of metrics that is taken': [
    { METRICS_PORT: takenPort },
    new RegExp(`^wrong METRICS_PORT: METRICS_PORT: ${takenPort} is taken`),
  ],
  'an address of another machine': [{ HOST: '192.0.2.1' }, /^wrong PORT: HOST: 192\.0\.2\.1 is not an address/],
  'an address without TLS': [{ BASE_URL: 'http://192.0.2.1:4000' }, /^wrong BASE_URL: browsers send no cookies/],
};

test('an installation on a public chain with nothing wrong has no finding', async () => {
  expect(await faultsOf(good)).toEqual([]);
});

test.each(Object.entries(PLANTED))('the doctor names %s, and all that stops a start', async (_, [change, expected]) => {
  const environment = { ...good, ...change };
  const found = await faultsOf(environment);
  expect(found).toContainEqual(expect.stringMatching(expected));
  try {
    readConfig(environment);
  } catch (error) {
    for (const line of (error as ConfigFaults).lines) expect(found).toContain(`wrong configuration: ${line}`);
  }
});

test('a factory that the settlement wallet will deploy is no fault, and its cost is said', async () => {
  const findings = await examine({ ...good, RPC_URL: noFactory });
  expect(findings).toContainEqual({
    check: 'receipt addresses on chain 8453',
    state: 'ok',
    found: expect.stringMatching(/costs about 0\.\d+ ETH \(1000000 gas\), which the settlement wallet pays/),
    fix: null,
  });
});

test('a variable with a fault hides no other fault', async () => {
  const found = await faultsOf({
    ...good,
    LOG_LEVEL: 'loud',
    REDIS_URL: `redis://${away}`,
    PLATFORM_ADMINS: undefined,
  });
  expect(found).toEqual([
    expect.stringMatching(/^wrong configuration: LOG_LEVEL: /),
    expect.stringMatching(/^wrong redis: /),
    expect.stringMatching(/^note PLATFORM_ADMINS: /),
  ]);
});

test('a server that runs already is no fault of its port', async () => {
  const { port: used } = new URL(server.url);
  expect(await faultsOf({ ...good, PORT: used })).toEqual([]);
});

test('an acknowledged order in quarantine is named', async () => {
  const folder = join(dataDir, 'journal/orders');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'quarantine.jsonl'), '{"at":1,"reason":"merchant_missing","entry":{}}\n');
  expect(await faultsOf(good)).toEqual(['note journal: 1 acknowledged order could not be inserted']);
});
