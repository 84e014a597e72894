import { onTestFinished } from 'vitest';
import { mintTestTokens } from '../../src/base/chain/local.ts';
import { type Authorizer, newAuthorizer } from '../../src/base/chain/test/authorize.ts';
import { LOCAL_CHAIN_ID, SLOW_CHAIN_ID } from '../../src/base/core/local-chains.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { findFreePort } from '../../src/base/platform/embedded/process.ts';
import { type FaultChain, openFaultChain } from '../faults/chain.ts';
import { Supervised } from '../faults/supervised.ts';
import { runCommand } from '../faults/surroundings.ts';
import { type Call, caller } from '../support/http.ts';
import { launcher, makeDataDir, until } from '../support/program.ts';
import type { Dice } from '../support/seeded.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { startStripe } from '../support/stripe.ts';

/** Payers without ether on each chain. */
const PAYERS = 8;

/** A chain, and who pays on it by signature. */
export interface RailChain extends FaultChain {
  readonly chainId: number;
  readonly payers: readonly Authorizer[];
}

/** A server and a worker as processes of their own, on two chains, and a merchant that takes USDC on both. */
export interface RailWorld {
  readonly web: Supervised;
  readonly worker: Supervised;
  readonly chains: readonly RailChain[];
  /** A server in this process, beside all faults: it makes the merchant and reads the database. */
  readonly setup: TestServer;
  readonly merchant: TestMerchant & { readonly split: Wallet };
  readonly session: Readonly<Record<string, string>>;
  /** Of the server that is killed. */
  readonly url: string;
  readonly call: Call;
  readonly dice: Dice;
}

export async function openRailWorld(dice: Dice): Promise<RailWorld> {
  const chains = await Promise.all([LOCAL_CHAIN_ID, SLOW_CHAIN_ID].map((chainId) => openRailChain(dice, chainId)));
  const [first, second] = chains as [RailChain, RailChain];
  const stripe = await startStripe();
  onTestFinished(() => stripe.stop());
  const shared = {
    ...stripe.env,
    ...{ CHAIN_ID: String(first.chainId), RPC_URL: first.local.rpcUrl, CONFIRMATIONS: '2', RATE_LIMITS: 'off' },
    CHAINS: JSON.stringify([{ chainId: second.chainId, rpcUrl: second.local.rpcUrl, confirmations: 2 }]),
    ...{ JWT_SECRET: 's'.repeat(40), CRON_SECRET: 'c'.repeat(40), CHARGE_SCHEDULE: 'off' },
  };
  const setup = await startTestServer({ env: { ...shared, LOG_LEVEL: 'silent' } });
  onTestFinished(() => setup.stop());
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const { databaseUrl, keyEncryptionKey } = setup.deps.settings;
  const env = {
    ...{ ...shared, DATABASE_URL: databaseUrl, KEY_ENCRYPTION_KEY: keyEncryptionKey, LOG_LEVEL: 'warn' },
    ...{ PORT: String(port), BASE_URL: url },
  };
  const start = (dataDir: string, ...args: string[]) =>
    new Supervised(() => runCommand([process.execPath, launcher, ...args], { ...env, DATA_DIR: dataDir }));
  const web = start(makeDataDir(), 'serve', '--no-worker');
  const worker = start(makeDataDir(), 'worker');
  const call = caller(url);
  const merchant = (await setup.merchant()) as RailWorld['merchant'];
  const session = await setup.signIn(merchant.account);
  const tokens = chains.map(({ chainId }) => ({ chainId, token: 'USDC' }));
  const input = { paymentTokens: tokens };
  const query = 'mutation ($input: ShopConfigInput!) { updateShopConfig(input: $input) { paymentTokens { token } } }';
  const chosen = await setup.call('POST', '/api/graphql', {
    headers: session,
    body: { query, variables: { input } },
  });
  if (chosen.body.errors) throw new Error(JSON.stringify(chosen.body.errors));
  const isUp = () =>
    call('GET', '/readyz?for=orders').then(
      ({ status }) => status === 200,
      () => false,
    );
  await until(isUp);
  return { web, worker, chains, setup, merchant, session, url, call, dice };
}

async function openRailChain(dice: Dice, chainId: number): Promise<RailChain> {
  const chain = await openFaultChain(dice, chainId);
  const payers = Array.from({ length: PAYERS }, newAuthorizer);
  for (const { wallet } of payers) await mintTestTokens(chain.local.chain, 'USDC', wallet, 10n ** 13n);
  return { ...chain, chainId, payers };
}
