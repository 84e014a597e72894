import { Redis } from 'ioredis';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { askChain } from '../../../src/platform/embedded/rpc.ts';

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
