import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Wallet } from '../../../base/core/wallet.ts';
import { openWallet, type SigningWallet } from '../../../base/onchain/spender/spender-key.ts';
import { streamOf } from '../../../base/platform/postgres/pg-stream.ts';
import { quotePayment } from '../../payments/paying/quote-payment.ts';
import { deployAll } from '../../payments/test/deploy-all.ts';
import { openWorld, randomWallet, type World } from '../../payments/test/world.ts';
import { createSettler } from './settle.ts';

let world: World;
let wallet: SigningWallet;
beforeAll(async () => {
  world = await openWorld();
  wallet = openWallet('settlement', world.deps.settings.settlementPrivateKey!);
});
afterAll(() => world.stop());

const { query } = pg.Client.prototype;
afterEach(() => {
  pg.Client.prototype.query = query;
});

/**
 * From the nth statement no statement reaches the database, and open transactions are lost, as after a kill. Returns a
 * function that reports whether that happened.
 */
function killAt(nth: number): () => boolean {
  let seen = 0;
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    seen += 1;
    if (seen >= nth) streamOf(this).destroy();
    return (query as (...args: unknown[]) => unknown).apply(this, given);
  } as typeof query;
  return () => seen >= nth;
}

const execute = <Row>(sql: string, parameters: unknown[] = []) =>
  world.deps.db.orm.em.fork().execute<Row[]>(sql, parameters);

async function merchantWithWebhooks() {
  const merchant = await world.merchant({ recipients: [{ address: randomWallet(), sharesBps: 10_000 }] });
  await execute(
    `insert into merchants (wallet, name, brand_key, shop, pricing, version, created_at, updated_at)
     values (?, 'Shop', 'shop', '{}', '{}', 1, 0, 0)`,
    [merchant.wallet],
  );
  return merchant;
}

/** Repeats what needs the database: after a kill, a connection is opened again only after a moment. */
const reachable = <T>(work: () => Promise<T>): Promise<T> => vi.waitFor(work, { timeout: 10_000 });

const looked = async () => (await reachable(() => world.look())).cursor.confirmed;

/** A paid receipt with no settled shares. */
async function paid(merchant: Wallet): Promise<string> {
  const webhook = { webhookUrl: 'https://shop.example/hook', keyId: 'key_1' };
  const receiptId = await world.receipt(merchant, 1_000, webhook);
  await world.pay(await reachable(() => quotePayment(world.deps, { merchant, receiptId, token: 'USDC' })));
  await world.mine(2);
  await looked();
  expect(await world.status(merchant, receiptId)).toBe('paid');
  return receiptId;
}

/** Rounds of settlement, each followed by blocks: the first computes and releases, the next ones complete. */
async function settle(settler: (confirmed: number) => Promise<void>, confirmed: () => Promise<number>): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await settler(await confirmed()).catch(() => {});
    await world.mine(2);
  }
}

test('settlement killed before any of its statements completes the receipt once, and sends one webhook for it', async () => {
  const { wallet: merchant } = await merchantWithWebhooks();
  await deployAll(world);
  const killed: string[] = [];
  for (let nth = 1; ; nth++) {
    const receiptId = await paid(merchant);
    const before = await looked();
    // The watcher runs separately: only the statements of settlement are killed.
    const isKilled = killAt(nth);
    let height = before;
    await settle(createSettler(world.deps, wallet), async () => {
      const now = height;
      height += 2;
      return now;
    });
    pg.Client.prototype.query = query;
    killed.push(receiptId);
    if (!isKilled()) break;
    expect(nth, 'the number of statements has no bound').toBeLessThan(200);
  }
  expect(killed.length).toBeGreaterThan(15);
  // The settler started after the kill has no memory of the previous one.
  const settler = createSettler(world.deps, wallet);
  for (let round = 0; round < 4; round++) await settle(settler, looked);
  const completed = await execute<{ id: string; completions: number; webhooks: number }>(
    `select r.id, r.status,
            (select count(*)::int from receipt_history h
              where h.merchant = r.merchant and h.receipt_id = r.id and h.status = 'completed') as completions,
            (select count(*)::int from webhook_deliveries d
              where d.merchant = r.merchant and d.receipt_id = r.id and d.body like '%"reconciled"%') as webhooks
       from receipts r where r.merchant = ?`,
    [merchant],
  );
  expect(completed.toSorted((a, b) => killed.indexOf(a.id) - killed.indexOf(b.id))).toEqual(
    killed.map((id) => ({ id, status: 'completed', completions: 1, webhooks: 1 })),
  );
});

test('a receipt that an earlier version settled but did not complete is completed', async () => {
  const { wallet: merchant } = await merchantWithWebhooks();
  const receiptId = await paid(merchant);
  await execute('update settlement_shares set owed = 1, released_at_least = 1, settled_at = 1 where receipt_id = ?', [
    receiptId,
  ]);
  await createSettler(world.deps, null)(await looked());
  expect(await world.status(merchant, receiptId)).toBe('completed');
});

test('a receipt that cannot be written does not prevent the completion of later receipts', async () => {
  const { wallet: merchant } = await merchantWithWebhooks();
  const nameless = await merchantWithWebhooks();
  const [broken, sound] = [await paid(nameless.wallet), await paid(merchant)];
  // Without its merchant, the receipt's webhook cannot be written.
  await execute('delete from merchants where wallet = ?', [nameless.wallet]);
  const settler = createSettler(world.deps, wallet);
  for (let round = 0; round < 3; round++) await settle(settler, looked);
  expect(await world.status(nameless.wallet, broken)).toBe('paid');
  expect(await world.status(merchant, sound)).toBe('completed');
});
