import { Redis } from 'ioredis';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { askChain } from '../../../src/base/platform/embedded/anvil.ts';
import { startNginx } from './nginx.ts';

test('every test run has a PostgreSQL, a Redis and a local chain', async () => {
  const client = new pg.Client({ connectionString: inject('databaseUrl') });
  await client.connect();
  const { rows } = await client.query('select rolsuper from pg_roles where rolname = current_user');
  await client.end();
  const redis = new Redis(inject('redisUrl'), { maxRetriesPerRequest: 1 });
  const pong = await redis.ping();
  redis.disconnect();
  const chainId = Number(await askChain(inject('rpcUrl'), 'eth_chainId', []));

  expect(rows).toEqual([{ rolsuper: true }]);
  expect(pong).toBe('PONG');
  expect(chainId).toBe(inject('chainId'));
});

test('a test may have an nginx of its own, and hears what it does not understand', async () => {
  const nginx = await startNginx(({ port }) => `server { listen 127.0.0.1:${port}; return 418 'short and stout'; }`);
  const answer = await fetch(`http://127.0.0.1:${nginx.port}/`);
  expect([answer.status, await answer.text()]).toEqual([418, 'short and stout']);
  await nginx.stop();
  await expect(fetch(`http://127.0.0.1:${nginx.port}/`)).rejects.toThrow();
  await expect(startNginx(() => 'nonsense on;')).rejects.toThrow('unknown directive "nonsense"');
});
