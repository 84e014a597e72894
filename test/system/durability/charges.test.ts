import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { toAddress } from '../../../src/base/chain/address.ts';
import { chargeDueSubscriptions } from '../../../src/domain/recurring/charges/charge-batch.ts';
import { type ChargingWorld, openChargingWorld } from '../../../src/domain/recurring/charges/test/charging.ts';
import type { ChargingOrders } from '../../../src/domain/recurring/charges/test/charging-process.ts';
import { until } from '../../support/program.ts';

const WORKER = fileURLToPath(
  new URL('../../../src/domain/recurring/charges/test/charging-process.ts', import.meta.url),
);
// The launcher's cache: half of a worker's start is compiling.
const NODE_COMPILE_CACHE = fileURLToPath(new URL('../../../node_modules/.cache/node', import.meta.url));
const WEEK_S = 7 * 86_400;
// `npm run long -- charges` kills fifty times.
const KILLS = Number(process.env.CHARGE_KILLS ?? 10);

let it: ChargingWorld;
beforeAll(async () => {
  it = await openChargingWorld();
});
afterAll(() => it?.stop());

interface Worker {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly exit: Promise<unknown>;
}

function startWorker(orders: Pick<ChargingOrders, 'calls'> & Partial<ChargingOrders>): Worker {
  const CHARGING = JSON.stringify({
    databaseUrl: it.deps.settings.databaseUrl,
    keyEncryptionKey: it.deps.settings.keyEncryptionKey,
    rpcUrl: it.world.rpcUrl,
    manager: it.key.manager,
    chainId: it.world.chain.chainId,
    clockShiftMs: 0,
    ...orders,
  } satisfies ChargingOrders);
  const child = spawn(process.execPath, [WORKER], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: process.env.TMPDIR, NODE_COMPILE_CACHE, CHARGING },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  child.stdout!.setEncoding('utf8').on('data', (more: string) => {
    text += more;
  });
  return { child, output: () => text, exit: once(child, 'close') };
}

async function expectOnceEach(hashes: ReadonlySet<string>, periods: number): Promise<void> {
  const charged = (await it.charged()).filter((charge) => hashes.has(charge.split('/')[0]!));
  expect(new Set(charged).size, 'a period was charged twice').toBe(charged.length);
  expect(charged.length, 'a period was lost').toBe(hashes.size * periods);
}

async function hashesOf(ids: readonly string[]): Promise<Set<string>> {
  const rows = await it.rows<{ hash: string }>('select permission_hash as hash from subscriptions where id = any($1)', [
    ids,
  ]);
  return new Set(rows.map(({ hash }) => hash));
}

test.each([
  ['whose clocks are right', 0, 0],
  ['whose clocks are an hour fast and an hour slow', 3_600_000, -3_600_000],
])(
  'two workers %s, each with 25 calls at once, charge 500 due subscriptions once each',
  async (_, ...shifts) => {
    const merchant = await it.merchant();
    const ids = await it.subscribeMany(500, merchant);
    const workers = shifts.map((clockShiftMs) => startWorker({ calls: 25, clockShiftMs }));
    await until(() => workers.every(({ output }) => output().includes('ready')));
    for (const { child } of workers) child.stdin!.write('go\n');
    await Promise.all(workers.map(({ exit }) => exit));
    const reports = workers.flatMap(
      ({ output }) => JSON.parse(output().split('\n')[1]!) as { processed: number; succeeded: number }[],
    );
    expect(reports).toHaveLength(50);
    expect(reports.reduce((sum, { succeeded }) => sum + succeeded, 0)).toBe(500);
    await expectOnceEach(await hashesOf(ids), 1);
    expect(await it.balanceOf(merchant.split)).toBe(500n * 10_000_000n);
    const [books] = await it.rows<{ charged: number; billed: number; fees: number }>(
      `select (select sum(charge_count)::int from subscriptions where merchant = $1) as charged,
            (select count(*)::int from billing_events where merchant = $1) as billed,
            (select sum(fee_cents)::int from billing_events where merchant = $1) as fees`,
      [merchant.wallet],
    );
    expect(books).toEqual({ charged: 500, billed: 500, fees: 2500 });
  },
  240_000,
);

test(`a worker killed ${KILLS} times between sending and booking loses no period and charges none twice`, async () => {
  // Those of the tests before must not fall due again here.
  await it.rows("update subscriptions set status = 'expired', next_charge_at = null");
  const merchant = await it.merchant();
  const ids = await it.subscribeMany(3, merchant);
  const hashes = await hashesOf(ids);
  const { chain, control } = it.world;
  const address = toAddress(it.key.sender);
  // Started in advance, so that the test does not wait for processes to start.
  const waiting = [startWorker({ calls: 0 }), startWorker({ calls: 0 })];
  for (let round = 1; round <= KILLS; round++) {
    await control.setAutomine(false);
    const before = await chain.client.getTransactionCount({ address, blockTag: 'latest' });
    const worker = waiting.shift()!;
    worker.child.stdin!.write('go\n');
    waiting.push(startWorker({ calls: 0 }));
    // Sent, so that the chain may take it, and in no block yet, so that nothing of it can be booked.
    await until(async () => (await chain.client.getTransactionCount({ address, blockTag: 'pending' })) > before);
    worker.child.kill('SIGKILL');
    await worker.exit;
    await control.setAutomine(true);
    await control.mine({ blocks: 1 });
    // The next process continues where this one was killed.
    await until(async () => {
      await chargeDueSubscriptions(it.deps);
      const [open] = await it.rows<{ due: number }>(
        'select count(*)::int as due from subscriptions where merchant = $1 and charge_count < $2',
        [merchant.wallet, round],
      );
      return open!.due === 0;
    });
    await expectOnceEach(hashes, round);
    await it.pass(WEEK_S);
  }
  expect(await it.balanceOf(merchant.split)).toBe(BigInt(KILLS * 3) * 10_000_000n);
}, 600_000);
