import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { openRelay } from '../../../../test/support/relay.ts';
import { createChain } from '../../../base/chain/client.ts';
import { listenForAlarms } from '../../../base/platform/test/alarms.ts';
import { quoted } from '../test/quoted.ts';
import { openWorld, type World } from '../test/world.ts';
import { watchAddresses } from '../transfers/watched.ts';
import { scan } from './scan.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

async function withSecond(log = world.deps.log) {
  const second = await openRelay(world.rpcUrl);
  const chain = createChain({
    ...world.chain,
    rpcUrl: world.rpcUrl,
    rpcFallbackUrls: [second.url],
    crossCheckUsd: 1_000,
  });
  const base = { ...world.deps, chain, log };
  const deps = { ...base, watched: watchAddresses(base) };
  return { second, look: () => scan(deps) };
}

test('a payment above CROSS_CHECK_USD is paid only once a second endpoint confirms it; a smaller one does not wait', async () => {
  const { second, look } = await withSecond();
  await second.cut();
  const [large, small] = [await quoted(world, 100_001), await quoted(world, 99_000)];
  await world.pay(large.quote);
  await world.pay(small.quote);
  await world.mine(3);
  await look();
  await look();
  expect(await world.status(large.merchant, large.receiptId)).toBe('tx_mined');
  expect(await world.status(small.merchant, small.receiptId)).toBe('paid');

  await second.mend();
  await vi.waitFor(
    async () => {
      await look();
      expect(await world.status(large.merchant, large.receiptId)).toBe('paid');
    },
    { timeout: 60_000, interval: 200 },
  );
});

test('a large payment that waits ten minutes for a second endpoint raises one alarm', async () => {
  const { log, alarms } = listenForAlarms();
  const { second, look } = await withSecond(log);
  await second.cut();
  const large = await quoted(world, 100_001);
  await world.pay(large.quote);
  await world.mine(3);
  await look();
  await look();
  expect(alarms).not.toContain('cross_check_missing');
  const now = performance.now.bind(performance);
  for (const minutes of [11, 22]) {
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + minutes * 60_000);
    onTestFinished(() => clock.mockRestore());
    await look();
    expect(alarms.filter((alarm) => alarm === 'cross_check_missing')).toHaveLength(1);
  }
  expect(await world.status(large.merchant, large.receiptId)).toBe('tx_mined');
});
