import { expect, test } from 'vitest';
import { MERCHANT, openScene } from '../test/scene.ts';
import { createEndpoint } from './manage.ts';
import { disableEndpoints, ENDPOINT, enableEndpoints } from './state.ts';

test('an endpoint moves between two states if the lifecycle allows it, and stays unchanged otherwise', async () => {
  const { deps } = await openScene();
  await createEndpoint(deps, MERCHANT, { url: 'https://shop.test/', kinds: ['*'], description: '', enabled: true });
  for (const from of ENDPOINT.statuses) {
    for (const to of ENDPOINT.statuses) {
      const after = await deps.db.transaction(async ({ db }) => {
        await db.updateTable('WebhookEndpoint').set({ state: from, updatedAt: 1 }).execute();
        await (to === 'enabled' ? enableEndpoints(db, 2) : disableEndpoints(db, 'failing', 2)).execute();
        return db.selectFrom('WebhookEndpoint').select(['state', 'updatedAt']).executeTakeFirstOrThrow();
      });
      const moved = ENDPOINT.mayMove(from, to);
      expect([from, to, after]).toEqual([from, to, { state: moved ? to : from, updatedAt: moved ? 2 : 1 }]);
    }
  }
});
