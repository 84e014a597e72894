import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase } from '../../../../test/support/database.ts';
import { entities } from '../../../app/entities.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { createOrm, type Orm } from '../../../base/platform/orm.ts';
import { transact } from '../../../base/platform/unit-of-work.ts';
import { BillingEventSchema, ChargeSchema } from './charge.entity.ts';
import { CHARGE, type ChargeStatus } from './lifecycle.ts';
import { moveCharges, sendCharges } from './move-charges.ts';

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

const hash = (digit: string) => `0x${digit.repeat(64)}` as const;

const newCharge = (id: string, nonce: number, digit: string) => ({
  ...{ merchant: MERCHANT, id, subscriptionId: `of_${id}`, periodStart: 100, periodEnd: 200, split: MERCHANT },
  ...{ token: 'USDC', amount: '10000000', amountCents: 1000, feeCents: 5, receiptId: `R-${id}` },
  ...{ nonce, transactionHash: hash(digit) },
});

/** Moves a charge to a status. A charge is sent with the nonce 2; outcomes are those of the nonce 1. */
function move(id: string, to: ChargeStatus): Promise<unknown> {
  return transact<unknown>(orm, (uow) => {
    if (to === 'sent') return sendCharges(uow, [newCharge(id, 2, 'b')], NOW_MS);
    const failure = to === 'failed' ? ('PORTAL_CHAIN_TX_REVERTED' as const) : null;
    const outcome = { chargeId: id, nonce: 1, minedHash: hash('c'), atMs: 8_000, failure };
    return moveCharges(uow, to, [outcome], NOW_MS);
  });
}

let count = 0;
/** A new charge with the nonce 1 that has come to this status by allowed moves. */
async function chargeThatIs(status: ChargeStatus): Promise<string> {
  const id = `charge_${++count}`;
  await transact(orm, (uow) => sendCharges(uow, [newCharge(id, 1, 'a')], 1));
  if (status !== 'sent') await move(id, status);
  return id;
}

const read = (id: string) => orm.em.fork().findOneOrFail(ChargeSchema, { merchant: MERCHANT, id });
const billed = (chargeId: string) => orm.em.fork().count(BillingEventSchema, { merchant: MERCHANT, chargeId });

const pairs = CHARGE.statuses.flatMap((from) => CHARGE.statuses.map((to) => [from, to] as const));

test.each(pairs)('a charge that is %s moves to %s if the table allows it; else nothing changes', async (from, to) => {
  const id = await chargeThatIs(from);
  const before = await read(id);
  await move(id, to);
  const after = await read(id);
  if (CHARGE.mayMove(from, to)) expect(after).toMatchObject({ status: to, updatedAt: NOW_MS });
  else expect(after).toEqual(before);
  expect(await billed(id), 'exactly the successful charges are billed').toBe(after.status === 'succeeded' ? 1 : 0);
});

test('a charge is sent again with another transaction, and without the failure of the one before', async () => {
  const id = await chargeThatIs('failed');
  expect(await read(id)).toMatchObject({ failure: 'PORTAL_CHAIN_TX_REVERTED', blockTimeMs: 8_000 });
  await move(id, 'sent');
  const again = { attempt: 2, nonce: 2, transactionHash: hash('b'), failure: null, blockTimeMs: null, createdAt: 1 };
  expect(await read(id)).toMatchObject(again);
  expect(await move(id, 'succeeded'), 'an outcome of an earlier transaction').toEqual([]);
});

test('a move returns the charge with its status before', async () => {
  const id = await chargeThatIs('succeeded');
  expect(await move(id, 'failed')).toMatchObject([
    { chargeId: id, previousStatus: 'succeeded', receiptId: `R-${id}`, transactionHash: hash('c'), at: 8_000 },
  ]);
});
