import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Settings } from '../../../base/platform/deps.ts';
import { createLog } from '../../../base/platform/log/log.ts';
import { indexedIds, insertReceipts, openShop } from './test/shop.ts';
import { startSearchWorker } from './worker.ts';

test('a worker that was killed in the middle of its work is succeeded by another one, and no receipt is missed', async () => {
  const shop = await openShop();
  onTestFinished(() => shop.close());
  const query = { query: shop.run };
  await insertReceipts(query, { prefix: 'old', count: 2_000 });
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'test/worker-process.ts'), shop.databaseUrl],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  const count = async () => (await indexedIds(shop)).length;
  await expect.poll(count, { timeout: 60_000, interval: 5 }).toBeGreaterThan(0);
  child.kill('SIGKILL');
  await insertReceipts(query, { prefix: 'new', count: 300, at: 9_000 });

  const settings = { databaseSessionUrl: shop.databaseUrl } as Settings;
  const worker = startSearchWorker({ settings, db: shop.db, clock: Date.now, log: createLog('silent') });
  onTestFinished(() => worker.stop());
  await expect.poll(count, { timeout: 60_000 }).toBe(2_300);
});
