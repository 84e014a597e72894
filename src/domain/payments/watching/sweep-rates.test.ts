import { afterAll, expect, test } from 'vitest';
import { openTables } from '../../../../test/support/database.ts';
import { readRateAt } from '../../shop/fx/rate-history.ts';
import { sweepRates } from './sweep-rates.ts';

const DAY = 24 * 60 * 60 * 1000;
const NOW = 400 * DAY;
const KEPT_MS = 90 * DAY;
const BEFORE = NOW - KEPT_MS;

const { db, client, close } = await openTables();
afterAll(close);

const remember = (currency: string, ages: readonly number[]) =>
  client.query(
    `insert into rate_history (currency, quoted_at, provider, usd_per_unit)
     select $1, at, 'chainlink', at::text from unnest($2::bigint[]) as at`,
    [currency, ages.map((age) => NOW - age)],
  );

const agesOf = async (currency: string) => {
  const { rows } = await client.query<{ at: string }>(
    'select quoted_at as at from rate_history where currency = $1 order by 1 desc',
    [currency],
  );
  return rows.map(({ at }) => NOW - Number(at));
};

test('rates that no late payment can need are deleted: the rate of ninety days ago and all later ones stay', async () => {
  await remember('AAA', [1, DAY, KEPT_MS - 1, KEPT_MS + 5, KEPT_MS + DAY, KEPT_MS + 2 * DAY]);
  await remember('BBB', [300 * DAY]);
  await remember('CCC', [KEPT_MS, KEPT_MS + 1]);
  expect(await sweepRates(db, BEFORE)).toBe(3);
  expect(await agesOf('AAA')).toEqual([1, DAY, KEPT_MS - 1, KEPT_MS + 5]);
  // It has not changed since, so it is still valid.
  expect(await agesOf('BBB')).toEqual([300 * DAY]);
  expect(await agesOf('CCC')).toEqual([KEPT_MS]);
  expect((await readRateAt(db, 'AAA', NOW - KEPT_MS))?.quotedAt).toBe(NOW - KEPT_MS - 5);
  expect(await sweepRates(db, BEFORE)).toBe(0);
});

test('a transfer that waits for assignment keeps the rate of its time, and a transfer of a removed block keeps none', async () => {
  await remember('ETH', [DAY, 200 * DAY, 250 * DAY, 251 * DAY]);
  await remember('USDT', [DAY, 200 * DAY, 250 * DAY]);
  const arrived = NOW - 220 * DAY;
  const addTransfer = (hash: string, token: string, canonical: boolean) =>
    client.query(
      `insert into transfers (chain_id, block_hash, transaction_hash, log_index, block_number, block_time_ms, token, sender,
                              pay_to, amount, canonical, merchant, receipt_id, exact, unmatched_reason, seen_at)
       values (1, $1, $1, 0, 7, $2, $3, '0xs', '0xp', 1, $4, '0xm', null, false, 'unknown_amount', $2)`,
      [hash, arrived, token, canonical],
    );
  await addTransfer('0x1', 'ETH', true);
  await addTransfer('0x2', 'USDT', false);
  await sweepRates(db, BEFORE);
  expect(await agesOf('ETH')).toEqual([DAY, 200 * DAY, 250 * DAY]);
  expect((await readRateAt(db, 'ETH', arrived))?.quotedAt).toBe(NOW - 250 * DAY);
  expect(await agesOf('USDT')).toEqual([DAY, 200 * DAY]);
});
