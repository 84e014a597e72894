import { inject } from 'vitest';
import { findFreePort } from '../../src/base/platform/embedded/process.ts';
import { caller } from './http.ts';
import { type AtEnd, makeDataDir, type Program, runQuittance, until } from './program.ts';
import type { TestServer } from './server.ts';

const JWT_SECRET = 'live'.padEnd(64, '0');

/** `quittance serve` as a process of its own. */
export interface Served {
  readonly program: Program;
  readonly port: number;
}

/**
 * `quittance serve --no-worker` on the database of a server of the test, and on the run's Redis. The same port again
 * comes back at the same address.
 */
export async function serveBeside(
  { deps: { settings } }: TestServer,
  { port, atEnd }: { port?: number; atEnd?: AtEnd } = {},
): Promise<Served> {
  const chosen = port ?? (await findFreePort());
  const program = runQuittance(['serve', '--no-worker'], {
    env: {
      PORT: String(chosen),
      DATA_DIR: makeDataDir(atEnd),
      DATABASE_URL: settings.databaseUrl,
      REDIS_URL: inject('redisUrl'),
      RPC_URL: inject('rpcUrl'),
      LOG_LEVEL: 'warn',
      RATE_LIMITS: 'off',
      JWT_SECRET,
      KEY_ENCRYPTION_KEY: settings.keyEncryptionKey,
    },
    atEnd,
  });
  const call = caller(`http://127.0.0.1:${chosen}`);
  const isReady = () =>
    call('GET', '/readyz?for=orders').then(
      ({ status }) => status === 200,
      () => false,
    );
  await until(isReady, { program });
  return { program, port: chosen };
}
