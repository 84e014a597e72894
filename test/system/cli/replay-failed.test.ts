import { expect, test } from 'vitest';
import { openShop, SHOP } from './shop.ts';

const SINCE = '2026-11-22T04:00Z';

test('webhook replay --failed-since queues the deliveries that have failed since then, and no others', async () => {
  const { run, quittance } = await openShop();
  const at = Date.parse(SINCE);
  await run(
    'test-deliveries',
    `insert into webhook_deliveries (id, merchant, receipt_id, seq, event, url, key_id, body, state, created_at, finished_at)
     select id, '${SHOP}', 'R-1', seq, 'e', 'http://127.0.0.1:9/', 'k', '{}', state, created_at, 1
       from (values ('old', 1, 'failed', ${at - 1}), ('failed', 2, 'failed', ${at}), ('sent', 3, 'delivered', ${at}))
            as d(id, seq, state, created_at)`,
  );
  expect(await quittance.json('webhook', 'replay', '--failed-since', SINCE)).toEqual({ queued: 1 });
  const states = await run('test-states', 'select id, state from webhook_deliveries order by seq');
  expect(states).toEqual([
    { id: 'old', state: 'failed' },
    { id: 'failed', state: 'pending' },
    { id: 'sent', state: 'delivered' },
  ]);
  const jobs = await run('test-jobs', 'select delivery_id as id from webhook_jobs');
  expect(jobs).toEqual([{ id: 'failed' }]);
  expect(await quittance.json('webhook', 'replay', '--failed-since', SINCE)).toEqual({ queued: 0 });
  expect(await quittance.refused('webhook', 'replay', 'failed', '--failed-since', SINCE)).toMatch(/^invalid_input: /);
});
