import { expect, onTestFinished, test } from 'vitest';
import { runStatement } from '../../../../test/support/statement.ts';
import type { Settings } from '../../../base/platform/deps.ts';
import { listenForAlarms } from '../../../base/platform/test/alarms.ts';
import { SECRET } from '../test/deps.ts';
import { MERCHANT, openReceiver, openScene } from '../test/scene.ts';
import { createAlarms } from './endpoint-health.ts';
import { replayAll } from './replay.ts';
import { startWebhookWorker } from './worker.ts';

test('a webhook whose key cannot be decrypted waits with its reason, and is sent once the key is correct', async () => {
  const scene = await openScene({ keyEncryptionKey: 'another' });
  const receiver = await openReceiver();
  const { log, alarms } = listenForAlarms();
  const astray = startWebhookWorker({ ...scene.deps, log });
  await scene.announce({ webhookUrl: receiver.url, at: Date.now() });
  const [waiting] = await scene.until(([first]) => first?.attempts.length === 1);
  expect(waiting).toMatchObject({
    state: 'pending',
    attempts: [{ error: expect.stringMatching(/KEY_ENCRYPTION_KEY is not the one/), statusCode: null }],
  });
  const job = async () => (await scene.jobs())[0]!;
  const put = await job();
  expect(put).toMatchObject({ attempt: 1, claims: 1 });
  expect(put.waitsMs).toBeGreaterThan(30_000);
  const due = () => runStatement(scene.deps.db, { name: 'test-due', text: 'update webhook_jobs set due_at = 0' }, []);
  // The next attempt is postponed again, and not recorded twice.
  await due();
  await expect.poll(async () => (await job()).waitsMs).toBeGreaterThan(30_000);
  expect((await scene.deliveries())[0]!.attempts).toHaveLength(1);
  expect(alarms).toEqual(['webhook_key_unusable']);
  await astray.stop();

  const settings = { ...scene.deps.settings, keyEncryptionKey: SECRET } as Settings;
  const { databaseUrl } = scene;
  const { openDeps } = await import('../test/deps.ts');
  const fresh = await openDeps(databaseUrl, settings);
  const worker = startWebhookWorker(fresh);
  onTestFinished(async () => {
    await worker.stop();
    await fresh.close();
  });
  await due();
  await receiver.until(1);
  const [sent] = await scene.until(([first]) => first?.state === 'delivered');
  expect(sent!.attempts).toMatchObject([{ error: expect.any(String) }, { statusCode: 204, error: null }]);
});

test('replaying since a time enqueues all deliveries that have failed since then, and no others', async () => {
  const scene = await openScene();
  const receiver = await openReceiver();
  const now = Date.now();
  for (let i = 0; i < 4; i++) await scene.announce({ webhookUrl: receiver.url, at: now + i });
  await runStatement(scene.deps.db, { name: 'test-clear', text: 'delete from webhook_jobs' }, []);
  await runStatement(
    scene.deps.db,
    { name: 'test-fail', text: `update webhook_deliveries set state = 'failed', finished_at = 1 where seq <> 3` },
    [],
  );
  const failed = { since: now + 1, kind: null, failedOnly: true };
  expect(await replayAll(scene.deps, { ...failed, kind: 'refund.*' }, null)).toBe(0);
  expect(await replayAll(scene.deps, failed, null)).toBe(2);
  const worker = startWebhookWorker(scene.deps);
  onTestFinished(() => worker.stop());
  const deliveries = await scene.until((list) => list.filter(({ state }) => state === 'delivered').length === 2);
  expect(deliveries.map(({ seq, state }) => [seq, state])).toEqual([
    [4, 'delivered'],
    [3, 'pending'],
    [2, 'delivered'],
    [1, 'failed'],
  ]);
  expect(await replayAll(scene.deps, failed, null)).toBe(0);
});

test('an endpoint that fails for an hour raises one alarm an hour, until it accepts a webhook', () => {
  let now = 0;
  const { log, alarms } = listenForAlarms();
  const watch = createAlarms(log, () => now);
  const delivery = { id: 'd', merchant: MERCHANT, url: 'https://shop.example/hook' } as never;
  const attempts = (minutes: number, ok: boolean) => {
    for (let i = 0; i < minutes; i++, now += 60_000) watch.attempted('e', delivery, ok);
  };
  attempts(60, false);
  expect(alarms).toEqual([]);
  attempts(90, false);
  expect(alarms).toEqual(['webhook_endpoint_failing', 'webhook_endpoint_failing']);
  attempts(1, true);
  attempts(59, false);
  expect(alarms).toHaveLength(2);
});
