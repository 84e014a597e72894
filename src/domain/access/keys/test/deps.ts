import { inject, onTestFinished } from 'vitest';
import { testDatabase } from '../../../../../test/support/database.ts';
import { entities } from '../../../../app/entities.ts';
import { createChain } from '../../../../base/chain/client.ts';
import { SERVER } from '../../../../base/core/origin.ts';
import type { Wallet } from '../../../../base/core/wallet.ts';
import { createLocalBus } from '../../../../base/platform/bus.ts';
import { readConfig } from '../../../../base/platform/config/config.ts';
import { createDb } from '../../../../base/platform/db.ts';
import type { Deps, Settings } from '../../../../base/platform/deps.ts';
import { createLog } from '../../../../base/platform/log/log.ts';
import { createOrm } from '../../../../base/platform/orm.ts';

export type TestDeps = Pick<Deps, 'db' | 'settings' | 'clock' | 'log' | 'chain' | 'chains' | 'bus' | 'origin'> & {
  /** Advances the test's clock; it does not move otherwise. */
  advance(ms: number): void;
};

export const SHOP = `0x${'ab'.repeat(20)}` as Wallet;
export const OTHER_SHOP = `0x${'cd'.repeat(20)}` as Wallet;

/** Settings of a test's server at http://pay.test. */
function testSettings(overrides: Partial<Settings> = {}): Settings {
  return {
    ...readConfig({ NODE_ENV: 'test', CHAIN_ID: '31337', RPC_URL: inject('rpcUrl') }),
    furtherChains: [],
    baseUrl: 'http://pay.test',
    databaseUrl: '',
    databaseSessionUrl: '',
    rpcUrl: inject('rpcUrl'),
    chainId: inject('chainId'),
    jwtSecret: 'jwt secret of the test',
    keyEncryptionKey: 'key encryption key of the test',
    cronSecret: 'cron secret of the test',
    ...overrides,
  };
}

/** The dependencies of one process, on a database of the test's own with two merchants. */
export async function testDeps(overrides: Partial<Settings> = {}): Promise<TestDeps> {
  const databaseUrl = overrides.databaseUrl ?? (await testDatabase());
  const settings = testSettings({ ...overrides, databaseUrl, databaseSessionUrl: databaseUrl });
  const log = createLog('silent');
  const orm = await createOrm(databaseUrl, entities);
  const db = createDb(databaseUrl, orm, log);
  onTestFinished(async () => {
    await orm.close();
    await db.close();
  });
  let now = 1_800_000_000_000;
  for (const wallet of [SHOP, OTHER_SHOP]) {
    await orm.em.fork().execute(
      `insert into merchants (wallet, name, brand_key, shop, pricing, version, created_at, updated_at)
       values (?, 'Shop', 'quittance', '{}', '{}', 1, 0, 0) on conflict do nothing`,
      [wallet],
    );
    await orm.em
      .fork()
      .execute(
        `insert into merchant_members (merchant, wallet, role, created_at) values (?, ?, 'owner', 0) on conflict do nothing`,
        [wallet, wallet],
      );
  }
  const chain = createChain({ chainId: settings.chainId, rpcUrl: settings.rpcUrl, tokens: [], confirmations: 1 });
  return {
    db,
    settings,
    log,
    clock: () => now,
    bus: createLocalBus(),
    origin: SERVER,
    chain,
    chains: [chain],
    advance: (ms) => {
      now += ms;
    },
  };
}
