import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { postgresUrl, startPostgres, stopPostgres } from '../../../src/base/platform/embedded/postgres.ts';
import { root } from '../../gates/sources.ts';
import { makeDataDir, until } from '../../support/program.ts';
import { makeReceipt } from '../../support/receipt.ts';
import { startTestServer } from '../../support/server.ts';
import { sceneOf, scrapeNow } from './firing.ts';
import { checkScenes } from './promtool.ts';
import { figureOf } from './scrape.ts';

/** A PostgreSQL server of this test, so that the open transaction holds back no events of others. */
async function startOwnPostgres(): Promise<string> {
  const password = randomUUID();
  const { record } = await startPostgres(makeDataDir(), password, 'fast', { warn: () => {} });
  onTestFinished(() => stopPostgres(record));
  return postgresUrl(record.port, password);
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  // The server ends one of them.
  client.on('error', () => {});
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** The statement with which the runbook finds the transaction. */
function searchOfRunbook(): string {
  const text = readFileSync(join(root, 'docs/run/runbook.md'), 'utf8');
  const [, search] = /## QuittanceEventsHeld[\s\S]*?```sql\n([\s\S]*?;)/.exec(text)!;
  return search!;
}

test('an alert fires while a transaction of another database holds back events; the runbook finds it', async () => {
  const databaseUrl = await startOwnPostgres();
  const server = await startTestServer({ databaseUrl, env: { METRICS_PORT: '0' } });
  onTestFinished(() => server.stop());
  const merchant = await server.merchant();
  const scrapeUntil = (is: (seconds: number) => boolean) =>
    until(async () => {
      const scraped = await scrapeNow(server.metricsUrl as string);
      const seconds = figureOf(scraped.series, 'quittance_events_held_seconds');
      return seconds !== undefined && is(seconds) && scraped;
    });
  const events = async () => (await server.call('GET', '/api/events', { headers: merchant.auth })).body.events;
  const free = await scrapeUntil((seconds) => seconds === 0);
  const admin = await connect(databaseUrl);
  const other = await connect(Object.assign(new URL(databaseUrl), { pathname: '/postgres' }).href);
  await other.query('begin');
  await other.query('create table forgotten ()');
  await makeReceipt(server, merchant);

  const first = await scrapeUntil((seconds) => seconds > 0);
  const second = await scrapeUntil((seconds) => seconds > figureOf(first.series, 'quittance_events_held_seconds')!);
  expect(await events()).toEqual([]);
  const { rows } = await admin.query(searchOfRunbook());
  expect(rows[0]).toMatchObject({ datname: 'postgres', left: 'create table forgotten ()' });
  await admin.query('select pg_terminate_backend($1)', [rows[0].pid]);
  await expect.poll(async () => (await events()).length).toBe(1);
  await scrapeUntil((seconds) => seconds === 0);
  checkScenes([sceneOf([free, free], [], ['QuittanceEventsHeld']), sceneOf([first, second], ['QuittanceEventsHeld'])]);
}, 240_000);
