import { join } from 'node:path';
import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem';
import { onTestFinished } from 'vitest';
import { toAddress } from '../../src/base/chain/address.ts';
import { mintTestTokens } from '../../src/base/chain/local.ts';
import { spenderOf } from '../../src/base/onchain/spender/spender.ts';
import { findFreePort } from '../../src/base/platform/embedded/process.ts';
import { caller } from '../support/http.ts';
import { makeDataDir, type Program, until } from '../support/program.ts';
import { openRelay, type Relay } from '../support/relay.ts';
import type { Dice } from '../support/seeded.ts';
import { newAccount, startTestServer, type TestAccount, type TestServer } from '../support/server.ts';
import { startStripe } from '../support/stripe.ts';
import { makePlan, tokenOf, walletOf } from '../support/subscriber.ts';
import { type FaultChain, openFaultChain } from './chain.ts';
import type { Market, Shop } from './market.ts';
import { openDatabaseService, openRedisService, type Service } from './services.ts';
import { Supervised } from './supervised.ts';
import { type Disk, type FakeClock, openClock, openDisk, runCommand } from './surroundings.ts';

const launcher = join(import.meta.dirname, '../../src/app/cli/quittance.js');
const STOCK = 100_000;
const CUSTOMERS = 3;

/** A server, a worker, and everything that they need, all of it the test's own. */
export interface World extends Market {
  readonly web: Supervised;
  readonly worker: Supervised;
  readonly database: Service;
  readonly redis: Service;
  /** The ways of both processes to their services. */
  readonly ways: { readonly database: Relay; readonly redis: Relay };
  readonly disk: Disk;
  readonly clock: FakeClock | null;
  serve(env: Readonly<Record<string, string>>): Program;
  work(dataDir: string): Program;
  openShop(): Promise<Shop>;
}

/** Starts everything; `withClock`: the processes run on a clock that can be set. */
export async function openWorld(dice: Dice, withClock: boolean): Promise<World> {
  const [database, redis, chain] = await Promise.all([openDatabaseService(), openRedisService(), openFaultChain(dice)]);
  const stripe = await startStripe();
  onTestFinished(() => stripe.stop());
  const secrets = { JWT_SECRET: 's'.repeat(40), CRON_SECRET: 'c'.repeat(40) };
  const shared = { ...secrets, ...stripe.env, CHARGE_SCHEDULE: 'off' };
  const setup = await startTestServer({
    databaseUrl: database.url,
    env: { ...shared, RPC_URL: chain.local.rpcUrl, LOG_LEVEL: 'silent' },
  });
  onTestFinished(() => setup.stop());
  const ways = { database: await openRelay(database.url), redis: await openRelay(redis.url) };
  const [disk, clock] = [await openDisk(), withClock ? openClock() : null];
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const [first, ...others] = chain.ways.map((way) => way.url);
  const env = {
    ...{ DATABASE_URL: ways.database.url, REDIS_URL: ways.redis.url, RPC_URL: first!, CONFIRMATIONS: '2' },
    ...{ RPC_FALLBACK_URL: others.join(','), LOG_LEVEL: 'warn', RATE_LIMITS: 'off' },
    ...{ ...shared, KEY_ENCRYPTION_KEY: setup.deps.settings.keyEncryptionKey!, ...clock?.env },
  };
  const command = (...args: string[]) => [process.execPath, launcher, ...args];
  const serve = (own: Readonly<Record<string, string>>) =>
    runCommand(command('serve', '--no-worker'), { ...env, ...own });
  const work = (dataDir: string) => runCommand(command('worker'), { ...env, DATA_DIR: dataDir });
  const workerDir = makeDataDir();
  const web = new Supervised(() =>
    runCommand(disk.wrap(command('serve', '--no-worker')), { ...env, PORT: String(port), DATA_DIR: disk.dataDir }),
  );
  const worker = new Supervised(() => work(workerDir));
  const isUp = () =>
    caller(url)('GET', '/readyz?for=orders').then(
      ({ status }) => status === 200,
      () => false,
    );
  await until(isUp, { timeoutMs: 120_000 });
  return {
    ...{ web, worker, database, redis, ways, disk, clock, serve, work },
    ...(await openMarket(url, setup, chain, secrets.CRON_SECRET)),
    openShop: () => openShop(setup),
  };
}

/** Makes customers for clients of the server at `url`. */
export async function openMarket(
  url: string,
  setup: TestServer,
  chain: FaultChain,
  cronSecret: string,
): Promise<Market> {
  const customers = await Promise.all(Array.from({ length: CUSTOMERS }, () => openCustomer(setup, chain)));
  return { url, setup, chain, cronSecret, customers, stock: STOCK };
}

/** Makes a merchant with one item and one plan. */
export async function openShop(setup: TestServer): Promise<Shop> {
  const merchant = await setup.merchant();
  const item = { sku: 'CUP', name: 'Cup', priceUsd: 3, stockQty: STOCK };
  await setup.call('POST', '/api/inventory', { headers: merchant.auth, body: item });
  const plan = await makePlan(setup, merchant);
  return { merchant, plan, session: await setup.signIn(merchant.account) };
}

async function openCustomer(setup: TestServer, { local }: FaultChain): Promise<TestAccount> {
  const account = newAccount();
  await local.control.setBalance({ address: account.address, value: 10n ** 20n });
  await mintTestTokens(local.chain, 'USDC', walletOf(account), 10n ** 15n);
  const args = [toAddress(spenderOf(setup.deps).spender), maxUint256] as const;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args });
  const { maxFeePerGas, maxPriorityFeePerGas } = await local.chain.client.estimateFeesPerGas();
  const signed = await account.signTransaction({
    ...{ type: 'eip1559', chainId: local.chain.chainId, nonce: 0, gas: 200_000n, data },
    ...{ to: toAddress(tokenOf(setup, 'USDC')), maxFeePerGas, maxPriorityFeePerGas },
  });
  await local.chain.client.sendRawTransaction({ serializedTransaction: signed });
  return account;
}
