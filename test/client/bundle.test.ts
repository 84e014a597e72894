import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { root } from '../gates/sources.ts';

const MAX_BYTES = 12 * 1024;

test('the client with graphql-ws is at most 12 KiB compressed, and takes nothing of the server or of Node.js', async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(root, 'src/client/index.ts')],
    absWorkingDir: root,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    // Without a platform an import of Node.js is an error.
    platform: 'neutral',
    mainFields: ['module', 'main'],
    write: false,
    metafile: true,
  });
  expect(gzipSync(outputFiles[0]!.contents, { level: 9 }).length).toBeLessThanOrEqual(MAX_BYTES);
  const inputs = Object.keys(metafile.inputs);
  expect(inputs.filter((path) => !/^(src\/client|node_modules\/graphql-ws)\//.test(path))).toEqual([]);
});
