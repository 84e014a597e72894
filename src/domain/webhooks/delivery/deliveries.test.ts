import { expect, onTestFinished, test } from 'vitest';
import type { Place } from '../../../base/core/cursor.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { rowsOf } from '../../../base/platform/test/rows.ts';
import { MERCHANT, openReceiver, openScene } from '../test/scene.ts';
import { listDeliveries, readDelivery, redeliver } from './deliveries.ts';
import type { DeliveryState } from './state.ts';
import { startWebhookWorker } from './worker.ts';

test('a list of any length shows the newest first with their attempts, in two statements', async () => {
  const scene = await openScene();
  const receiver = await openReceiver();
  const worker = startWebhookWorker(scene.deps);
  onTestFinished(() => worker.stop());
  for (let i = 0; i < 12; i++) {
    await scene.announce({ webhookUrl: receiver.url, receiptId: `R-${i % 2}`, at: 1_750_000_000_000 + i });
  }
  await scene.until((deliveries) => deliveries.filter(({ state }) => state === 'delivered').length === 12);

  let statements = 0;
  const run: typeof scene.deps.db.run = (...args) => {
    statements += 1;
    return scene.deps.db.run(...args);
  };
  const counting = { db: { ...scene.deps.db, run } };
  const ten = await rowsOf(listDeliveries(counting.db, MERCHANT), { limit: 10 });
  expect(statements).toBe(2);
  expect(ten.map(({ seq }) => seq)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
  expect(ten.every(({ attempts }) => attempts.length === 1)).toBe(true);
  expect((await rowsOf(listDeliveries(scene.deps.db, MERCHANT, { receiptId: 'R-1' }))).map(({ seq }) => seq)).toEqual([
    12, 10, 8, 6, 4, 2,
  ]);
});

test('pages have no gaps or repeats, even for equal timestamps, and can be filtered by state', async () => {
  const scene = await openScene();
  for (let i = 0; i < 7; i++) {
    await scene.announce({ webhookUrl: 'http://127.0.0.1:9/', receiptId: `R-${i % 3}`, at: 1_750_000_000_000 });
  }
  const list = listDeliveries(scene.deps.db, MERCHANT);
  const whole = await rowsOf(list);
  const paged = [];
  for (let after: Place | null = null; ; ) {
    const page: Awaited<ReturnType<typeof list.read>> = await list.read({ limit: 3, after });
    if (page.length === 0) break;
    paged.push(...page.map(({ row }) => row));
    after = page.at(-1)!.place;
  }
  expect(paged).toEqual(whole);
  expect(whole).toHaveLength(7);
  const ofReceipt = listDeliveries(scene.deps.db, MERCHANT, { receiptId: 'R-0' });
  const [, second] = await ofReceipt.read({ limit: 2 });
  expect((await rowsOf(ofReceipt, { limit: 9, after: second!.place })).map(({ seq }) => seq)).toEqual([1]);
  const inState = (state: DeliveryState, receiptId?: string) =>
    rowsOf(listDeliveries(scene.deps.db, MERCHANT, { state, receiptId: receiptId ?? null }));
  expect(await inState('pending')).toEqual(whole);
  expect(await inState('failed')).toEqual([]);
  expect(await inState('pending', 'R-0')).toHaveLength(3);
  expect(await inState('failed', 'R-0')).toEqual([]);
});

test('a merchant sees and resends only its own deliveries', async () => {
  const scene = await openScene();
  await scene.announce({ webhookUrl: 'http://127.0.0.1:9/' });
  const [own] = await scene.deliveries();
  const other = `0x${'99'.repeat(20)}` as Wallet;
  expect(await rowsOf(listDeliveries(scene.deps.db, other))).toEqual([]);
  await expect(redeliver(scene.deps, other, own!.id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(readDelivery(scene.deps.db, other, own!.id)).rejects.toMatchObject({ code: 'not_found' });
  expect(await readDelivery(scene.deps.db, MERCHANT, own!.id)).toEqual(own);
  expect(await redeliver(scene.deps, null, own!.id)).toMatchObject({ id: own!.id });
});
