import { generatePrivateKey } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toAddress } from '../../../base/chain/address.ts';
import { openSpenderKey } from '../../../base/onchain/spender/spender-key.ts';
import { readGasWallets } from '../../operations/operators/progress.ts';
import { planRotation } from '../../operations/operators/rotation.ts';
import { chargeDueSubscriptions } from './charge-batch.ts';
import { chargeSubscription } from './run-charges.ts';
import { type ChargingWorld, openChargingWorld } from './test/charging.ts';
import { revokeAsSpender, startChargeWorker } from './worker.ts';

let it: ChargingWorld;
beforeAll(async () => {
  it = await openChargingWorld();
});
afterAll(() => it?.stop());

/** The same server after a change of its key, with and without the replaced one, and the contract of the new key. */
async function rotate() {
  const { settings } = it.deps;
  const spenderPrivateKey = generatePrivateKey();
  const only = { ...it.deps, settings: { ...settings, spenderPrivateKey } };
  const both = {
    ...it.deps,
    settings: { ...settings, spenderPrivateKey, previousSpenderKeys: [settings.spenderPrivateKey!] },
  };
  const key = openSpenderKey(both);
  await it.world.control.setBalance({ address: toAddress(key.sender), value: 10n ** 20n });
  return { only, both, spender: key.charger.address };
}

test('after a change of the key, the replaced one charges the permissions that name it, and the new one the others', async () => {
  const merchant = await it.merchant();
  const { only, both, spender } = await rotate();
  expect(spender).not.toBe(it.key.charger.address);
  const before = await it.subscribe({ merchant, contract: true });
  const after = await it.subscribe({ merchant, contract: true, permission: { spender } });

  const [kept, dropped] = await Promise.all([planRotation(both), planRotation(only)]);
  expect(kept.spender).toBe(spender);
  expect(dropped.lost).toBeGreaterThan(kept.lost);
  await expect(chargeSubscription(only, before.id)).rejects.toMatchObject({
    code: 'charge_failed',
    extra: { reason: 'permission_not_usable' },
  });
  expect(await it.read(before.id)).toMatchObject({ status: 'active', attempts: 0 });

  const { results } = await chargeDueSubscriptions(both);
  for (const { id } of [before, after])
    expect(results).toContainEqual(expect.objectContaining({ subscriptionId: id, success: true }));
  expect(await it.balanceOf(merchant.split)).toBe(20_000_000n);
  const senders = await it.rows<{ sender: string }>(
    `select distinct t.sender from spender_transactions t join charges c on c.id = t.subject_id
      where c.subscription_id = any($1)`,
    [[before.id, after.id]],
  );
  expect(senders.map(({ sender }) => sender).sort()).toEqual([it.key.sender, openSpenderKey(both).sender].sort());
});

test('the replaced key revokes a permission that names it', async () => {
  const merchant = await it.merchant();
  const { both } = await rotate();
  const { id } = await it.subscribe({ merchant, contract: true });
  const job = { merchant: merchant.wallet, subscriptionId: id };
  await expect.poll(() => revokeAsSpender(both, job)).toBe(true);
  expect((await it.read(id)).revokedAt).toEqual(expect.any(Number));
});

test('a server that knows only the address of the key charges nothing, and shows the gas of its wallet', async () => {
  const merchant = await it.merchant();
  const { id } = await it.subscribe({ merchant, contract: true });
  const address = it.key.sender;
  const settings = { ...it.deps.settings, spenderPrivateKey: null, spenderAddress: address };
  const keyless = { ...it.deps, settings };
  await expect(chargeDueSubscriptions(keyless)).rejects.toMatchObject({ code: 'spender_not_configured' });
  await expect(chargeSubscription(keyless, id)).rejects.toMatchObject({ code: 'spender_not_configured' });
  expect(await it.read(id)).toMatchObject({ status: 'active', attempts: 0 });
  expect(await readGasWallets(keyless)).toContainEqual(expect.objectContaining({ role: 'spender', address }));
  const worker = await startChargeWorker(keyless);
  await worker.stop();
  const { results } = await chargeDueSubscriptions(it.deps);
  expect(results).toContainEqual(expect.objectContaining({ subscriptionId: id, success: true }));
});
