import { expect, test } from 'vitest';
import { testDatabase } from '../../../../test/support/database.ts';
import { entities } from '../../../app/entities.ts';
import type { Wallet } from '../../core/wallet.ts';
import { createOrm } from '../../platform/orm.ts';
import { transact } from '../../platform/unit-of-work.ts';
import { TRANSACTION } from './lifecycle.ts';
import { moveTransactions, reopenTransactions } from './record-outcomes.ts';
import { SpenderTransactionSchema } from './spender-transaction.entity.ts';

const sender = `0x${'5'.repeat(40)}` as Wallet;
const chain = { chainId: 31_337 };
const pairs = TRANSACTION.statuses.flatMap((from) => TRANSACTION.statuses.map((to) => ({ from, to })));

test('every transaction moves as its lifecycle allows, and no other move changes it', async () => {
  const orm = await createOrm(await testDatabase(), entities);
  await orm.em.fork().insertMany(
    SpenderTransactionSchema,
    pairs.map(({ from }, nonce) => ({
      ...chain,
      sender,
      nonce,
      state: from,
      purpose: 'charge' as const,
      merchant: '' as const,
      subjectId: `charge_${nonce}`,
      createdAt: 1,
      updatedAt: 1,
    })),
  );
  const landed = pairs.map(({ to }, nonce) => ({ nonce, state: to, outcome: null, minedHash: null, minedBlock: 7 }));
  await transact(orm, (uow) => moveTransactions({ chain, clock: () => 2 } as never, uow, sender, landed));
  const rows = await orm.em.fork().findAll(SpenderTransactionSchema, { orderBy: { nonce: 'asc' } });
  expect(rows.map(({ state, minedBlock }) => ({ state, moved: minedBlock === 7 }))).toEqual(
    pairs.map(({ from, to }) => {
      const moved = TRANSACTION.mayMove(from, to);
      return { state: moved ? to : from, moved };
    }),
  );

  const subjectIds = rows.map(({ subjectId }) => subjectId);
  await transact(orm, (uow) => reopenTransactions({ chain } as never, uow, { sender, purpose: 'charge', subjectIds }));
  const reopened = await orm.em.fork().findAll(SpenderTransactionSchema, { orderBy: { nonce: 'asc' } });
  expect(reopened.map(({ state }) => state)).toEqual(rows.map(({ state }) => (state === 'final' ? 'open' : state)));
  await orm.close();
});
