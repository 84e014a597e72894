import { expect, test } from 'vitest';
import { testDatabase } from '../../../../test/support/database.ts';
import { entities } from '../../../app/entities.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { createOrm } from '../../../base/platform/orm.ts';
import { jsonb } from '../../../base/platform/postgres/query.ts';
import { transact } from '../../../base/platform/unit-of-work.ts';
import { CARD_SESSION, CHARGED, isOpen, OPEN } from './lifecycle.ts';
import { OnrampSessionSchema } from './session.entity.ts';
import { lockSession, moveSession } from './sessions.ts';

const SHOP = `0x${'1'.repeat(40)}` as Wallet;

const SESSION = {
  merchant: SHOP,
  id: 'onr_1',
  receiptId: 'R-1',
  provider: 'sandbox',
  providerSessionId: 'cos_1',
  status: 'initialized',
  chainId: 31337,
  token: 'USDC',
  payTo: SHOP,
  amount: '5',
  sourceAmountCents: 1,
  url: '/',
  eventIds: [],
  createdAt: 1,
  updatedAt: 1,
  expiresAt: 1,
} as const;

test('a card session moves between two statuses if the lifecycle allows it, and stays unchanged otherwise', async () => {
  const orm = await createOrm(await testDatabase(), entities);
  await transact(
    orm,
    async ({ db }) =>
      void (await db
        .insertInto('OnrampSession')
        .values({ ...SESSION, eventIds: jsonb([]) })
        .execute()),
  );
  for (const from of CARD_SESSION.statuses) {
    for (const to of CARD_SESSION.statuses) {
      await transact(orm, async (uow) => {
        await uow.db.updateTable('OnrampSession').set({ status: from, updatedAt: 1 }).execute();
        const session = await lockSession(uow, SHOP, 'onr_1');
        await moveSession(uow, session!, to, { updatedAt: 2 });
      });
      const stored = await orm.em.fork().findOneOrFail(OnrampSessionSchema, { id: 'onr_1' });
      const moved = from === to || CARD_SESSION.mayMove(from, to);
      expect([from, to, stored.status, stored.updatedAt]).toEqual([from, to, moved ? to : from, moved ? 2 : 1]);
    }
  }
  await orm.close();
});

test('a charged session is not open and never returns to a status before the charge, except to a failure', () => {
  expect(CARD_SESSION.statuses.filter((status) => isOpen({ status }))).toEqual(OPEN);
  for (const charged of CHARGED) {
    expect(isOpen({ status: charged })).toBe(false);
    for (const to of CARD_SESSION.moves[charged]) expect(['failed', ...CHARGED]).toContain(to);
  }
});
