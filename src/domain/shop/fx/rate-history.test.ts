import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createDatabase, openSql } from '../../../../test/support/database.ts';
import { createChain } from '../../../base/chain/client.ts';
import type { QuotedRate } from '../../../base/core/rates.ts';
import { readConfig } from '../../../base/platform/config/config.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Settings } from '../../../base/platform/deps.ts';
import { createLog } from '../../../base/platform/log/log.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { openRates } from './live-rates.ts';
import { readRateAt, recordRates } from './rate-history.ts';

let db: Db;
let close: () => Promise<void>;
let drop: () => Promise<void>;
let now = 1_000_000;
const log = createLog('silent');
const deps = () => ({ db, log, clock: () => now });

beforeAll(async () => {
  const database = await createDatabase();
  drop = database.drop;
  ({ db, close } = await openSql(database.databaseUrl));
});
afterAll(async () => {
  await close();
  await drop();
});

const ROWS = query('test-rate-history', (db, $: { currency: string }) =>
  db
    .selectFrom('PastRate')
    .select(['quotedAt as at', 'usdPerUnit as rate', 'provider as by'])
    .where('currency', '=', $.currency)
    .orderBy('quotedAt'),
);
const rowsOf = (currency: string) => db.run(ROWS, { currency });

const table = (currency: string, rate: QuotedRate) => new Map([[currency, rate]]);

test('the rate at a time is the newest one quoted by then; before all of them it is the oldest one', async () => {
  const record = recordRates(deps());
  for (const [quotedAt, usdPerUnit] of [
    [100_000, '3000'],
    [200_000, '3100'],
    [300_000, '2900.5'],
  ] as const) {
    await record(table('AAA', { usdPerUnit, quotedAt, provider: 'chainlink' }));
  }
  const at = async (moment: number) => (await readRateAt(db, 'AAA', moment))?.usdPerUnit;
  expect(await at(99_999)).toBe('3000');
  expect(await at(199_999)).toBe('3000');
  expect(await at(200_000)).toBe('3100');
  expect(await at(299_999)).toBe('3100');
  expect(await at(9_999_999)).toBe('2900.5');
  expect(await readRateAt(db, 'ZZZ', 1)).toBeNull();
});

test('a static rate is recorded once for any number of starts, and again when it changes', async () => {
  const byHand = (usdPerUnit: string) => table('BBB', { usdPerUnit, quotedAt: null, provider: 'static' });
  for (const [at, rate] of [
    [500_000, '10'],
    [600_000, '10'],
    [700_000, '11'],
    [800_000, '10'],
  ] as const) {
    now = at;
    await recordRates(deps())(byHand(rate));
  }
  expect((await rowsOf('BBB')).map(({ at, rate }) => [at, rate])).toEqual([
    [500_000, '10'],
    [700_000, '11'],
    [800_000, '10'],
  ]);
  // A static rate does not expire.
  expect(await readRateAt(db, 'BBB', 900_000)).toEqual({ usdPerUnit: '10', quotedAt: null, provider: 'static' });
});

test('an unchanged rate of a feed is recorded once a minute', async () => {
  const record = recordRates(deps());
  for (const quotedAt of [100_000, 101_000, 159_999, 160_000, 161_000]) {
    await record(table('CCC', { usdPerUnit: '5', quotedAt, provider: 'chainlink' }));
  }
  expect((await rowsOf('CCC')).map(({ at }) => at)).toEqual([100_000, 160_000]);
});

test('a failed write does not throw, and the rates are recorded with the next change', async () => {
  let away = true;
  const flaky: Db = {
    ...db,
    run: (query, parameters) => (away ? Promise.reject(new Error('away')) : db.run(query, parameters)),
  };
  const record = recordRates({ ...deps(), db: flaky });
  const rates = table('DDD', { usdPerUnit: '5', quotedAt: 100_000, provider: 'ecb' });
  await record(rates);
  expect(await rowsOf('DDD')).toEqual([]);
  away = false;
  await record(rates);
  expect(await rowsOf('DDD')).toHaveLength(1);
});

test('the rates of a source are recorded', async () => {
  let usd = '1.1514';
  let day = 20;
  const server: Server = createServer((_request, response) => {
    response.end(`<Cube><Cube time='2025-11-${day}'><Cube currency='USD' rate='${usd}'/></Cube></Cube>`);
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  onTestFinished(() => void server.close());
  const FX_ECB_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { NODE_ENV: 'test', FX_SOURCE: 'ecb', FX_ECB_URL, FX_RATES: 'ETH=3000', FX_MAX_AGE_S: '4' };
  const settings = { ...readConfig(env), rpcUrl: 'http://127.0.0.1:1' } as Settings;
  now = Date.UTC(2025, 11, 1);
  const rates = await openRates({ ...deps(), settings, chain: createChain(settings) });
  onTestFinished(() => rates.close());
  [usd, day] = ['1.1603', 21];
  await vi.waitFor(
    async () =>
      expect(await rowsOf('EUR')).toEqual([
        { at: Date.UTC(2025, 10, 20, 13, 15), rate: '1.1514', by: 'ecb' },
        { at: Date.UTC(2025, 10, 21, 13, 15), rate: '1.1603', by: 'ecb' },
      ]),
    { timeout: 60_000 },
  );
  expect(await rowsOf('ETH')).toEqual([{ at: now, rate: '3000', by: 'static' }]);
});
