import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildOnce } from './bundle-cache.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quittance-bundle-'));
  writeFileSync(join(folder, 'main.ts'), `import { word } from './word.ts';\nconsole.log(word);\n`);
  writeFileSync(join(folder, 'word.ts'), `export const word = 'first';\n`);
});
afterEach(() => rmSync(folder, { recursive: true }));

const build = (cache = join(folder, 'cache')) => {
  const options = { absWorkingDir: folder, entryPoints: ['main.ts'], outdir: '/out', bundle: true };
  const { outputFiles, metafile } = buildOnce(options, { folder: cache });
  return { text: outputFiles.map(({ contents }) => Buffer.from(contents).toString()).join(), metafile };
};
const stored = () => readdirSync(join(folder, 'cache'));

test('a build is stored, and the stored one equals it', () => {
  const made = build();
  expect(stored()).toHaveLength(1);
  const file = join(folder, 'cache', stored()[0] as string);
  const again = build();
  expect(again.text).toBe(made.text);
  expect(again.metafile.outputs).toEqual(made.metafile.outputs);
  // Only a stored build can have this content.
  writeFileSync(file, JSON.stringify({ inputs: {}, outputs: {}, files: [{ path: '/out/x.js', base64: 'eA==' }] }));
  expect(build().text).toBe('x');
});

test('a changed, missing or damaged part is built again', () => {
  expect(build().text).toContain('first');
  writeFileSync(join(folder, 'word.ts'), `export const word = 'second';\n`);
  expect(build().text).toContain('second');
  writeFileSync(join(folder, 'cache', stored()[0] as string), '{');
  expect(build().text).toContain('second');
});

test('a folder that cannot be written does not prevent the build', () => {
  expect(build(join(folder, 'main.ts', 'cache')).text).toContain('first');
});
