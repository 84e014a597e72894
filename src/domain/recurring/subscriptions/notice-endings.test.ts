import { afterAll, beforeAll, expect, test } from 'vitest';
import { createChain } from '../../../base/chain/client.ts';
import { createSender } from '../../../base/chain/sender.ts';
import { revokeAsAccountTransaction } from '../../../base/chain/spend-permissions.ts';
import { openNode } from '../../../base/chain/test/node.ts';
import { readRevocationsBlock } from '../../../base/onchain/spender/revocations-block.ts';
import { type ChargingWorld, type Customer, openChargingWorld } from '../charges/test/charging.ts';
import { noticeRevocations } from './notice-endings.ts';

const READING = { rangeBlocks: 5, rangesPerCall: 2 };
/** More blocks than the first call looks back, and more than one call reads. */
const DOWN_BLOCKS = 30;

let it: ChargingWorld;
beforeAll(async () => {
  it = await openChargingWorld();
});
afterAll(() => it?.stop());

async function revoke({ privateKey, permission }: Customer): Promise<void> {
  const sender = createSender(it.world.chain, privateKey);
  await sender.waitFor((await sender.send(revokeAsAccountTransaction(it.key.manager, permission))).hash!);
}

/** Calls until all blocks are read; returns the number of calls. */
async function noticeAll(): Promise<number> {
  for (let calls = 1; ; calls++) {
    await noticeRevocations(it.deps, it.key, READING);
    const head = Number(await it.world.chain.client.getBlockNumber({ cacheTime: 0 }));
    if ((await readRevocationsBlock(it.deps, it.key.sender)) === head) return calls;
    if (calls === 10) throw new Error('the blocks are not read');
  }
}

test('a revocation is noticed however long the server was down since the last check', async () => {
  const merchant = await it.merchant();
  const [early, late, kept] = [
    await it.subscribe({ merchant }),
    await it.subscribe({ merchant }),
    await it.subscribe({ merchant }),
  ];
  await noticeAll();
  await revoke(early);
  await it.world.mine(DOWN_BLOCKS);
  await revoke(late);
  expect(await noticeAll()).toBeGreaterThan(1);
  for (const { id } of [early, late])
    expect(await it.read(id)).toMatchObject({ status: 'cancelled', revokedAt: expect.any(Number) });
  expect(await it.read(kept.id)).toMatchObject({ status: 'active', revokedAt: null });
  expect(await it.rows(`select kind, count(*)::int from subscription_events group by kind`)).toEqual([
    { kind: 'revoked', count: 2 },
  ]);
});

test('a revocation is noticed on a node that answers for a few blocks at a time only', async () => {
  const customer = await it.subscribe({ merchant: await it.merchant() });
  await noticeAll();
  await it.world.mine(DOWN_BLOCKS);
  await revoke(customer);
  const refusal = { error: { code: -32_602, message: 'block range too large' } };
  const rpcUrl = await openNode(it.world.rpcUrl, async ({ method, params }) => {
    const [from, to] = [params?.[0]?.fromBlock, params?.[0]?.toBlock].map(Number);
    return method === 'eth_getLogs' && to! - from! >= READING.rangeBlocks ? refusal : null;
  });
  const deps = { ...it.deps, chain: createChain({ ...it.world.chain, rpcUrl }) };
  for (let calls = 0; calls < 2; calls++) await noticeRevocations(deps, it.key);
  expect(await it.read(customer.id)).toMatchObject({ status: 'cancelled', revokedAt: expect.any(Number) });
});
