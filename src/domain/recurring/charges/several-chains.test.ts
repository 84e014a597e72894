import { afterAll, beforeAll, expect, test } from 'vitest';
import { isRevoked } from '../../../base/chain/spend-permissions.ts';
import { LOCAL_CHAIN_ID, SLOW_CHAIN_ID } from '../../../base/core/local-chains.ts';
import { SplitSchema } from '../../shop/splits/split.entity.ts';
import { bookSubscriptions, signPermission } from '../subscriptions/test/permits.ts';
import { chargeDueSubscriptions } from './charge-batch.ts';
import { chargeSubscription } from './run-charges.ts';
import { type ChargingWorld, openChargingWorlds } from './test/charging.ts';
import { revokeAsSpender } from './worker.ts';

let first: ChargingWorld;
let second: ChargingWorld;
beforeAll(async () => {
  ({ first, second } = await openChargingWorlds());
});
afterAll(async () => {
  await second?.stop();
  await first?.stop();
});

/** A merchant whose split has the same address on both chains. */
async function merchantOnBoth() {
  const merchant = await first.merchant();
  const em = first.deps.db.orm.em.fork();
  const split = await em.findOneOrFail(SplitSchema, { merchant: merchant.wallet });
  await em.insert(SplitSchema, { ...split, id: `${split.id}_second`, chainId: SLOW_CHAIN_ID });
  return merchant;
}

const resultOf = ({ results }: Awaited<ReturnType<typeof chargeDueSubscriptions>>, id: string) =>
  results.find(({ subscriptionId }) => subscriptionId === id);

test('one batch charges what is due on each chain, there and only there', async () => {
  const merchant = await merchantOnBoth();
  const [here, there] = [await first.subscribe({ merchant }), await second.subscribe({ merchant, contract: true })];
  const report = await chargeDueSubscriptions(first.deps);
  expect(report.failedChains).toEqual([]);
  for (const { id } of [here, there]) expect(resultOf(report, id)).toMatchObject({ success: true, amountUsd: 10 });
  for (const it of [first, second]) expect(await it.balanceOf(merchant.split)).toBe(10_000_000n);
  expect(
    await first.rows(
      `select t.chain_id::int from spender_transactions t join charges c on c.id = t.subject_id
       where t.merchant = $1 and t.purpose = 'charge' order by 1`,
      [merchant.wallet],
    ),
  ).toEqual([{ chain_id: LOCAL_CHAIN_ID }, { chain_id: SLOW_CHAIN_ID }]);
  expect(await chargeDueSubscriptions(first.deps)).toMatchObject({ processed: 0 });
});

test('a single charge goes to the chain of the subscription, whichever chain the caller works on', async () => {
  const merchant = await merchantOnBoth();
  const [here, there] = [await first.subscribe({ merchant }), await second.subscribe({ merchant })];
  expect(await chargeSubscription(first.deps, there.id)).toMatchObject({ success: true });
  expect(await chargeSubscription(second.deps, here.id)).toMatchObject({ success: true });
  for (const it of [first, second]) expect(await it.balanceOf(merchant.split)).toBe(10_000_000n);
});

test('a permission for one chain moves nothing on another, even if the wallet approved charges there', async () => {
  const merchant = await merchantOnBoth();
  const customer = await second.subscribe({ merchant });
  // The domain names the chain, so the contract recovers another signer.
  const permission = { ...customer.permission, salt: '7' };
  const replayed = await signPermission(LOCAL_CHAIN_ID, first.key, customer.account, permission);
  await bookSubscriptions(second.deps, [replayed], { merchant, priceCents: 1000, period: 'WEEKLY' });
  await expect(chargeSubscription(first.deps, replayed.id)).rejects.toMatchObject({
    code: 'charge_failed',
    extra: { reason: 'declined', failureCode: 'PORTAL_CHAIN_WALLET_MISMATCH' },
  });
  for (const it of [first, second]) expect(await it.balanceOf(merchant.split)).toBe(0n);
  expect(await chargeSubscription(first.deps, customer.id)).toMatchObject({ success: true });
});

test('the spender revokes a permission on its chain', async () => {
  const merchant = await merchantOnBoth();
  const { id, permission } = await second.subscribe({ merchant });
  const job = { merchant: merchant.wallet, subscriptionId: id };
  await expect.poll(() => revokeAsSpender(first.deps, job)).toBe(true);
  const revoked = (it: ChargingWorld) => isRevoked(it.world.chain, it.key.manager, permission);
  expect([await revoked(first), await revoked(second)]).toEqual([false, true]);
  expect((await second.read(id)).revokedAt).toEqual(expect.any(Number));
});

test('a chain that is down delays no charge on the other, and the report names it', async () => {
  const merchant = await merchantOnBoth();
  const [here, there] = [await first.subscribe({ merchant }), await second.subscribe({ merchant })];
  await second.stop();
  const report = await chargeDueSubscriptions(first.deps);
  expect(report.failedChains).toEqual([{ chainId: SLOW_CHAIN_ID, reason: 'chain_unavailable' }]);
  expect(resultOf(report, here.id)).toMatchObject({ success: true });
  await expect(chargeSubscription(first.deps, there.id)).rejects.toMatchObject({ code: 'chain_unavailable' });
  expect(await first.read(there.id)).toMatchObject({ status: 'active', attempts: 0, chargeCount: 0 });
  await expect(chargeDueSubscriptions({ ...first.deps, chains: [second.world.chain] })).rejects.toMatchObject({
    code: 'chain_unavailable',
  });
});
