import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startTestServer } from '../support/server.ts';

test('npm installs the packages from the address of the server alone, and the core runs from there', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.stop());
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
  const npm = ['install', '--offline', '--legacy-peer-deps', '--no-audit', '--no-fund', ...tarballs];
  execFileSync('npm', npm, { cwd: project, env: { ...process.env, npm_config_cache: join(project, '.npm') } });
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
});
