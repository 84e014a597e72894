import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, inject } from 'vitest';
import { createDatabase } from '../../../../../test/support/database.ts';
import { entities } from '../../../../app/entities.ts';
import { createChain } from '../../../../base/chain/client.ts';
import { SERVER } from '../../../../base/core/origin.ts';
import { parseWallet, type Wallet } from '../../../../base/core/wallet.ts';
import { createLocalBus } from '../../../../base/platform/bus.ts';
import { readConfig } from '../../../../base/platform/config/config.ts';
import { createDb, type Db } from '../../../../base/platform/db.ts';
import type { Deps, Settings } from '../../../../base/platform/deps.ts';
import { createLocalHeartbeats } from '../../../../base/platform/heartbeats.ts';
import { createLog } from '../../../../base/platform/log/log.ts';
import { createOrm } from '../../../../base/platform/orm.ts';
import { createLocalRecentLists } from '../../../../base/platform/recent-lists.ts';
import { moneyOnItsWay } from '../../../reports/underway/money-on-its-way.ts';
import { registerMerchant } from '../register.ts';

export const walletOf = (digit: string): Wallet => parseWallet(`0x${digit.repeat(40)}`)!;
export const PLATFORM = walletOf('f');

/** A test's dependencies, with a manual clock and a count of the statements on the hot path. */
export interface TestDeps extends Omit<Deps, 'rates' | 'journal'> {
  readonly now: { ms: number };
  readonly statements: string[];
  /** The same database with another configuration. */
  with(overrides: Partial<Settings>): TestDeps;
  /** Registers a merchant under an unused wallet. */
  merchant(brandKey?: string): Promise<Wallet>;
}

/**
 * All dependencies but the journal and the rates, on a database of the file's own. Call it in the body
 * of a suite; they are ready when tests run.
 */
export function merchantDeps(): TestDeps {
  const deps = {} as TestDeps;
  let close = async () => {};
  beforeAll(async () => {
    const opened = await open();
    close = opened.close;
    Object.assign(deps, opened.deps);
  });
  afterAll(() => close());
  return deps;
}

async function open(): Promise<{ deps: TestDeps; close: () => Promise<void> }> {
  const { databaseUrl, drop } = await createDatabase();
  const orm = await createOrm(databaseUrl, entities);
  const log = createLog('silent');
  const inner = createDb(databaseUrl, orm, log);
  const bus = createLocalBus();
  const config = readConfig({ NODE_ENV: 'test', RPC_URL: inject('rpcUrl') });
  const settings = { ...config, databaseUrl, databaseSessionUrl: databaseUrl, platformRecipient: PLATFORM } as Settings;
  const statements: string[] = [];
  const now = { ms: 1_800_000_000_000 };
  const deps = {
    orm,
    db: {
      run: (query, parameters) => {
        statements.push(query.name);
        return inner.run(query, parameters);
      },
      one: inner.one,
      write: (statement, item) => {
        statements.push(statement.name);
        return inner.write(statement, item);
      },
      transaction: inner.transaction,
      kept: inner.kept,
      orm,
      close: () => inner.close(),
    } satisfies Db,
    bus,
    heartbeats: createLocalHeartbeats(),
    recentLists: createLocalRecentLists(),
    clock: () => now.ms,
    moneyOnItsWay,
    origin: SERVER,
    log,
    now,
    statements,
  };
  const complete = (settings: Settings): TestDeps => ({
    ...deps,
    settings,
    ...chainsOf(settings),
    with: (overrides) => complete({ ...settings, ...overrides }),
    merchant: async (brandKey) => {
      const wallet = `0x${randomBytes(20).toString('hex')}`;
      const merchant = await registerMerchant(
        { ...deps, settings },
        { wallet, name: `Shop ${wallet.slice(2, 6)}`, brandKey },
      );
      return merchant.wallet;
    },
  });
  return {
    deps: complete(settings),
    async close() {
      await Promise.all([orm.close(), inner.close(), bus.close()]);
      await drop();
    },
  };
}

function chainsOf(settings: Settings) {
  const chain = createChain({ ...settings, confirmations: 0 });
  return { chain, chains: [chain] };
}
