import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openScene } from '../test/scene.ts';
import { DELIVERY, moveDeliveries } from './state.ts';

test('a delivery moves between two states if the lifecycle allows it, and stays unchanged otherwise', async () => {
  const scene = await openScene();
  await scene.announce({ webhookUrl: 'http://127.0.0.1:9/' });
  for (const from of DELIVERY.statuses) {
    for (const to of DELIVERY.statuses) {
      await scene.deps.db.transaction(async ({ db }) => {
        await db.updateTable('Delivery').set({ state: from, finishedAt: 1 }).execute();
        await moveDeliveries(db, to, sql<number>`2`).execute();
      });
      const [delivery] = await scene.deliveries();
      const moved = DELIVERY.mayMove(from, to);
      expect([from, to, delivery!.state, delivery!.finishedAt]).toEqual([from, to, moved ? to : from, moved ? 2 : 1]);
    }
  }
});
