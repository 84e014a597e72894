import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import { inject } from 'vitest';
import { serve, work } from '../../src/app/app.ts';
import { type OpenDeps, openDeps } from '../../src/app/deps.ts';
import { completeSettings } from '../../src/app/settings.ts';
import { prepareLocalChain } from '../../src/base/chain/local.ts';
import { SCOPES, type Scope } from '../../src/base/core/scopes.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { readConfig } from '../../src/base/platform/config/config.ts';
import { findFreePort } from '../../src/base/platform/embedded/process.ts';
import { createLog } from '../../src/base/platform/log/log.ts';
import { issueKey } from '../../src/domain/access/keys/issue.ts';
import { registerMerchant } from '../../src/domain/shop/merchants/register.ts';
import { configureSplit } from '../../src/domain/shop/splits/configure.ts';
import { createDatabase } from './database.ts';
import { type Call, caller } from './http.ts';

/** A whole server of the test's own: a fresh database, the run's local chain and a free port. */
export interface TestServer {
  readonly url: string;
  /** Where its metrics are; null without METRICS_PORT. */
  readonly metricsUrl: string | null;
  readonly deps: OpenDeps;
  /** Calls the server; see `caller`. */
  readonly call: Call;
  /** Registers a merchant (by default with a split) and a key with these scopes. */
  merchant(options?: { scopes?: readonly Scope[]; split?: boolean; name?: string }): Promise<TestMerchant>;
  /** Signs the wallet in and answers the headers of its session. */
  signIn(account: TestAccount): Promise<Record<string, string>>;
  stop(): Promise<void>;
}

export type TestAccount = ReturnType<typeof privateKeyToAccount>;

export interface TestMerchant {
  readonly wallet: Wallet;
  readonly account: TestAccount;
  readonly key: string;
  readonly keyId: string;
  /** The header that carries the key. */
  readonly auth: { 'Ocp-Apim-Subscription-Key': string };
  readonly split: Wallet | null;
}

export interface TestServerOptions {
  /** Also follows the chain and delivers webhooks. */
  readonly worker?: boolean;
  /** The run's Redis instead of the in-process bus. */
  readonly redis?: boolean;
  /** Further environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  readonly databaseUrl?: string;
  readonly clock?: () => number;
}

/** An unused wallet. */
export function newAccount(): TestAccount {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return privateKeyToAccount(`0x${Buffer.from(bytes).toString('hex')}`);
}

/** Starts a server; stop it with `stop`. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'quittance-server-'));
  const database = options.databaseUrl
    ? { databaseUrl: options.databaseUrl, drop: async () => {} }
    : await createDatabase();
  const port = await findFreePort();
  const config = readConfig({
    NODE_ENV: 'test',
    PORT: String(port),
    BASE_URL: `http://localhost:${port}`,
    DATA_DIR: dataDir,
    DATABASE_URL: database.databaseUrl,
    CHAIN_ID: String(inject('chainId')),
    RPC_URL: inject('rpcUrl'),
    LOG_LEVEL: process.env.TEST_LOG ?? 'silent',
    RATE_LIMITS: 'off',
    GRAPHQL_FAST_PATH: process.env.GRAPHQL_FAST_PATH,
    // Servers on one database share it.
    KEY_ENCRYPTION_KEY: 'a key for tests, thirty-two bytes',
    ...(options.redis ? { REDIS_URL: inject('redisUrl') } : {}),
    ...options.env,
  });
  const settings = completeSettings(config, { databaseUrl: database.databaseUrl, rpcUrl: config.rpcUrl as string });
  if (config.rpcUrl === inject('rpcUrl')) await prepareLocalChain(settings.rpcUrl);
  const deps = await openDeps(settings, createLog(settings.logLevel), { clock: options.clock });
  const running = await serve(deps);
  const worker = options.worker ? await work(deps) : null;
  const call = caller(running.url);

  return {
    url: running.url,
    metricsUrl: running.metricsUrl,
    deps,
    call,
    async merchant({ scopes = SCOPES, split = true, name = 'Test Shop' } = {}) {
      const account = newAccount();
      const wallet = account.address.toLowerCase() as Wallet;
      await registerMerchant(deps, { wallet, name });
      const { key, id } = await issueKey(deps, { merchant: wallet, scopes: [...scopes] });
      const configured = split ? await configureSplit(deps, wallet, {}) : null;
      return {
        wallet,
        account,
        key,
        keyId: id,
        auth: { 'Ocp-Apim-Subscription-Key': key },
        split: configured?.split.address ?? null,
      };
    },
    async signIn(account) {
      const { body: challenge } = await call('POST', '/api/auth/nonce', { body: { wallet: account.address } });
      const signature = await account.signTypedData(challenge.typedData);
      const answer = await call('POST', '/api/auth/login', {
        body: { wallet: account.address, nonce: challenge.nonce, signature },
      });
      const cookie = answer.headers
        .getSetCookie()
        .map((line) => line.split(';', 1)[0])
        .join('; ');
      return { cookie, 'x-csrf-token': answer.body.csrfToken };
    },
    async stop() {
      await running.stop();
      await worker?.stop();
      await deps.close();
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
