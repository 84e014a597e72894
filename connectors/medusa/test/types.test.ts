import { execFile } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../../../test/gates/sources.ts';
import { makeTypes } from '../../../tools/codegen/types.ts';
import { installMedusa } from './medusa.ts';

/** The compiler finds Medusa's packages from the folder that has them. */
test('the plugin fits the types of the real Medusa and of its admin', async () => {
  await makeTypes();
  const copy = join(await installMedusa(), `types-${process.pid}`);
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  for (const path of ['connectors/medusa/src', 'connectors/medusa/package.json', 'src/client', 'tsconfig.json'])
    cpSync(join(root, path), join(copy, path), { recursive: true });
  const compilerOptions = { jsxImportSource: 'react', typeRoots: [join(root, 'node_modules/@types')] };
  const project = { extends: './tsconfig.json', include: ['connectors'], compilerOptions };
  writeFileSync(join(copy, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(copy, 'types.json'), JSON.stringify(project));
  const tsc = [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(copy, 'types.json'), '--pretty', 'false'];
  const { stdout } = await promisify(execFile)(process.execPath, tsc).catch((error) => error as { stdout: string });
  expect(stdout).toBe('');
});
