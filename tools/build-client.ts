/**
 * `npm run build:client`: writes `dist/client`, the package that shops install. Node.js runs no TypeScript in
 * node_modules, so it has JavaScript and declarations. graphql-ws is part of the script: the package has no dependency.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { makeTypes } from './codegen/types.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'dist/client');

rmSync(folder, { recursive: true, force: true });
await makeTypes();
await build({
  entryPoints: {
    client: join(root, 'src/client/index.ts'),
    connect: join(root, 'src/client/connect/index.ts'),
    react: join(root, 'src/client/react.ts'),
  },
  outdir: folder,
  splitting: true,
  bundle: true,
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  mainFields: ['module', 'main'],
});
execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'src/client')], {
  stdio: 'inherit',
});
// The compiler writes no declarations of declarations.
for (const name of ['api.d.ts', 'types.d.ts'])
  copyFileSync(join(root, 'src/client/generated', name), join(folder, 'types/generated', name));

const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const description = 'Client of a Quittance server, for Node.js, browsers and edge runtimes.';
const exports = {
  './client': { types: './types/index.d.ts', default: './client.js' },
  './connect': { types: './types/connect/index.d.ts', default: './connect.js' },
  './react': { types: './types/react.d.ts', default: './react.js' },
};
// The global WebSocket of streams.
const engines = { node: '>=22' };
const manifest = { name, version, license, description, type: 'module', sideEffects: false, engines, exports };
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
