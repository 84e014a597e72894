import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { root } from '../gates/sources.ts';

const MAX_BYTES = 1024;

test('the component for React is at most 1 KB beside the client, and needs no package', async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: { client: join(root, 'src/client/index.ts'), react: join(root, 'src/client/react.ts') },
    absWorkingDir: root,
    outdir: join(root, 'dist/never'),
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    write: false,
    metafile: true,
  });
  const own = outputFiles.find(({ path }) => path.endsWith('/react.js'))!;
  expect(gzipSync(own.contents, { level: 9 }).length).toBeLessThanOrEqual(MAX_BYTES);
  const made = Object.entries(metafile.outputs).find(([path]) => path.endsWith('/react.js'))![1];
  expect(made.imports.filter(({ external }) => external)).toEqual([]);
});
