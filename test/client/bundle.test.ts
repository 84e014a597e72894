import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { root } from '../gates/sources.ts';

const PACKAGES = [
  { name: 'client', entry: 'src/client/index.ts', maxKib: 12, needs: /^(src\/client|node_modules\/graphql-ws)\// },
  { name: 'connect', entry: 'src/client/connect/index.ts', maxKib: 5, needs: /^src\/client\// },
];

test.each(PACKAGES)(
  'quittance/$name is at most $maxKib KiB compressed, and takes nothing of the server or of Node.js',
  async ({ entry, maxKib, needs }) => {
    const { outputFiles, metafile } = await build({
      entryPoints: [join(root, entry)],
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
    expect(gzipSync(outputFiles[0]!.contents, { level: 9 }).length).toBeLessThanOrEqual(maxKib * 1024);
    const inputs = Object.keys(metafile.inputs);
    expect(inputs.filter((path) => !needs.test(path))).toEqual([]);
  },
);
