import { expect, test } from 'vitest';
import { holdLocks } from '../../../../test/support/database.ts';
import { MERCHANT, openScene } from '../test/scene.ts';
import { redeliver } from './deliveries.ts';
import { createEndpoints } from './endpoint-health.ts';
import { createOutcomeWriter } from './outcomes.ts';
import { createClaimer } from './queue.ts';

test('two claims of one delivery that are recorded at the same moment are counted one after the other', async () => {
  const scene = await openScene();
  await scene.announce({ webhookUrl: 'http://127.0.0.1:9/' });
  const [delivery] = await scene.deliveries();
  // Sent again by the merchant while the first job waits, so that two workers hold a claim of it.
  await redeliver(scene.deps, MERCHANT, delivery!.id);
  const jobs = await createClaimer(scene.deps.db, scene.deps.log, createEndpoints()).claim(2);
  expect(jobs.map((job) => job.delivery.id)).toEqual([delivery!.id, delivery!.id]);

  // Both statements begin before either of them ends.
  const held = await holdLocks(scene.databaseUrl, 'select from webhook_jobs for update');
  const written = Promise.withResolvers<void>();
  let left = jobs.length;
  for (const [index, job] of jobs.entries()) {
    const write = createOutcomeWriter(scene.deps, {
      onWritten: () => --left || written.resolve(),
      givesUp: () => false,
    });
    const result = { ok: true, at: 1_000 + index, durationMs: 1, statusCode: 204, error: null, answer: null };
    write({ job, delivery: { ...delivery!, merchant: MERCHANT, keyId: null }, result, endedMs: performance.now() });
  }
  await held.untilWaiting(jobs.length);
  await held.commit();
  await written.promise;

  const [recorded] = await scene.deliveries();
  expect(recorded!.attempts.map(({ number }) => number)).toEqual([1, 2]);
});
