import { type Chain, createChain } from '../base/chain/client.ts';
import { deployTestPriceFeeds } from '../base/chain/local-feeds.ts';
import { LOCAL_CHAIN_ID } from '../base/core/local-chains.ts';
import { SERVER } from '../base/core/origin.ts';
import { createLocalBus, createRedisBus } from '../base/platform/bus.ts';
import { createDb } from '../base/platform/db.ts';
import type { Deps, Settings } from '../base/platform/deps.ts';
import { createLocalHeartbeats, createRedisHeartbeats } from '../base/platform/heartbeats.ts';
import { openJournal } from '../base/platform/journal.ts';
import type { Logger } from '../base/platform/log/log.ts';
import { prepareTables } from '../base/platform/migrations/prepare-tables.ts';
import { createOrm } from '../base/platform/orm.ts';
import { retryStart } from '../base/platform/postgres/reach-database.ts';
import { createLocalRecentLists, createRedisRecentLists } from '../base/platform/recent-lists.ts';
import { redisPrefix } from '../base/platform/redis/redis.ts';
import { startTraces } from '../base/platform/traces.ts';
import { checkEncryptionKey, noteSessionSecret } from '../domain/access/keys/check-secrets.ts';
import { moneyOnItsWay } from '../domain/reports/underway/money-on-its-way.ts';
import { JOURNAL } from '../domain/sales/orders/journal-order.ts';
import { openRates } from '../domain/shop/fx/live-rates.ts';
import { entities } from './entities.ts';

/** The opened dependencies of the domain. `close` closes every connection. */
export interface OpenDeps extends Deps {
  close(): Promise<void>;
}

interface OpenOptions {
  /** Whether pending migrations are run; as the settings say by default. */
  readonly migrates?: boolean;
  /** For a short command: it does not report a changed `JWT_SECRET`, so that the next server does. */
  readonly brief?: boolean;
  readonly clock?: () => number;
  /** Ends a wait for the database with `StartEnded`. */
  readonly end?: AbortSignal | undefined;
}

/** Closes one part. The list has them in the order in which they are closed. */
type Closers = (() => unknown)[];

/**
 * Opens the dependencies of the domain from complete settings. If that fails, what was open is closed again.
 *
 * Throws `ConfigFaults` if the tables do not fit this version, or if `KEY_ENCRYPTION_KEY` differs from the one that the
 * database was written with.
 */
export async function openDeps(settings: Settings, log: Logger, options: OpenOptions = {}): Promise<OpenDeps> {
  const closers: Closers = [];
  const close = async () => {
    for (const closePart of closers) await closePart();
  };
  try {
    return { ...(await openParts(settings, log, options, closers)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openParts(settings: Settings, log: Logger, options: OpenOptions, closers: Closers): Promise<Deps> {
  const { migrates = settings.migrates } = options;
  const { databasePooler: pooler } = settings;
  const orm = await createOrm(settings.databaseUrl, entities, { pooler });
  closers.unshift(() => orm.close());
  const db = createDb(settings.databaseUrl, orm, log, { pooler, readUrl: settings.databaseReadUrl });
  closers.unshift(() => db.close());
  await retryStart(() => prepareTables(orm, entities, settings, { migrates, log }), options.end);
  await retryStart(() => checkEncryptionKey(db, settings), options.end);
  if (!options.brief) await retryStart(() => noteSessionSecret({ db, settings, log }), options.end);
  const { redisUrl } = settings;
  const prefix = redisPrefix(settings.databaseUrl);
  const bus = redisUrl ? createRedisBus(redisUrl, prefix, log) : createLocalBus();
  closers.unshift(() => bus.close());
  const heartbeats = redisUrl ? createRedisHeartbeats(redisUrl, prefix, log) : createLocalHeartbeats();
  closers.unshift(() => heartbeats.close());
  const recentLists = redisUrl ? createRedisRecentLists(redisUrl, prefix, log) : createLocalRecentLists();
  closers.unshift(() => recentLists.close());
  const { crossCheckUsd } = settings;
  const [chain, ...further] = [settings, ...settings.furtherChains].map((one) =>
    createChain({
      ...one,
      crossCheckUsd,
      onEndpoint: ({ event, ...endpoint }) =>
        event === 'unusable'
          ? log.warn({ chainId: one.chainId, ...endpoint }, 'RPC endpoint failed')
          : log.info({ chainId: one.chainId, ...endpoint }, 'RPC endpoint took over'),
    }),
  ) as [Chain, ...Chain[]];
  const clock = options.clock ?? Date.now;
  if (settings.fx.source === 'chainlink' && settings.chainId === LOCAL_CHAIN_ID) {
    const missing = (error: Error) => log.warn({ reason: error.message }, 'local price feeds could not be deployed');
    await deployTestPriceFeeds(settings.rpcUrl).catch(missing);
  }
  const rates = await openRates({ settings, chain, db, clock, log });
  closers.unshift(() => rates.close());
  const journal = openJournal<object>(settings.dataDir, JOURNAL, clock());
  closers.unshift(() => journal.close());
  const traces = options.brief ? null : await startTraces({ settings, log });
  // Last: closing the other parts has spans, too.
  closers.push(() => traces?.stop());
  return {
    settings,
    db,
    bus,
    heartbeats,
    recentLists,
    chain,
    chains: [chain, ...further],
    log,
    journal,
    rates: rates.table,
    clock,
    moneyOnItsWay,
    origin: SERVER,
  };
}
