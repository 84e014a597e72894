import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase } from '../../../../test/support/database.ts';
import { entities } from '../../../app/entities.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Bus } from '../../../base/platform/bus.ts';
import type { Settings } from '../../../base/platform/deps.ts';
import { createOrm, type Orm } from '../../../base/platform/orm.ts';
import { transact } from '../../../base/platform/unit-of-work.ts';
import { bookReceipts } from './book.ts';
import { HistoryRowSchema } from './history.entity.ts';
import { RECEIPT, type ReceiptStatus } from './lifecycle.ts';
import { ReceiptSchema } from './receipt.entity.ts';
import { lockReceiptOrRefuse, recordChange } from './record-change.ts';

const MERCHANT = `0x${'1'.repeat(40)}` as Wallet;
const NOW_MS = 9_000;

let orm: Orm;
let drop: () => Promise<void>;
beforeAll(async () => {
  const database = await createDatabase();
  drop = database.drop;
  orm = await createOrm(database.databaseUrl, entities);
});
afterAll(async () => {
  await orm?.close();
  await drop?.();
});

const signals: string[] = [];
const bus = { publish: (channel: string) => void signals.push(channel) } as unknown as Bus;
/** The receipts have no webhook, so nothing is enqueued. */
const deps = { bus, clock: () => NOW_MS, settings: { mail: null } as Settings };

/** Moves a receipt, and returns the status of the new row of its history. */
const move = (id: string, to: ReceiptStatus): Promise<ReceiptStatus> =>
  transact(orm, async (uow) => {
    const receipt = await lockReceiptOrRefuse(uow, MERCHANT, id);
    await recordChange(deps, uow, receipt, { kind: 'status', to }, { actor: 'test' });
    const { merchant, seq } = receipt;
    const row = await uow.db
      .selectFrom('HistoryRow')
      .select('status')
      .where((eb) => eb.and({ merchant, receiptId: id, seq }))
      .executeTakeFirstOrThrow();
    return row.status;
  });

let count = 0;
/** A receipt that has this status. */
async function receiptThatIs(status: ReceiptStatus): Promise<string> {
  const id = `receipt_${++count}`;
  await transact(orm, (uow) =>
    bookReceipts(uow, [
      {
        ...{ merchant: MERCHANT, id, origin: 'order', status: 'generated', totalCents: 100, currency: 'USD' },
        ...{ lineItems: [{ label: 'Tea', priceCents: 100 }], jurisdictionCode: null, taxRate: null },
        ...{ taxComponents: null, pricing: null, brandName: 'Shop', options: {}, keyId: null, contentDigest: null },
        ...{ expiresAt: null, lifetimeMs: null, chainId: 1, createdBlock: 1, actor: 'test', at: 1 },
      },
    ]),
  );
  await orm.em.fork().nativeUpdate(ReceiptSchema, { merchant: MERCHANT, id }, { status });
  return id;
}

const read = async (id: string) => {
  const em = orm.em.fork();
  const receipt = await em.findOneOrFail(ReceiptSchema, { merchant: MERCHANT, id });
  return { receipt, history: await em.find(HistoryRowSchema, { receiptId: id }, { orderBy: { seq: 'asc' } }) };
};

const pairs = RECEIPT.statuses.flatMap((from) => RECEIPT.statuses.map((to) => [from, to] as const));

test.each(pairs)('a receipt that is %s moves to %s if the table allows it; else nothing changes', async (from, to) => {
  const id = await receiptThatIs(from);
  const before = await read(id);
  signals.length = 0;
  if (!RECEIPT.mayMove(from, to)) {
    await expect(move(id, to)).rejects.toThrow(`A receipt cannot move from ${from} to ${to}`);
    expect(await read(id)).toEqual(before);
    expect(signals).toEqual([]);
    return;
  }
  expect(await move(id, to)).toBe(to);
  const { receipt, history } = await read(id);
  expect(receipt).toMatchObject({ status: to, seq: 2, updatedAt: NOW_MS });
  expect(history).toMatchObject([{ seq: 1 }, { seq: 2, kind: 'status', previousStatus: from, status: to }]);
  expect(signals).toEqual([`receipt:${MERCHANT}:${id}`, `receipts:${MERCHANT}`]);
});
