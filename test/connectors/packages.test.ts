import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../gates/sources.ts';
import { ask } from '../graphql/ask.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** A project with the packages of a server, which npm has installed from their files alone. */
async function install(server: TestServer): Promise<string> {
  const project = mkdtempSync(join(tmpdir(), 'quittance-packages-'));
  onTestFinished(() => rmSync(project, { recursive: true }));
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const tarballs = await Promise.all(
    ['quittance-client', 'quittance-medusa'].map(async (name) => {
      const answer = await fetch(`${server.url}/connect/${name}.tgz`);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/gzip']);
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect(Buffer.from(await (await fetch(`${server.url}/connect/${name}.tgz`)).arrayBuffer())).toEqual(bytes);
      const file = join(project, `${name}.tgz`);
      writeFileSync(file, bytes);
      return file;
    }),
  );
  const npm = ['install', '--offline', '--no-audit', '--no-fund', ...tarballs];
  execFileSync('npm', npm, { cwd: project, env: { ...process.env, npm_config_cache: join(project, '.npm') } });
  return project;
}

test('npm installs the packages from the address of the server alone, and the core runs from there', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.stop());
  const project = await install(server);
  const modules = join(project, 'node_modules');
  expect(readdirSync(modules).filter((name) => !name.startsWith('.'))).toEqual(['quittance', 'quittance-medusa']);
  const ask = 'const { STATES } = await import("quittance/connect"); process.stdout.write(Object.keys(STATES).join());';
  const states = execFileSync(process.execPath, ['--input-type=module', '-e', ask], { cwd: project, encoding: 'utf8' });
  expect(states).toBe('open,part,seen,ended,paid,refunded');
  const plugin = join(modules, 'quittance-medusa');
  const { exports } = JSON.parse(readFileSync(join(plugin, 'package.json'), 'utf8'));
  for (const path of [exports['./providers/quittance'], exports['./admin']])
    expect(readFileSync(join(plugin, path), 'utf8')).not.toContain('src/client/connect/index.ts"');
  expect((await server.call('GET', '/connect/other.tgz')).status).toBe(404);
  // npm asks again, and is given only what has changed.
  const address = `${server.url}/connect/quittance-medusa.tgz`;
  const etag = (await fetch(address)).headers.get('etag')!;
  const again = (tag: string) => fetch(address, { headers: { 'if-none-match': tag } }).then(({ status }) => status);
  expect([await again(etag), await again('"other"')]).toEqual([304, 200]);
});

test('the connector of Medusa has at most 400 lines: what other shops need too is in the core', () => {
  const folder = join(root, 'connectors/medusa/src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => /\.tsx?$/.test(path));
  const lines = files.map((path) => readFileSync(join(folder, path), 'utf8').split('\n').length - 1);
  expect(files.length).toBeGreaterThan(3);
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(400);
});

test('the plugin asks for its key by the console, and writes it into the environment of the shop', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.stop());
  const merchant = await server.merchant({ name: 'Bakery' });
  const project = await install(server);
  const bin = join(project, 'node_modules/.bin/quittance-medusa');
  const connect = spawn(process.execPath, [bin, 'connect', server.url, 'https://shop.test'], { cwd: project });
  onTestFinished(() => void connect.kill());
  let said = '';
  connect.stdout.on('data', (part) => {
    said += part;
  });
  await expect.poll(() => said).toContain('\n\n');
  const asked = new URL(/http\S+/.exec(said)![0]).searchParams;
  const session = await server.signIn(merchant.account);
  const input = {
    ...{ name: asked.get('name'), returnUrl: asked.get('return_url'), state: asked.get('state') },
    ...{ codeChallenge: asked.get('code_challenge'), webhookUrl: asked.get('webhook_url') },
  };
  const grant = 'mutation ($input: ConnectShopInput!) { connectShop(input: $input) { returnUrl } }';
  const { body } = await ask(server, session, grant, { input });
  // A page that does not know the state learns and changes nothing.
  expect((await fetch(new URL('/?code=stranger&state=other', input.returnUrl!))).status).toBe(404);
  expect((await fetch(body.data.connectShop.returnUrl)).status).toBe(200);
  expect(await once(connect, 'exit')).toEqual([0, null]);
  const env = Object.fromEntries(
    readFileSync(join(project, '.env'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split('=')),
  );
  expect(env).toEqual({
    QUITTANCE_URL: server.deps.settings.baseUrl,
    QUITTANCE_KEY: expect.stringMatching(/^qk_/),
    QUITTANCE_WEBHOOK_SECRET: expect.stringMatching(/^whsec_/),
  });
  const listed = await server.call('GET', '/api/webhooks/endpoints', { headers: { 'x-api-key': env.QUITTANCE_KEY! } });
  expect(listed.body.endpoints).toMatchObject([{ url: 'https://shop.test/hooks/payment/quittance_quittance' }]);
});
