import { expect, onTestFinished, test } from 'vitest';
import { localAccount } from '../../../src/base/chain/local-accounts.ts';
import { planRotation } from '../../../src/domain/operations/operators/rotation.ts';
import { startTestServer } from '../../support/server.ts';
import { runStatement, statement } from '../../support/statement.ts';

const SUBSCRIPTION = statement(
  'test-permission-of',
  `insert into subscriptions (merchant, id, plan_id, customer, price_cents, period, chain_id, token, permission,
     permission_hash, sealed_signature, status, created_at, updated_at)
   values ('m', $1, 'p', 'c', 5, 'WEEKLY', 31337, 't', jsonb_build_object('spender', $2::text), $1, '', $3, 1, 1)`,
);

test('the plan of a rotation counts the permissions that the configured key cannot charge, ended ones aside', async () => {
  const { deps, stop } = await startTestServer();
  onTestFinished(stop);
  const { spender, lost, permissions } = await planRotation(deps);
  expect([lost, permissions]).toEqual([0, []]);
  const rows = [
    ['a', spender, 'active'],
    ['b', spender, 'past_due'],
    ['c', spender, 'cancelled'],
  ];
  for (const row of rows) await runStatement(deps.db, SUBSCRIPTION, row);
  const before = await planRotation(deps);
  expect(before).toMatchObject({ lost: 0, permissions: [{ spender, permissions: 2 }], waiting: [] });
  expect(before.wallets.map(({ role }) => role)).toEqual(['settlement', 'spender']);

  const settings = { ...deps.settings, spenderPrivateKey: localAccount('settlement').privateKey };
  const after = await planRotation({ ...deps, settings });
  expect(after).toMatchObject({ lost: 2, permissions: [{ spender, permissions: 2 }] });
  expect(after.spender).not.toBe(spender);
});
