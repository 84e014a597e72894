import { expect, test } from 'vitest';
import { testDatabase } from '../../../../test/support/database.ts';
import { entities } from '../../../app/entities.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { createOrm } from '../../../base/platform/orm.ts';
import { transact } from '../../../base/platform/unit-of-work.ts';
import { moveRefunds, REFUND } from './lifecycle.ts';
import { insertRefund } from './prove.ts';

const SHOP = `0x${'1'.repeat(40)}` as Wallet;

test('a refund moves between two states if the lifecycle allows it, and stays unchanged otherwise', async () => {
  const orm = await createOrm(await testDatabase(), entities);
  const refund = { usdCents: 5, provenCents: 0, buyer: SHOP, items: [], transactionHash: null };
  const row = { ...refund, reason: null, note: null, actor: 'a', now: 1 };
  await transact(orm, (uow) => insertRefund(uow, { merchant: SHOP, id: 'R-1' }, row));
  for (const from of REFUND.statuses) {
    for (const to of REFUND.statuses) {
      const moved = await transact(orm, async ({ db }) => {
        await db.updateTable('Refund').set({ state: from, refundedAt: 1 }).execute();
        await moveRefunds(db, to, 2).execute();
        return db.selectFrom('Refund').select(['state', 'refundedAt']).executeTakeFirstOrThrow();
      });
      const may = REFUND.mayMove(from, to);
      expect([from, to, moved]).toEqual([from, to, { state: may ? to : from, refundedAt: may ? 2 : 1 }]);
    }
  }
  await orm.close();
});
