import { spawn } from 'node:child_process';
import { join } from 'node:path';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { busyMs } from '../../../../test/support/busy.ts';
import { openReceiver, openScene } from '../test/scene.ts';
import { startWebhookWorker } from './worker.ts';

// Contract: webhooks.same-delivery
test('an attempt interrupted by a crash does not count: another worker delivers the same id and bytes', async () => {
  const scene = await openScene();
  const receiver = await openReceiver((_, response, count) => {
    if (count > 1) response.writeHead(204).end();
  });
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      join(import.meta.dirname, '../test/worker-process.ts'),
      scene.databaseUrl,
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  await scene.announce({ webhookUrl: receiver.url });
  await receiver.until(1);
  child.kill('SIGKILL');

  const worker = startWebhookWorker(scene.deps);
  onTestFinished(() => worker.stop());
  const [delivery] = await scene.until(([first]) => first?.state === 'delivered');
  const [first, second] = receiver.received;
  expect(second!.body).toBe(first!.body);
  expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
  expect(delivery!.attempts).toMatchObject([{ number: 1, statusCode: 204 }]);
  expect(second!.at - first!.at).toBeLessThan(busyMs(20_000));
}, 240_000);

test('deliveries enqueued while no worker runs are sent once one starts', async () => {
  const scene = await openScene();
  const receiver = await openReceiver();
  for (let i = 0; i < 5; i++) await scene.announce({ webhookUrl: `${receiver.url}/${i}` });
  expect(receiver.received).toEqual([]);
  const worker = startWebhookWorker(scene.deps);
  onTestFinished(() => worker.stop());
  await receiver.until(5);
});

test('with two workers every event arrives once', async () => {
  const scene = await openScene();
  const receiver = await openReceiver();
  const workers = [startWebhookWorker(scene.deps), startWebhookWorker(scene.deps)];
  onTestFinished(async () => void (await Promise.all(workers.map((worker) => worker.stop()))));
  await Promise.all(Array.from({ length: 100 }, (_, i) => scene.announce({ webhookUrl: `${receiver.url}/${i % 7}` })));
  await scene.until((deliveries) => deliveries.filter(({ state }) => state === 'delivered').length === 100);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(100);
  expect(receiver.received.length).toBe(100);
});

test('a worker continues after all its database connections are cut', async () => {
  const scene = await openScene();
  const receiver = await openReceiver((_, response) => void setTimeout(() => response.writeHead(204).end(), 300));
  const worker = startWebhookWorker(scene.deps);
  onTestFinished(() => worker.stop());
  await scene.announce({ webhookUrl: `${receiver.url}/before` });
  await receiver.until(1);
  const admin = new pg.Client({ connectionString: inject('databaseUrl') });
  await admin.connect();
  await admin.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
    [new URL(scene.databaseUrl).pathname.slice(1)],
  );
  await admin.end();
  await expect
    .poll(() =>
      scene.announce({ webhookUrl: `${receiver.url}/after` }).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  await expect
    .poll(
      async () => (await scene.deliveries().catch(() => [])).map(({ state, attempts }) => [state, attempts.length]),
      {
        timeout: 60_000,
      },
    )
    .toEqual([
      ['delivered', 1],
      ['delivered', 1],
    ]);
});

test('a stop waits for running attempts and records them', async () => {
  const scene = await openScene();
  const receiver = await openReceiver((_, response) => void setTimeout(() => response.writeHead(204).end(), 500));
  const worker = startWebhookWorker(scene.deps);
  await scene.announce({ webhookUrl: receiver.url });
  await receiver.until(1);
  await worker.stop();
  expect(await scene.deliveries()).toMatchObject([{ state: 'delivered', attempts: [{ number: 1, statusCode: 204 }] }]);
});
