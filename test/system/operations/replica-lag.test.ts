import pg from 'pg';
import { onTestFinished, test } from 'vitest';
import { until } from '../../support/program.ts';
import { startTestServer } from '../../support/server.ts';
import { startReplicated } from '../../support/standby.ts';
import { sceneOf, scrapeNow } from './firing.ts';
import { checkScenes } from './promtool.ts';
import { figureOf } from './scrape.ts';

test('an alert fires for a replica that does not replay, and is silent before', async () => {
  const { primary, standby } = await startReplicated();
  const server = await startTestServer({ databaseUrl: primary, env: { METRICS_PORT: '0' } });
  onTestFinished(() => server.stop());
  const run = async (url: string, query: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(query).finally(() => client.end());
  };
  const lag = 'quittance_database_replica_lag_bytes';
  const scrapeUntil = (is: (bytes: number) => boolean) =>
    until(async () => {
      const scraped = await scrapeNow(server.metricsUrl as string);
      const bytes = figureOf(scraped.series, lag);
      return bytes !== undefined && is(bytes) && scraped;
    });
  const whole = await scrapeUntil((bytes) => bytes < 2 ** 20);
  await run(standby, 'select pg_wal_replay_pause()');
  const message = `pg_logical_emit_message(false, 'test', repeat('x', 1048576))`;
  await run(primary, `select count(${message}) from generate_series(1, 70)`);
  const behind = await scrapeUntil((bytes) => bytes > 2 ** 26);
  checkScenes([
    sceneOf([whole, whole], [], ['QuittanceReplicaLag']),
    sceneOf([behind, behind], ['QuittanceReplicaLag']),
  ]);
}, 240_000);
