import { expect, onTestFinished, test } from 'vitest';
import { runStatement, statement } from '../../../../test/support/statement.ts';
import { parseInput } from '../../../base/core/input.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { listenForAlarms } from '../../../base/platform/test/alarms.ts';
import { endpointInput } from '../endpoints/endpoint.input.ts';
import { createEndpoint, updateEndpoint } from '../endpoints/manage.ts';
import { listEndpoints } from '../endpoints/read.ts';
import { raiseEvents } from '../events/events.ts';
import { MERCHANT, openReceiver, openScene } from '../test/scene.ts';
import { dispatchEvents } from './dispatch.ts';
import { replayDeliveries } from './replay.ts';
import { startWebhookWorker, type WorkerOptions } from './worker.ts';

const DAY_MS = 86_400_000;
const ALL = '18446744073709551615';
const EVERY = { kinds: ['*'], description: '', enabled: true };

const JOB = statement(
  'test-waits',
  `select (due_at - extract(epoch from now()) * 1000)::float8 as "waitsMs" from webhook_jobs`,
);
const DUE = statement('test-make-due', 'update webhook_jobs set due_at = 0');

/** A scene whose clock is set by hand, with one endpoint and the worker. */
async function openEndpoint(url: string, options?: WorkerOptions, settings = {}) {
  const scene = await openScene(settings);
  const { log, alarms } = listenForAlarms();
  const time = { now: Date.now() };
  const deps = { ...scene.deps, log, clock: () => time.now };
  const { endpoint } = await createEndpoint(deps, MERCHANT, { ...EVERY, url });
  const worker = startWebhookWorker(deps, options);
  onTestFinished(() => worker.stop());
  return {
    deps,
    scene,
    alarms,
    time,
    endpoint,
    raise: (source: string) =>
      deps.db.transaction(async (uow) => {
        await raiseEvents(uow, [{ merchant: MERCHANT, kind: 'stock.short', at: time.now, source, data: {} }]);
        await dispatchEvents(uow, { merchant: MERCHANT, after: '0', through: ALL });
      }),
    shown: async () => (await listEndpoints(deps.db, MERCHANT))[0]!,
  };
}

test('an event is tried ten times over three days, then an endpoint that fails for five days is disabled until it is enabled', async () => {
  let status = 500;
  const receiver = await openReceiver((_, response) => void response.writeHead(status).end());
  const { deps, scene, alarms, time, endpoint, raise, shown } = await openEndpoint(receiver.url);
  const began = time.now;
  await raise('first');
  const HOUR_S = 3_600;
  for (const [i, delayS] of [5, 300, 1_800, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_S)].entries()) {
    await scene.until(([first]) => first?.attempts.length === i + 1);
    const [waiting] = await runStatement<{ waitsMs: number }>(deps.db, JOB);
    // A busy machine reads the delay late, at most by two minutes.
    expect(waiting!.waitsMs, `after attempt ${i + 1}`).toBeLessThanOrEqual(delayS * 1000);
    expect(waiting!.waitsMs, `after attempt ${i + 1}`).toBeGreaterThan((delayS - 120) * 1000);
    time.now += delayS * 1000;
    await runStatement(deps.db, DUE);
  }
  const [failed] = await scene.until(([first]) => first?.state === 'failed');
  expect(failed!.attempts).toHaveLength(10);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  expect(await shown()).toMatchObject({ state: 'enabled', failingSince: began });

  time.now = began + 5 * DAY_MS;
  await raise('second');
  await expect.poll(async () => (await shown()).state).toBe('disabled');
  expect(await shown()).toMatchObject({ disabledReason: 'failing', disabledAt: time.now, failingSince: began });
  expect(alarms.filter((alarm) => alarm === 'webhook_endpoint_disabled')).toHaveLength(1);
  await runStatement(deps.db, DUE);
  const [second] = await scene.until(([last]) => last?.state === 'failed' && last.attempts.length === 2);
  expect(second!.attempts[1]).toMatchObject({ statusCode: null, error: 'the endpoint is disabled' });
  expect(receiver.received).toHaveLength(11);
  await raise('unseen');

  status = 204;
  await updateEndpoint(deps, MERCHANT, endpoint.id, {
    enabled: true,
    url: undefined,
    kinds: undefined,
    description: undefined,
  });
  expect(await shown()).toMatchObject({ state: 'enabled', disabledReason: null, disabledAt: null, failingSince: null });
  const selection = { since: began, kind: 'stock.*', endpointId: endpoint.id, failedOnly: true };
  expect(await replayDeliveries(deps, MERCHANT, { ...selection, kind: 'receipt.*' })).toMatchObject({ queued: 0 });
  expect(await replayDeliveries(deps, MERCHANT, selection)).toEqual({ queued: 2, nextSince: null });
  await scene.until((all) => all.length === 2 && all.every(({ state }) => state === 'delivered'));
  expect(await replayDeliveries(deps, MERCHANT, selection)).toMatchObject({ queued: 0 });
  expect(await replayDeliveries(deps, MERCHANT, { ...selection, failedOnly: false })).toMatchObject({ queued: 2 });
  const other = `0x${'99'.repeat(20)}` as Wallet;
  await expect(replayDeliveries(deps, other, selection)).rejects.toMatchObject({ code: 'not_found' });
  expect(await replayDeliveries(deps, other, { ...selection, endpointId: null })).toMatchObject({ queued: 0 });
});

test('a success ends the time of failure', async () => {
  const receiver = await openReceiver((_, response, count) => void response.writeHead(count === 1 ? 500 : 204).end());
  const { deps, scene, time, raise, shown } = await openEndpoint(receiver.url);
  await raise('once');
  await scene.until(([first]) => first?.attempts.length === 1);
  await expect.poll(async () => (await shown()).failingSince).toBe(time.now);
  await runStatement(deps.db, DUE);
  await scene.until(([first]) => first?.state === 'delivered');
  await expect.poll(async () => (await shown()).failingSince).toBeNull();
});

test.each([
  'http://shop.example/hook',
  'https://127.0.0.1/hook',
  'https://2130706433/hook',
  'https://0x7f.1/hook',
  'https://[::1]/hook',
  'https://[::ffff:127.0.0.1]/hook',
  'https://169.254.169.254/latest',
  'https://10.0.0.1/hook',
  'https://localhost/hook',
  'https://localhost./hook',
  'https://metadata.internal/hook',
  'https://user:secret@shop.example/hook',
])('in production %s is refused at registration', (url) => {
  const policy = { allowInsecure: false };
  expect(() => parseInput(endpointInput(policy), { url, kinds: ['*'] })).toThrow(/^url must/);
});

test('in production an endpoint whose host resolves to a private address is not called', async () => {
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
  const url = 'https://rebinding.example.com/hook';
  const { scene, raise } = await openEndpoint(url, { resolve }, { webhookAllowInsecure: false });
  await raise('private');
  const [delivery] = await scene.until(([first]) => first?.attempts.length === 1);
  expect(delivery!.attempts[0]).toMatchObject({ statusCode: null, error: expect.stringMatching(/^refused/) });
});
