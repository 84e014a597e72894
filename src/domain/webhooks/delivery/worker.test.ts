import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test, vi } from 'vitest';
import { busyMs } from '../../../../test/support/busy.ts';
import { API_KEY, MERCHANT, openReceiver, openScene, paidEvent } from '../test/scene.ts';
import { redeliver } from './deliveries.ts';
import { enqueueEvent } from './enqueue.ts';
import { startWebhookWorker, type WorkerDeps, type WorkerOptions } from './worker.ts';

function startWorker(deps: WorkerDeps, options?: WorkerOptions) {
  const worker = startWebhookWorker(deps, options);
  onTestFinished(() => worker.stop());
  return worker;
}

test('an event reaches its endpoint immediately, with the headers of the contract and of Standard Webhooks', async () => {
  const scene = await openScene();
  const receiver = await openReceiver((_, response) => void response.writeHead(200).end('thanks'));
  startWorker(scene.deps);
  await scene.announce({ webhookUrl: `${receiver.url}/hook?shop=1` });
  const [request] = await receiver.until(1);

  expect(request!.path).toBe('/hook?shop=1');
  expect(request!.headers).toMatchObject({
    'content-type': 'application/json',
    'x-service-event': 'receipt.status_updated',
    'user-agent': 'Service-Webhook/1.0',
    'x-service-signature': expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
    'x-service-timestamp': expect.stringMatching(/^\d{13}$/),
  });
  expect(request!.headers['x-service-delivery']).toBe(request!.headers['webhook-id']);
  expect(request!.headers['x-service-delivery']).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  const verified = new Webhook(Buffer.from(API_KEY).toString('base64')).verify(
    request!.body,
    request!.headers as Record<string, string>,
  );
  expect(verified).toMatchObject({
    receiptId: 'R-1',
    status: 'paid',
    brandKey: 'acme',
    metadata: { table: 'Größe 4' },
  });

  const [delivery] = await scene.until(([first]) => first?.state === 'delivered');
  expect(delivery).toMatchObject({ id: request!.headers['webhook-id'], body: request!.body });
  expect(delivery!.attempts).toMatchObject([{ number: 1, statusCode: 200, error: null, answer: 'thanks' }]);
});

test('a transaction that is rolled back enqueues nothing', async () => {
  const scene = await openScene();
  const receiver = await openReceiver();
  startWorker(scene.deps);
  const failing = scene.deps.db.transaction(async (uow) => {
    await enqueueEvent(uow, paidEvent({ webhookUrl: `${receiver.url}/never`, seq: 90 }));
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow('changed my mind');
  await scene.announce({ webhookUrl: `${receiver.url}/after` });
  await scene.until(([first]) => first?.state === 'delivered');
  expect(receiver.received.map(({ path }) => path)).toEqual(['/after']);
});

// Contract: webhooks.retry, webhooks.no-more, webhooks.retry-when, limits.webhook
test('a failed attempt is retried once, five seconds after the failure', async () => {
  const scene = await openScene();
  const receiver = await openReceiver((_, response) => void response.writeHead(500).end('no'));
  const logged = vi.spyOn(scene.deps.log, 'error');
  startWorker(scene.deps);
  await scene.announce({ webhookUrl: receiver.url });
  const [delivery] = await scene.until(([first]) => first?.state === 'failed');
  expect(delivery!.attempts).toMatchObject([
    { number: 1, statusCode: 500, error: null, answer: 'no' },
    { number: 2, statusCode: 500 },
  ]);
  const [first, second] = receiver.received;
  expect(second!.at - first!.at).toBeGreaterThanOrEqual(4_990);
  expect(second!.at - first!.at).toBeLessThan(busyMs(5_300));
  expect(second!.body).toBe(first!.body);
  expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
  expect(await scene.jobs()).toEqual([]);
  expect(logged).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ delivery: delivery!.id, receiptId: 'R-1', statusCode: 500 }),
    expect.stringContaining('all attempts failed'),
  );
});

// Contract: webhooks.retry-when, webhooks.retry, webhooks.five-seconds, limits.webhook
test('a broken connection and an endpoint that does not respond for five seconds are failures that are retried once', async () => {
  const scene = await openScene();
  const asked = new Map<string, number>();
  const receiver = await openReceiver(({ path }, response) => {
    const turn = (asked.get(path) ?? 0) + 1;
    asked.set(path, turn);
    if (turn > 1) response.writeHead(204).end();
    else if (path === '/breaks') response.destroy();
  });
  startWorker(scene.deps);
  for (const path of ['/breaks', '/silent']) await scene.announce({ webhookUrl: `${receiver.url}${path}` });
  const deliveries = await scene.until((all) => all.length === 2 && all.every(({ state }) => state === 'delivered'));
  for (const { attempts } of deliveries)
    expect(attempts).toMatchObject([{ statusCode: null, error: expect.any(String) }, { statusCode: 204 }]);
  const [first, second] = receiver.received.filter(({ path }) => path === '/silent');
  expect(second!.at - first!.at).toBeGreaterThanOrEqual(9_980);
  expect(second!.at - first!.at).toBeLessThan(busyMs(10_500));
});

test('a redirect is a failure and is not followed', async () => {
  const scene = await openScene();
  const elsewhere = await openReceiver();
  const receiver = await openReceiver((_, response, count) => {
    if (count === 1) response.writeHead(302, { Location: elsewhere.url }).end();
    else response.writeHead(204).end();
  });
  startWorker(scene.deps);
  await scene.announce({ webhookUrl: receiver.url });
  const [delivery] = await scene.until(([first]) => first?.state === 'delivered');
  expect(delivery!.attempts).toMatchObject([{ statusCode: 302 }, { statusCode: 204 }]);
  expect(elsewhere.received).toEqual([]);
});

test('a redelivery sends the same id and bytes with a new pair of attempts, and only for its own merchant', async () => {
  const scene = await openScene();
  const receiver = await openReceiver();
  startWorker(scene.deps);
  await scene.announce({ webhookUrl: receiver.url });
  const [sent] = await scene.until(([first]) => first?.state === 'delivered');
  await expect(redeliver(scene.deps, `0x${'99'.repeat(20)}` as typeof MERCHANT, sent!.id)).rejects.toMatchObject({
    code: 'not_found',
  });
  expect(await redeliver(scene.deps, MERCHANT, sent!.id)).toMatchObject({ id: sent!.id });
  await scene.until(([first]) => first?.attempts.length === 2 && first.state === 'delivered');
  const [first, second] = receiver.received;
  expect(second!.body).toBe(first!.body);
  expect(second!.headers['webhook-id']).toBe(sent!.id);
});

test('two hundred hanging endpoints with backlogs delay a healthy one by less than a second', async () => {
  const scene = await openScene();
  const receiver = await openReceiver((received, response) => {
    if (received.path === '/healthy') response.writeHead(204).end();
  });
  const events = Array.from({ length: 600 }, (_, i) => ({
    seq: 1_000 + i,
    webhookUrl: `${receiver.url}/hang/${i % 200}`,
  }));
  await scene.deps.db.transaction(async (uow) => {
    for (const event of events) await enqueueEvent(uow, paidEvent(event));
  });
  startWorker(scene.deps);
  await receiver.until(200);
  for (let i = 0; i < 5; i++) {
    const announced = Date.now();
    const before = receiver.received.filter(({ path }) => path === '/healthy').length;
    await scene.announce({ webhookUrl: `${receiver.url}/healthy`, seq: 10_000 + i });
    while (receiver.received.filter(({ path }) => path === '/healthy').length === before) {
      await new Promise((resume) => setTimeout(resume, 5));
    }
    expect(Date.now() - announced).toBeLessThan(busyMs(1_000));
  }
});

test('a host that resolves to a private address is refused', async () => {
  const scene = await openScene({ webhookAllowInsecure: false });
  startWorker(scene.deps, { resolve: async () => [{ address: '127.0.0.1', family: 4 }] });
  await scene.announce({ webhookUrl: 'https://rebinding.example.com/hook' });
  const [delivery] = await scene.until(([first]) => first?.attempts.length === 1);
  expect(delivery!.attempts[0]).toMatchObject({ statusCode: null, error: expect.stringMatching(/^refused/) });
});
