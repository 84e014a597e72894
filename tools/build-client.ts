/**
 * `npm run build:client`: writes `dist/client`, the package that shops install and that a server serves. Node.js runs
 * no TypeScript in node_modules, so it has JavaScript and declarations. graphql-ws is part of the script: the package
 * has no dependency.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { clientDigest, clientPackage, TYPES_OF } from '../src/doors/pages/app/packages.ts';
import { makeTypes } from './codegen/types.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'dist/client');

rmSync(folder, { recursive: true, force: true });
await makeTypes();
execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'src/client')], {
  stdio: 'inherit',
});
// The compiler writes no declarations of declarations.
for (const name of ['api.d.ts', 'types.d.ts'])
  copyFileSync(join(root, 'src/client/generated', name), join(folder, 'types/generated', name));
writeFileSync(join(root, TYPES_OF), clientDigest());
for (const [path, content] of Object.entries(clientPackage())) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}
