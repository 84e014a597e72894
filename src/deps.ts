import { type Chain, createChain } from './chain/client.ts';
import { deployTestPriceFeeds } from './chain/local-feeds.ts';
import { LOCAL_CHAIN_ID } from './core/local-chains.ts';
import { SERVER } from './core/origin.ts';
import { entities } from './entities.ts';
import { openRates } from './fx/live-rates.ts';
import { checkEncryptionKey, noteSessionSecret } from './keys/check-secrets.ts';
import { createLocalBus, createRedisBus } from './platform/bus.ts';
import type { Deps, Settings } from './platform/deps.ts';
import { createLocalHeartbeats, createRedisHeartbeats } from './platform/heartbeats.ts';
import { createJobs } from './platform/jobs.ts';
import { openJournal } from './platform/journal.ts';
import type { Logger } from './platform/log.ts';
import { createOrm } from './platform/orm.ts';
import { prepareTables } from './platform/postgres/prepare-tables.ts';
import { retryStart } from './platform/postgres/retry-start.ts';
import { createLocalRecentLists, createRedisRecentLists } from './platform/recent-lists.ts';
import { redisPrefix } from './platform/redis/redis.ts';
import { createSql } from './platform/sql.ts';
import { startTraces } from './platform/traces.ts';

/** The opened dependencies of the domain. `close` closes every connection. */
export interface OpenDeps extends Deps {
  close(): Promise<void>;
}

/**
 * Opens the dependencies of the domain from complete settings.
 *
 * Throws `ConfigFaults` if the tables do not fit this version, or if `KEY_ENCRYPTION_KEY` differs from the one that the
 * database was written with.
 *
 * @param options.worker also maintains the job queues
 * @param options.migrates whether pending migrations are run; as the settings say by default
 * @param options.brief for a short command: it does not report a changed `JWT_SECRET`, so that the next server does
 */
export async function openDeps(
  settings: Settings,
  log: Logger,
  options: { worker?: boolean; migrates?: boolean; brief?: boolean; clock?: () => number } = {},
): Promise<OpenDeps> {
  const { migrates = settings.migrates } = options;
  const { databasePooler: pooler } = settings;
  const orm = await createOrm(settings.databaseUrl, entities, { pooler });
  const sql = createSql(settings.databaseUrl, orm, log, { pooler, readUrl: settings.databaseReadUrl });
  try {
    await retryStart(() => prepareTables(orm, entities, settings, { migrates, log }));
    await retryStart(() => checkEncryptionKey({ sql, settings }));
    if (!options.brief) await retryStart(() => noteSessionSecret({ sql, settings, log }));
  } catch (error) {
    await Promise.all([sql.close(), orm.close()]);
    throw error;
  }
  const boss = await retryStart(() =>
    createJobs(settings.databaseSessionUrl, log, { supervise: options.worker === true, migrates }),
  );
  const { redisUrl } = settings;
  const prefix = redisPrefix(settings.databaseUrl);
  const bus = redisUrl ? createRedisBus(redisUrl, prefix, log) : createLocalBus();
  const heartbeats = redisUrl ? createRedisHeartbeats(redisUrl, prefix, log) : createLocalHeartbeats();
  const recentLists = redisUrl ? createRedisRecentLists(redisUrl, prefix, log) : createLocalRecentLists();
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
  const rates = await openRates({ settings, chain, sql, clock, log });
  const journal = openJournal<object>(settings.dataDir, 'orders', clock());
  const traces = options.brief ? null : await startTraces({ settings, log });
  return {
    settings,
    orm,
    boss,
    sql,
    bus,
    heartbeats,
    recentLists,
    chain,
    chains: [chain, ...further],
    log,
    journal,
    rates: rates.table,
    clock,
    origin: SERVER,
    async close() {
      await journal.close();
      await rates.close();
      await boss.stop({ graceful: true, timeout: 5_000 });
      heartbeats.close();
      recentLists.close();
      await Promise.all([sql.close(), orm.close(), bus.close()]);
      await traces?.stop();
    },
  };
}
