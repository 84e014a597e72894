import { chmodSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startServices } from '../../../src/base/platform/embedded/services.ts';
import { keepDatabasesIn, makeMemoryFolder } from './memory.ts';
import { startRedis } from './redis.ts';
import { startReaper } from './start-reaper.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL superuser's address: tests make databases of their own. */
    databaseUrl: string;
    redisUrl: string;
    /** The JSON-RPC of a local chain that mines a block for each transaction, and only then. */
    rpcUrl: string;
    chainId: number;
  }
}

const chainId = 31337;

/**
 * One PostgreSQL, one Redis and one local chain for the whole run. A second process watches over them, so that nothing
 * is left behind when this one is interrupted or killed.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Tests start the product's programs hundreds of times: they load from Node's compile cache.
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../../../node_modules/.cache/node');
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quittance-test-')));
  // The folders of all tests are in it, and the environment of their programs names it. PostgreSQL and PgBouncer are
  // programs of other users.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  const memory = makeMemoryFolder();
  const reap = startReaper(folder, ...(memory ? [memory] : []));
  const redis = await startRedis(folder);
  const teardown = async () => {
    await redis.stop();
    await reap();
  };
  try {
    const { databaseUrl, rpcUrl } = await startServices({
      dataDir: folder,
      chainId,
      wantPostgres: true,
      wantChain: true,
      durability: 'fast',
      tailBlocks: 0,
      log: { info: () => {}, warn: console.warn },
    });
    if (memory) await keepDatabasesIn(memory, databaseUrl!);
    project.provide('databaseUrl', databaseUrl!);
    project.provide('redisUrl', redis.redisUrl);
    project.provide('rpcUrl', rpcUrl!);
    project.provide('chainId', chainId);
  } catch (error) {
    await teardown();
    throw error;
  }
  return teardown;
}
