import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { findFreePort } from '../../../src/base/platform/embedded/process.ts';
import { createDatabase } from '../../support/database.ts';
import { caller } from '../../support/http.ts';
import { makeDataDir, until } from '../../support/program.ts';
import { openRelay } from '../../support/relay.ts';
import { startTestServer } from '../../support/server.ts';
import { mayMount, onSmallDisk } from '../../support/small-disk.ts';

const launcher = join(import.meta.dirname, '../../../src/app/cli/quittance.js');

/**
 * Ways to a disk that is full, by what a shell does before it becomes the server. A file that may not grow (EFBIG)
 * needs no rights; a file system of 24 KiB (ENOSPC) needs a mount, which goes with the namespace that it is in.
 */
const DISKS: Record<string, { readonly wrap: (dataDir: string, command: string[]) => string[] }> = {
  'whose files may not grow': { wrap: (_dataDir, command) => ['sh', '-c', 'ulimit -f 8; exec "$@"', 'sh', ...command] },
  'of 24 KiB': {
    wrap: (dataDir, command) => onSmallDisk(join(dataDir, 'journal'), '24k', command),
  },
};

const disks = Object.keys(DISKS).slice(0, (await mayMount()) ? 2 : 1);

test.each(disks)(
  'a journal on a disk %s refuses with 503 and never says ok in vain: what was acknowledged is booked, and nothing else',
  async (disk) => {
    const dataDir = makeDataDir();
    mkdirSync(join(dataDir, 'journal'));
    const { databaseUrl, drop } = await createDatabase();
    onTestFinished(drop);
    const setup = await startTestServer({ databaseUrl });
    const merchant = await setup.merchant();
    await setup.call('POST', '/api/inventory', { headers: merchant.auth, body: { sku: 'A', name: 'A', priceUsd: 10 } });
    const relay = await openRelay(databaseUrl);
    const port = await findFreePort();
    const env = {
      ...{ PATH: process.env.PATH, HOME: process.env.HOME, LOG_LEVEL: 'warn', RATE_LIMITS: 'off' },
      ...{ DATA_DIR: dataDir, PORT: String(port), DATABASE_URL: relay.url, RPC_URL: inject('rpcUrl') },
      KEY_ENCRYPTION_KEY: setup.deps.settings.keyEncryptionKey,
    };
    const [file, ...args] = DISKS[disk]!.wrap(dataDir, [process.execPath, launcher, 'serve', '--no-worker']);
    const child = spawn(file!, args, { env, stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    const call = caller(`http://localhost:${port}`);
    await until(() =>
      call('GET', '/readyz?for=orders').then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
    const order = (metadata: string) =>
      call('POST', '/api/orders', {
        headers: merchant.auth,
        body: { items: [{ sku: 'A', qty: 1 }], metadata: { metadata } },
      });
    const kept: string[] = [(await order('before')).body.receipt.receiptId];

    await relay.cut();
    let refused = 0;
    const place = async (metadata: string) => {
      const { status, body } = await order(metadata);
      if (body.ok === true) kept.push(body.receipt.receiptId);
      else {
        expect([status, body.error]).toEqual([503, 'datastore_unavailable']);
        refused++;
      }
    };
    // Small ones one by one and at once, and large ones: some fit where others do not.
    await until(async () => {
      await place('small');
      await Promise.all([place('small'), place('x'.repeat(6_000)), place('small')]);
      return refused >= 12;
    });
    expect(kept.length).toBeGreaterThan(1);
    await relay.mend();
    const listed = async () => {
      const { body } = await setup.call('GET', '/api/receipts?limit=200', { headers: merchant.auth });
      return body.receipts.map((receipt: { receiptId: string }) => receipt.receiptId) as string[];
    };
    await until(async () => (await listed()).length >= kept.length);
    // Once there is room again, orders are kept again.
    await relay.cut();
    const more = kept.length;
    await until(async () => {
      await place('room');
      return kept.length > more;
    });
    await relay.mend();
    await until(async () => (await listed()).length >= kept.length);
    expect((await listed()).sort()).toEqual([...kept].sort());
    await setup.stop();
  },
  240_000,
);
