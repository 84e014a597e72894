import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { parseEnv } from 'node:util';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { expect, inject, onTestFinished, test } from 'vitest';
import type { Finding } from '../../../src/app/cli/doctor-connections.ts';
import { askOn, textOf, twoDigits } from '../../../src/app/cli/setup.ts';
import { QUESTIONS } from '../../../src/app/cli/setup-options.ts';
import { prepareLocalChain } from '../../../src/base/chain/local.ts';
import { LOCAL_CHAIN_ID } from '../../../src/base/core/local-chains.ts';
import { findFreePort } from '../../../src/base/platform/embedded/process.ts';
import { payOnChain, readRequest } from '../../support/checkout.ts';
import { testDatabase } from '../../support/database.ts';
import { caller } from '../../support/http.ts';
import { makeDataDir, runQuittance, until } from '../../support/program.ts';
import { newAccount } from '../../support/server.ts';
import { commands } from '../cli/run.ts';

const wallet = newAccount().address.toLowerCase();

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-setup-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** `quittance setup` by options alone, into this folder. */
const setupIn = (folder: string, env: Record<string, string> = {}) => {
  const quittance = commands({ DATA_DIR: makeDataDir(), ...env });
  const args = ['setup', '--out', folder, '--wallet', wallet];
  return {
    json: (...options: string[]) => quittance.json(...args, ...options),
    run: (...options: string[]) => quittance.run(...args, ...options),
  };
};

/** On a public chain that no one serves, so that nothing outside is asked. */
const PUBLIC = ['--domain', 'pay.example.com', '--rpc', 'http://127.0.0.1:1'];

const environmentIn = (folder: string, name = 'quittance.env') =>
  parseEnv(readFileSync(join(folder, name), 'utf8')) as Record<string, string>;

test('setup by options makes an installation that the doctor finds good, and one dollar goes all the way through it', async () => {
  const folder = makeFolder();
  const port = await findFreePort();
  const own = { DATA_DIR: makeDataDir(), PORT: String(port), HOST: '127.0.0.1' };
  await prepareLocalChain(inject('rpcUrl'), LOCAL_CHAIN_ID);
  const settlement = generatePrivateKey();
  await rpc('anvil_setBalance', privateKeyToAddress(settlement), '0xde0b6b3a7640000');
  const chain = ['--chain', '31337', '--rpc', inject('rpcUrl'), '--domain', `http://localhost:${port}`];
  const stores = ['--database', await testDatabase(), '--redis', inject('redisUrl')];
  const made = await setupIn(folder, { ...own, SETTLEMENT_PRIVATE_KEY: settlement }).json(
    ...chain,
    ...stores,
    ...['--fee-wallet', newAccount().address],
  );
  expect(made).toMatchObject({ ok: wrongOf(made).length === 0, kept: [] });
  expect(made.findings.map(({ check }: Finding) => check)).toEqual(
    expect.arrayContaining(['configuration', 'database version', 'tokens', 'redis', 'PORT']),
  );
  expect(made.wallets).toMatchObject([{ role: 'settlement', send: expect.stringMatching(/^[\d.]+$/) }]);
  for (const name of ['quittance.env', 'caddy.env']) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);

  const env = { ...environmentIn(folder), ...own, LOG_LEVEL: 'warn' };
  // On a busy machine an endpoint may answer too late once.
  const doctor = async () => wrongOf(JSON.parse((await commands(env).run('doctor', '--json')).stdout));
  await expect.poll(doctor, { timeout: 60_000 }).toEqual([]);
  const server = runQuittance(['serve'], { env });
  const payment = runQuittance(['first-payment', '--wallet', wallet, '--name', 'Corner shop'], { env });
  const [, path] = await until(() => /\/portal\/(\S+)\n/.exec(payment.stdout()), { program: payment });
  const call = caller(`http://localhost:${port}`);
  await payOnChain(inject('rpcUrl'), await readRequest({ call }, path!));
  // The run's chain makes a block for each transaction only.
  await until(async () => {
    await rpc('evm_mine');
    return payment.stdout().includes('completed') || payment.child.exitCode !== null;
  });
  expect([(await payment.exit).code, payment.stderr()]).toEqual([0, '']);
  const lines = payment.stdout().split('\n');
  expect(lines).toContain(`Shop    Corner shop (${wallet})`);
  const shown = lines.flatMap((line) => /Z {2}(\w+)/.exec(line)?.[1] ?? []);
  expect([shown[0], shown.at(-1)]).toEqual(['waits', 'completed']);
  const [key] = await commands(env).json('key', 'list', '--wallet', wallet);
  expect([key.label, key.revokedAt]).toEqual(['first payment', expect.any(Number)]);
  server.child.kill('SIGTERM');
  expect((await server.exit).code).toBe(0);
}, 240_000);

const wrongOf = ({ findings }: { findings: Finding[] }) => findings.filter(({ state }) => state === 'wrong');

const rpc = (method: string, ...params: unknown[]) =>
  fetch(inject('rpcUrl'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });

test.each([
  ['--wallet', ['--wallet', '0x12'], 'PLATFORM_ADMINS: must be 0x followed by 40 hex'],
  ['--wallet', ['--wallet', '0x90f79bf6eb2c4f870365e785982e1f101e93b906'], 'PLATFORM_ADMINS: must not be an account'],
  ['--wallet', ['--wallet', `${wallet},${wallet}`], 'must be one wallet'],
  ['--fee-wallet', ['--fee-wallet', `0x${'0'.repeat(40)}`], 'PLATFORM_RECIPIENT: must not be the zero address'],
  ['--chain', ['--chain', 'base'], 'CHAIN_ID: must be a whole number'],
  ['--chain', ['--chain', '7'], 'has no known tokens'],
  ['--rpc', ['--rpc', 'rpc.example.com'], 'RPC_URL: must be a URL'],
  ['--rpc', ['--rpc', 'https://rpc.example.com,wss://b'], 'RPC_FALLBACK_URL: must be a URL'],
  ['--domain', ['--domain', 'https://a@pay.example.com'], 'BASE_URL: must have no query'],
  ['--settlement', ['--settlement', '0x12'], 'SETTLEMENT_PRIVATE_KEY: must be 0x followed by 64 hex'],
  ['--email', ['--email', 'me'], 'must be an e-mail address'],
  ['--smtp', ['--for', 'compose', '--smtp', 'mail.example.com'], 'must be a URL such as smtp://'],
  ['--for', ['--for', 'docker'], 'must be systemd or compose'],
  ['--domain', ['--for', 'compose', '--domain', 'http://pay.example.com'], 'must be served over https'],
  ['--payment', ['--payment', '--json'], 'has no --json'],
  ['--payment', ['--payment', '--for', 'compose'], 'start the containers'],
  ['--database', ['--database', 'mysql://db'], 'DATABASE_URL: must be a URL'],
])(
  'a bad answer is refused with the name of its option, and nothing is written: %s %s',
  async (flag, options, problem) => {
    const folder = makeFolder();
    const { code, stdout, stderr } = await setupIn(folder).run(...PUBLIC, ...options);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.split('\n')).toContainEqual(expect.stringMatching(new RegExp(`^${flag}: .*${problem}`)));
    expect(stderr).not.toContain('    at ');
    expect(readdirSync(folder)).toEqual([]);
  },
);

test('one wallet for both roles is refused, and no key is shown', async () => {
  const key = generatePrivateKey();
  const env = { SETTLEMENT_PRIVATE_KEY: key, SPENDER_PRIVATE_KEY: key };
  const { code, stderr } = await setupIn(makeFolder(), env).run(...PUBLIC);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^--spender: SETTLEMENT_PRIVATE_KEY: must belong to a different wallet/);
  expect(stderr).not.toContain(key);
});

test('two runs make different secrets, and a file that is there is never lost', async () => {
  const [first, second] = [makeFolder(), makeFolder()];
  await setupIn(first).json(...PUBLIC);
  await setupIn(second).json(...PUBLIC);
  const [one, other] = [environmentIn(first), environmentIn(second)];
  const secrets = Object.keys(one).filter((name) => /_(SECRET|KEY)$|DATABASE_URL/.test(name));
  expect(secrets.sort()).toEqual(
    ['CRON_SECRET', 'DATABASE_URL', 'EDGE_SECRET', 'JWT_SECRET', 'KEY_ENCRYPTION_KEY', 'SETTLEMENT_PRIVATE_KEY'].sort(),
  );
  for (const name of secrets) expect(one[name], name).not.toBe(other[name]);
  expect(new Set(secrets.map((name) => one[name])).size).toBe(secrets.length);

  const before = readFileSync(join(first, 'quittance.env'), 'utf8');
  const refused = await setupIn(first).run(...PUBLIC);
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toContain(`${join(first, 'quittance.env')}: is there already`);
  expect(readFileSync(join(first, 'quittance.env'), 'utf8')).toBe(before);
  rmSync(join(first, 'quittance.env'));
  writeFileSync(join(first, 'caddy.env'), 'precious');
  expect((await setupIn(first).run(...PUBLIC)).code).toBe(1);
  expect(readdirSync(first)).toEqual(['caddy.env']);
  const { kept } = await setupIn(first).json(...PUBLIC, '--force');
  expect(kept.map((path: string) => readFileSync(path, 'utf8'))).toEqual(['precious']);
});

test('for Compose the passwords of all services are made, and alerts are on with an SMTP server', async () => {
  const folder = makeFolder();
  const alerts = ['--email', 'me@example.com', '--smtp', 'smtp://me:p%24x%20y@mail.example.com:587'];
  const { files, findings } = await setupIn(folder).json(...PUBLIC, '--for', 'compose', '--chain', '10', ...alerts);
  expect(files).toEqual({ server: join(folder, 'quittance.env'), around: join(folder, '.env') });
  // PostgreSQL and Redis are not there yet.
  expect(findings.map(({ check }: Finding) => check)).not.toContain('redis');
  const [server, around] = [environmentIn(folder), environmentIn(folder, '.env')];
  expect(server).not.toHaveProperty('DATABASE_URL');
  expect(around).toMatchObject({
    ...{ SERVER_NAME: 'pay.example.com', ALERT_EMAIL: 'me@example.com', COMPOSE_PROFILES: 'alerts' },
    ...{ SMTP_HOST: 'mail.example.com:587', SMTP_USER: 'me', SMTP_PASSWORD: 'p$x y' },
    EDGE_SECRET: server.EDGE_SECRET,
  });
  for (const name of ['POSTGRES_PASSWORD', 'REDIS_PASSWORD', 'GRAFANA_PASSWORD']) expect(around[name]).toHaveLength(64);
  // No one prices ether there, so it is not offered.
  expect(Object.keys(JSON.parse(server.TOKENS!))).toEqual(['USDC', 'USDT', 'DAI']);
});

test('on a terminal at most ten questions are asked, each with a reason, and a wrong answer is asked again at once', async () => {
  for (const kind of ['systemd', 'compose']) {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const answers = [kind, '', '8453', 'ftp://x', 'https://rpc.example.com', '0x1', wallet, '', '', '', '', '', ''];
    const shown = text(output);
    output.on('data', (chunk) => {
      if (/: $/.test(String(chunk))) input.write(`${answers.shift()}\n`);
    });
    const known = await askOn({ input, output }, {}, () => {});
    output.end();
    const dialogue = await shown;
    expect(known).toMatchObject({ for: kind, rpc: 'https://rpc.example.com', wallet, feeWallet: wallet });
    const asked = QUESTIONS.filter(({ asks }) => dialogue.includes(asks));
    expect(asked.length).toBeLessThanOrEqual(10);
    for (const { why } of asked) expect(dialogue).toContain(`\n${why}\n`);
    expect(dialogue).toMatch(/--rpc: RPC_URL: must be a URL.*\nRPC endpoints/);
    expect(dialogue).toMatch(/--wallet: PLATFORM_ADMINS: must be 0x.*\nYour wallet/);
  }
});

test('a value that systemd and Compose would read differently is refused', () => {
  expect(textOf({ A: 'a b#$"\\', B: 'x' })).toContain("A='a b#$\"\\'\nB=x\n");
  for (const value of ["it's", 'two\nlines']) expect(() => textOf({ SMTP_PASSWORD: value })).toThrow('SMTP_PASSWORD');
});

test('coins to send are rounded up to two digits', () => {
  expect([0n, 7n, 99n, 1_001n, 123_456n, 990_001n].map(twoDigits)).toEqual([0n, 7n, 99n, 1_100n, 130_000n, 1_000_000n]);
});
