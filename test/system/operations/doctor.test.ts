import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { afterAll, expect, inject, onTestFinished, test, vi } from 'vitest';
import { checkAddress, checkDisk, checkFlock, checkRecipient, checkRedis } from '../../../src/app/cli/doctor.ts';
import type { Finding } from '../../../src/app/cli/doctor-connections.ts';
import {
  checkChain,
  checkDatabase,
  checkMigrations,
  checkPooler,
  checkReadUrl,
  checkSearch,
  checkSecrets,
  checkSessionUrl,
} from '../../../src/app/cli/doctor-connections.ts';
import { localAccount } from '../../../src/base/chain/local-accounts.ts';
import { openNode } from '../../../src/base/chain/test/node.ts';
import { LOCAL_CHAIN_ID } from '../../../src/base/core/local-chains.ts';
import { readConfig } from '../../../src/base/platform/config/config.ts';
import { findFreePort } from '../../../src/base/platform/embedded/process.ts';
import { createDatabase } from '../../support/database.ts';
import { startTestServer } from '../../support/server.ts';
import { startPgbouncer } from '../../support/services/pgbouncer.ts';
import { commands } from '../cli/run.ts';

const server = await startTestServer();
afterAll(() => server.stop());
const { databaseUrl, dataDir } = server.deps.settings;
const environment = {
  DATABASE_URL: databaseUrl,
  DATA_DIR: dataDir,
  CHAIN_ID: String(LOCAL_CHAIN_ID),
  RPC_URL: inject('rpcUrl'),
  REDIS_URL: inject('redisUrl'),
  BASE_URL: 'http://localhost:4000',
};

/** What is wrong or worth a note: the check, and what was found. */
const faults = (findings: readonly Finding[]) =>
  findings.flatMap(({ check, state, found, fix }) => {
    expect([check, state === 'ok', fix === null]).toEqual([check, state === 'ok', state === 'ok']);
    return state === 'ok' ? [] : [`${state} ${check}: ${found}`];
  });
const chainFaults = async (env: Record<string, string>) =>
  faults(await checkChain(readConfig({ ...environment, ...env })));

async function change(connectionString: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(text).finally(() => client.end());
}

test('a good installation has nothing wrong, and a broken one exits with 1 and says how to fix each part', async () => {
  const good = await commands(environment).run('doctor', '--json');
  expect([good.code, good.stderr]).toEqual([0, '']);
  const { ok, findings } = JSON.parse(good.stdout);
  expect(ok).toBe(true);
  expect(findings.map(({ check }: Finding) => check)).toEqual(
    expect.arrayContaining(['configuration', 'database version', 'database rights', 'tokens', 'redis', 'disk']),
  );
  const port = await findFreePort();
  const broken = { DATABASE_URL: `postgresql://127.0.0.1:${port}/none`, REDIS_URL: `redis://127.0.0.1:${port}` };
  const bad = await commands({ ...environment, ...broken }).run('doctor');
  expect(bad.code).toBe(1);
  expect(bad.stdout).toContain('WRONG   database: it does not answer');
  expect(bad.stdout).toContain('Start Redis, or correct REDIS_URL.');
  expect(bad.stdout).toMatch(/2 of \d+ checks found something wrong\.\n$/);
  const invalid = await commands({ ...environment, PORT: 'http' }).run('doctor');
  expect([invalid.code, invalid.stdout]).toEqual([1, expect.stringContaining('WRONG   configuration: PORT:')]);
});

test('a user without rights, and a read-only database, are wrong', async () => {
  const role = `doctor_${crypto.randomUUID().slice(0, 8)}`;
  const em = server.deps.db.orm.em.fork();
  await em.execute(`create role ${role} login password 'secret'`);
  try {
    const url = new URL(databaseUrl);
    Object.assign(url, { username: role, password: 'secret' });
    expect(faults(await checkDatabase(url.href))).toEqual([
      `wrong database rights: ${role} may not create a schema in the database, nor create tables in the schema public`,
      `note replica lag: ${role} may not read it: the metrics lack it`,
    ]);
    await em.execute(`alter role ${role} set default_transaction_read_only = on`);
    expect(faults(await checkDatabase(url.href))).toContain('wrong database rights: the database is read-only');
  } finally {
    await em.execute(`drop role ${role}`);
  }
  expect(faults(await checkDatabase(databaseUrl))).toEqual([]);
});

test('pending migrations are a note, or wrong if the server may not run them; those of a newer version are wrong', async () => {
  const { databaseUrl: url, drop } = await createDatabase();
  onTestFinished(drop);
  const config = readConfig({ ...environment, DATABASE_URL: url });
  expect(faults(await checkMigrations(config))).toEqual([]);
  await change(url, `insert into mikro_orm_migrations (name) values ('Migration29991231000000_later')`);
  expect(faults(await checkMigrations(config))).toEqual([expect.stringMatching(/^wrong migrations: .* is newer than/)]);
  expect(faults(await checkMigrations({ ...config, acceptsNewerSchema: true }))).toEqual([
    expect.stringMatching(/^note migrations: .* is newer than/),
  ]);
  await change(url, `delete from mikro_orm_migrations where name >= 'Migration20261123'`);
  expect(faults(await checkMigrations(config))).toEqual([expect.stringMatching(/^note migrations: \d+ are pending/)]);
  expect(faults(await checkMigrations({ ...config, migrates: false }))).toEqual([
    expect.stringMatching(/^wrong migrations: .* is older than/),
  ]);
});

test('a search without its index is a note with the statements that make it', async () => {
  const { databaseUrl: url, drop } = await createDatabase();
  onTestFinished(drop);
  const check = () => checkSearch({ databaseUrl: url });
  expect(faults(await check())).toEqual([]);
  await change(url, 'drop extension pg_trgm cascade');
  const [finding] = await check();
  expect(faults([finding!])).toEqual([expect.stringMatching(/^note search: finds beginnings of words only/)]);
  for (const statement of finding!.fix!.split(';')) {
    const text = statement.replace(/^.*?: /, '').replace('create extension', 'create extension if not exists');
    await change(url, text);
  }
  expect(faults(await check())).toEqual([]);
});

test('a pooler that no variable names is wrong, and so are URLs of sessions and of reads that lead elsewhere', async () => {
  const { databaseUrl: other, drop } = await createDatabase();
  onTestFinished(drop);
  const pooler = await startPgbouncer(databaseUrl, 2);
  onTestFinished(pooler.stop);
  // A pooler refuses the options of a session.
  const pooled = Object.assign(new URL(pooler.databaseUrl), { search: '' }).href;
  const away = `postgresql://127.0.0.1:${await findFreePort()}/none`;
  expect(faults(await checkPooler({ databaseUrl: pooled, databasePooler: null }))).toEqual([
    expect.stringMatching(/^wrong DATABASE_URL: it leads to a pooler/),
  ]);
  expect(await checkPooler({ databaseUrl: pooled, databasePooler: 'transaction' })).toEqual([]);
  for (const url of [databaseUrl, away])
    expect(await checkPooler({ databaseUrl: url, databasePooler: null })).toEqual([]);
  const session = async (databaseSessionUrl: string, main = databaseUrl) =>
    faults(await checkSessionUrl({ databaseUrl: main, databaseSessionUrl }));
  expect(await session(databaseUrl, pooled)).toEqual([]);
  expect(await session(pooled)).toEqual([expect.stringMatching(/^wrong .*: a pooler gives one session/)]);
  expect(await session(other)).toEqual([expect.stringMatching(/^wrong .*: it is another database/)]);
  expect(await session(away)).toEqual([expect.stringMatching(/^wrong .*: it does not answer/)]);

  await change(other, `update stream_epoch set epoch = 'ffffffff'`);
  const read = async (databaseReadUrl: string) => faults(await checkReadUrl({ databaseUrl, databaseReadUrl }));
  expect(await read(databaseUrl)).toEqual(['note DATABASE_READ_URL: it is no replica']);
  expect(await read(other)).toEqual(['wrong DATABASE_READ_URL: it is the database of another installation']);
  expect(await read(away)).toEqual([expect.stringMatching(/^wrong .*: it does not answer/)]);
});

test('an endpoint of another chain, without history, with small ranges or without an answer is found', async () => {
  const rpcUrl = inject('rpcUrl');
  const other = await openNode(rpcUrl, async ({ method }) => (method === 'eth_chainId' ? { result: '0x1' } : null));
  const host = new URL(other).host;
  expect(await chainFaults({ RPC_URL: other })).toEqual([`wrong RPC ${host}: it serves chain 1`]);
  const pruned = await openNode(rpcUrl, async ({ method, params }) => {
    if (method === 'eth_blockNumber') return { result: '0x10000' };
    if (method !== 'eth_getLogs') return null;
    const [{ fromBlock, toBlock } = {}] = params ?? [];
    if (fromBlock !== toBlock) return { error: { code: -32602, message: 'block range is too large' } };
    return { error: { code: -32000, message: 'history has been pruned' } };
  });
  const place = `RPC ${new URL(pruned).host}`;
  expect(await chainFaults({ RPC_URL: pruned })).toEqual([
    expect.stringMatching(new RegExp(`^note ${place}: log ranges: no logs of 1000 blocks: `)),
    expect.stringMatching(new RegExp(`^wrong ${place}: history: no logs of 10000 blocks ago: `)),
  ]);
  const away = `http://127.0.0.1:${await findFreePort()}`;
  expect(await chainFaults({ RPC_URL: away })).toEqual([
    expect.stringMatching(/^wrong RPC .*: it does not answer: connect ECONNREFUSED /),
  ]);
  const refusing = createServer((_, answer) => answer.writeHead(401).end());
  await once(refusing.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void refusing.close());
  const locked = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}/KEY`;
  expect(await chainFaults({ RPC_URL: locked })).toEqual([
    expect.stringMatching(/^wrong RPC [\d.:]+: it does not answer: HTTP request failed\. \(HTTP status 401\)$/),
  ]);
  const token = '{"USDC":{"address":"0x00000000000000000000000000000000000000aa","decimals":6}}';
  expect(await chainFaults({ TOKENS: token })).toEqual([
    expect.stringMatching(/^wrong tokens: USDC: there is no contract/),
  ]);
});

test('elsewhere than on the local chain, a wrong clock and a wallet without gas are wrong', async () => {
  const stopped = (Math.floor(Date.now() / 1000) - 3_600).toString(16);
  const rpcUrl = await openNode(inject('rpcUrl'), async ({ method }, honest) => {
    if (method === 'eth_chainId') return { result: '0x2105' };
    if (method !== 'eth_getBlockByNumber') return null;
    const answer = await honest();
    return 'result' in answer ? { result: { ...(answer.result as object), timestamp: `0x${stopped}` } } : answer;
  });
  const key = `0x${'7'.repeat(63)}1`;
  const env = {
    CHAIN_ID: '8453',
    RPC_URL: rpcUrl,
    SETTLEMENT_PRIVATE_KEY: key,
    TOKENS: '{"ETH":{"address":null,"decimals":18}}',
  };
  const found = await chainFaults(env);
  expect(found).toEqual([
    expect.stringMatching(/^wrong clock: 3[56]\d\d s after the newest block$/),
    expect.stringMatching(/^wrong gas of the settlement wallet on chain 8453: 0x[0-9a-f]{40} has 0 native coins$/),
  ]);
});

test('a missing PLATFORM_RECIPIENT is a note, but for the local chain', () => {
  const recipient = (env: Record<string, string>) => checkRecipient(readConfig({ ...environment, ...env }));
  expect(faults(recipient({ CHAIN_ID: '8453' }))).toEqual([
    'note PLATFORM_RECIPIENT: it is not set: no split can be configured, and orders are refused without one',
  ]);
  expect(recipient({ CHAIN_ID: '8453', PLATFORM_RECIPIENT: `0x${'5a3c91e4'.repeat(5)}` })).toEqual([]);
  // The doctor and a start have one list of faults.
  const published = {
    CHAIN_ID: '8453',
    RPC_URL: 'http://localhost:1',
    SETTLEMENT_PRIVATE_KEY: localAccount('buyer').privateKey,
  };
  expect(() => recipient(published)).toThrow(/SETTLEMENT_PRIVATE_KEY: must not be an account of a test mnemonic/);
  expect(recipient({})).toEqual([]);
});

test('a key that the database was not written with is wrong', async () => {
  const { keyEncryptionKey } = server.deps.settings;
  expect(faults(await checkSecrets({ databaseUrl, keyEncryptionKey, previousKeyEncryptionKey: null }))).toEqual([]);
  expect(
    faults(
      await checkSecrets({ databaseUrl, keyEncryptionKey: 'other'.padEnd(64, '0'), previousKeyEncryptionKey: null }),
    ),
  ).toEqual(['wrong KEY_ENCRYPTION_KEY: it is not the key that the database was written with']);
  const { databaseUrl: empty, drop } = await createDatabase({ empty: true });
  onTestFinished(drop);
  expect(await checkSecrets({ databaseUrl: empty, keyEncryptionKey, previousKeyEncryptionKey: null })).toEqual([]);
});

test('Redis that does not answer, a missing program, a full disk, an unknown name and a missing certificate are wrong', async () => {
  const port = await findFreePort();
  expect(faults(await checkRedis({ redisUrl: `redis://127.0.0.1:${port}` }))).toEqual([
    expect.stringMatching(/^wrong redis: it does not answer: connect ECONNREFUSED /),
  ]);
  expect(faults(checkFlock())).toEqual([]);
  vi.stubEnv('PATH', '/nowhere');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(faults(checkFlock())).toEqual(['wrong flock: the program is not on PATH']);
  expect(faults(await checkRedis({ redisUrl: inject('redisUrl') }))).toEqual([]);
  expect(faults(await checkDisk({ dataDir }, Number.MAX_SAFE_INTEGER))).toEqual([
    expect.stringMatching(/^wrong disk: /),
  ]);
  const address = (baseUrl: string | null) => checkAddress({ baseUrl, environment: 'production' }).then(faults);
  expect(await address('https://pay.shop.invalid')).toEqual([
    'wrong name of BASE_URL: pay.shop.invalid does not resolve',
  ]);
  expect(await address(`https://localhost:${port}`)).toEqual([
    expect.stringMatching(/^wrong certificate of BASE_URL: /),
  ]);
  expect(await address('http://localhost:4000')).toEqual([]);
  expect(await address('http://192.0.2.1:4000')).toEqual([
    'wrong BASE_URL: browsers send no cookies over http, so no one can sign in',
  ]);
  expect(await address(null)).toEqual(['wrong BASE_URL: payment URLs lead to localhost']);
  expect(await checkAddress({ baseUrl: null, environment: 'development' })).toEqual([]);
});
