import { afterAll, expect, test } from 'vitest';
import { openTables } from '../../../../test/support/database.ts';
import { readConfig } from '../../../base/platform/config/config.ts';
import type { Settings } from '../../../base/platform/deps.ts';
import { createLog } from '../../../base/platform/log/log.ts';
import { WALK_BATCH } from '../../../base/platform/sweep.ts';
import { KEPT } from './kept.ts';
import { deleteOld } from './worker.ts';

const DAY = 86_400_000;
const NOW = 1_000 * DAY;

const { db, client, close } = await openTables();
afterAll(close);

const ago = (days: number) => NOW - days * DAY;

function run(environment: Record<string, string> = {}, walks = true) {
  const settings = readConfig(environment) as Settings;
  const deps = { db, settings, clock: () => NOW, log: createLog('silent') };
  return deleteOld(deps, new AbortController().signal, { walks });
}

/** The values of a column, sorted. */
const column = async (text: string): Promise<unknown[]> =>
  (await client.query<{ value: unknown }>(`select (${text.replace(' from ', ') as value from ')} order by 1`)).rows.map(
    ({ value }) => value,
  );

test('the list of what is kept names every table of the database', async () => {
  const tables = await column(
    `tablename::text from pg_tables where schemaname = 'public' and tablename not like 'mikro_orm_%'`,
  );
  expect(Object.keys(KEPT).toSorted()).toEqual(tables);
});

test('finished deliveries are deleted with their attempts after 90 days, over many statements, and pending ones stay', async () => {
  const add = (prefix: string, count: number, state: string, finishedAt: number | null) =>
    client.query(
      `with added as (
         insert into webhook_deliveries (id, merchant, seq, event, url, body, state, created_at, finished_at)
         select $1 || n, '0xm', n, 'receipt.paid', 'https://shop.example', '{}', $3, 0, $4
           from generate_series(1, $2::int) n returning id)
       insert into webhook_attempts (delivery_id, number, at, duration_ms) select id, 1, 0, 1 from added`,
      [prefix, count, state, finishedAt],
    );
  await add('old', WALK_BATCH + 7, 'delivered', ago(90) - 1);
  await add('failed', 3, 'failed', ago(91));
  await add('kept', 2, 'delivered', ago(90));
  await add('pending', 1, 'pending', null);
  expect(await run({}, false)).not.toHaveProperty('deliveries');
  expect(await run()).toMatchObject({ deliveries: WALK_BATCH + 10 });
  const left = ['kept1', 'kept2', 'pending1'];
  expect(await column('id from webhook_deliveries')).toEqual(left);
  expect(await column('delivery_id from webhook_attempts')).toEqual(left);
  expect(await run({ KEEP_DELIVERIES_DAYS: '1' })).toMatchObject({ deliveries: 2 });
  expect(await column('id from webhook_deliveries')).toEqual(['pending1']);
});

/** A receipt with a history of a number of steps, one a day from its creation on. */
const addReceipt = (id: string, { closedAt, steps }: { closedAt: number | null; steps: number }) =>
  client.query(
    `with receipt as (
       insert into receipts (merchant, id, origin, status, seq, announced_status, total_cents, currency, line_items,
                             brand_name, closed_at, created_at, updated_at)
       values ('0xm', $1, 'order', 'completed', $3, 'completed', 100, 'USD', '[]', 'Shop', $2, 0, 0))
     insert into receipt_history (merchant, receipt_id, seq, kind, status, name, actor, at)
     select '0xm', $1, n, case when n = 2 then 'note' else 'status' end, 'pending', 'x', 'key', n
       from generate_series(1, $3::int) n`,
    [id, closedAt, steps],
  );

test('the history is kept for ever; with KEEP_HISTORY_DAYS the last step and the notes of ended receipts stay', async () => {
  await addReceipt('R-ended', { closedAt: ago(400), steps: 4 });
  await addReceipt('R-recent', { closedAt: ago(300), steps: 2 });
  await addReceipt('R-open', { closedAt: null, steps: 2 });
  expect(await run()).not.toHaveProperty('history');
  expect(await run({ KEEP_HISTORY_DAYS: '365' })).toMatchObject({ history: 2 });
  expect(await column(`receipt_id || seq from receipt_history`)).toEqual([
    'R-ended2',
    'R-ended4',
    'R-open1',
    'R-open2',
    'R-recent1',
    'R-recent2',
  ]);
});

test('quotes are deleted a year after their end, or after their creation if they have none', async () => {
  const quote = (id: string, expiresAt: number | null) =>
    client.query(
      `insert into quotes (merchant, id, receipt_id, chain_id, pay_to, token, amount, usd, usd_per_unit, created_at,
                           expires_at)
       values ('0xm', $1, 'R-' || $1, 1, '0xp', 'USDC', (select count(*) from quotes), '1', '1', 0, $2)`,
      [id, expiresAt],
    );
  await quote('old', ago(365) - 1);
  await quote('endless', null);
  await quote('recent', ago(365));
  expect(await run()).toMatchObject({ quotes: 2 });
  expect(await column('id from quotes')).toEqual(['recent']);
});

test('hints, unpaid checkouts, sessions and invitations are deleted after their time, and what still matters stays', async () => {
  await client.query(
    `insert into submitted_transactions (merchant, receipt_id, transaction_hash, chain_id, submitted_at, closed_at)
     values ('0xm', 'R-1', 'closed', 1, 0, $1), ('0xm', 'R-1', 'recent', 1, 0, $2), ('0xm', 'R-1', 'open', 1, 0, null)`,
    [ago(91), ago(89)],
  );
  const checkout = (id: string, status: string, hash: string | null = null) =>
    client.query(
      `insert into onramp_sessions (merchant, id, receipt_id, provider, provider_session_id, status, chain_id, token,
                                    pay_to, amount, source_amount_cents, url, transaction_hash, event_ids, created_at,
                                    updated_at, expires_at)
       values ('0xm', $1, 'R-1', 'stripe', $1, $2, 1, 'USDC', '0xp', 1, 1, '', $3, '[]', 0, 0, 0)`,
      [id, status, hash],
    );
  await checkout('abandoned', 'abandoned');
  await checkout('waiting', 'requires_payment');
  await checkout('charged', 'fulfillment_complete');
  await checkout('delivered', 'failed', '0xt');
  await client.query(
    `insert into sessions (id, wallet, created_at, expires_at) values ('over', '0xw', 0, $1), ('live', '0xw', 0, $2)`,
    [NOW, NOW + 1],
  );
  await client.query(
    `insert into merchant_invitations (id, merchant, role, digest, created_at, created_by, expires_at)
     values ('old', '0xm', 'viewer', 'a', 0, '0xw', $1), ('new', '0xm', 'viewer', 'b', 0, '0xw', $2)`,
    [ago(91), ago(89)],
  );
  expect(await run()).toMatchObject({ hints: 1, checkouts: 1, sessions: 1, invitations: 1 });
  expect(await column('transaction_hash from submitted_transactions')).toEqual(['open', 'recent']);
  expect(await column('id from onramp_sessions')).toEqual(['charged', 'delivered', 'waiting']);
  expect(await column('id from sessions')).toEqual(['live']);
  expect(await column('id from merchant_invitations')).toEqual(['new']);
});

test('e-mails are counted for a day, by the hour', async () => {
  const hour = NOW / 3_600_000;
  await client.query(
    "insert into mail_counts (key, hour, sent, asked) values ('over', $1, 1, 0), ('counts', $2, 1, 0), ('now', $3, 1, 0)",
    [hour - 26, hour - 24, hour],
  );
  expect(await run({}, false)).toMatchObject({ 'counts of mails': 1 });
  expect(await column('key from mail_counts')).toEqual(['counts', 'now']);
});

test('a value that is no number of days stops the start', () => {
  expect(() => readConfig({ KEEP_HISTORY_DAYS: '7' })).toThrow('KEEP_HISTORY_DAYS: must be a whole number from 30');
  expect(() => readConfig({ KEEP_DELIVERIES_DAYS: 'ever' })).toThrow('KEEP_DELIVERIES_DAYS');
});
