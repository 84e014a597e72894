import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type OpenDeps, openDeps } from '../../src/app/deps.ts';
import { completeSettings } from '../../src/app/settings.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { readConfig } from '../../src/base/platform/config/config.ts';
import { readRecord } from '../../src/base/platform/embedded/record.ts';
import { startServices } from '../../src/base/platform/embedded/services.ts';
import { createLog } from '../../src/base/platform/log/log.ts';
import { issueKey } from '../../src/domain/access/keys/issue.ts';
import { saveItem } from '../../src/domain/shop/catalog/test/requests.ts';
import { registerMerchant } from '../../src/domain/shop/merchants/register.ts';
import { configureSplit } from '../../src/domain/shop/splits/configure.ts';
import { startReaper } from '../support/services/start-reaper.ts';

/** A merchant with a shop, and a key that may order, read receipts and use GraphQL. */
export interface Shop {
  readonly wallet: Wallet;
  readonly key: string;
  readonly keyId: string;
  readonly receipts: number;
}

/** What the processes of a run share: a database with the durability of production. */
export interface Environment {
  readonly deps: OpenDeps;
  /** A connection for inserting a million rows at once. */
  readonly db: pg.Client;
  /** The main process of PostgreSQL. */
  readonly databasePid: number;
  /** The environment of the server under test. */
  readonly env: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

/** The database is deleted at the end of the run, so the secrets protect nothing. */
const SECRET = 'bench'.padEnd(64, '0');
/** No path of the server under test calls the chain. */
const NO_CHAIN = 'http://127.0.0.1:9';

export const SKUS = ['BENCH-1', 'BENCH-2', 'BENCH-3'] as const;

/** Starts a PostgreSQL, which ends with this process at the latest, and opens the domain on it. */
export async function openEnvironment(): Promise<Environment> {
  const dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'quittance-bench-')));
  const reap = startReaper(dataDir);
  // By default a signal ends a process without its 'exit' handlers, which end its programs.
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
  const log = createLog('error');
  const services = await startServices({
    dataDir,
    chainId: 31337,
    wantPostgres: true,
    wantChain: false,
    log: { info: () => {}, warn: (message) => log.warn(message) },
  });
  const databaseUrl = services.databaseUrl as string;
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    BASE_URL: 'http://127.0.0.1',
    LOG_LEVEL: 'error',
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    CHAIN_ID: '31337',
    RPC_URL: NO_CHAIN,
    JWT_SECRET: SECRET,
    KEY_ENCRYPTION_KEY: SECRET,
    CRON_SECRET: SECRET,
    RATE_LIMITS: 'off',
    WEBHOOK_ALLOW_INSECURE: '1',
  };
  const deps = await openDeps(completeSettings(readConfig(env), { databaseUrl, rpcUrl: NO_CHAIN }), log);
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  return {
    deps,
    db,
    databasePid: readRecord(dataDir).postgres?.pid as number,
    env,
    async stop() {
      await db.end();
      await deps.close();
      await services.stop();
      await reap();
    },
  };
}

/** Makes a merchant with three items and a number of receipts. `number` distinguishes merchants. */
export async function openShop({ deps, db }: Environment, number: number, receipts: number): Promise<Shop> {
  const wallet = `0x${String(number).padStart(40, '0')}` as Wallet;
  await registerMerchant(deps, { wallet, name: `Bench ${number}` });
  await configureSplit(deps, wallet, {});
  for (const [i, sku] of SKUS.entries())
    await saveItem(deps, wallet, { sku, name: `Item ${i}`, priceUsd: 12.5 + i, taxable: true });
  const scopes = ['orders:create', 'receipts:read', 'graphql:read'] as const;
  const { key, id: keyId } = await issueKey(deps, { merchant: wallet, scopes: [...scopes], unlimited: true });
  await fill(db, wallet, receipts);
  return { wallet, key, keyId, receipts };
}

const CHUNK = 50_000;

const INSERT = `with made as (
    insert into receipts (merchant, id, origin, status, announced_status, total_cents, currency, line_items, tax_rate, brand_name, created_at, updated_at)
    select $1, 'R-' || lpad(n::text, 10, '0') || 'abcdefghijkl', 'order', 'generated', 'generated', 4500, 'USD',
           jsonb_build_array(jsonb_build_object('label', 'Item 0', 'priceCents', 1250, 'qty', 1, 'itemId', 'item_0', 'sku', 'BENCH-1'),
                             jsonb_build_object('label', 'Item 1', 'priceCents', 1350, 'qty', 1, 'itemId', 'item_1', 'sku', 'BENCH-2'),
                             jsonb_build_object('label', 'Item 2', 'priceCents', 1450, 'qty', 1, 'itemId', 'item_2', 'sku', 'BENCH-3'),
                             jsonb_build_object('label', 'Tax', 'priceCents', 400), jsonb_build_object('label', 'Processing Fee', 'priceCents', 50)),
           '0.095', 'Bench', 1700000000000 + n, 1700000000000 + n
      from generate_series($2::int, $3::int) n
    returning merchant, id, created_at)
  insert into receipt_history (merchant, receipt_id, seq, kind, status, actor, at)
  select merchant, id, 1, 'status', 'generated', 'bench', created_at from made`;

/** The id of the n-th receipt of a filled shop, from 1. */
export const receiptId = (n: number): string => `R-${String(n).padStart(10, '0')}abcdefghijkl`;

async function fill(db: pg.Client, wallet: Wallet, receipts: number): Promise<void> {
  for (let from = 1; from <= receipts; from += CHUNK) {
    await db.query(INSERT, [wallet, from, Math.min(from + CHUNK - 1, receipts)]);
  }
  await db.query('vacuum analyze receipts, receipt_history');
}
