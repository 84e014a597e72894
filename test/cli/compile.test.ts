import { execFile } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../gates/sources.ts';

const run = promisify(execFile);
const SOURCES = '/src/cli/main.ts';
const COMPILED = /^\/\.cache\/program-[0-9a-f]{16}\/main\.js$/;
const LAUNCHER = ['compile.js', 'install.js', 'quittance.js'].map((name) => join('src/cli', name));

/** A checkout with the given files of this one, and with its packages. */
function makeCheckout(files: readonly string[]) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quittance-compile-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const path of ['package.json', 'package-lock.json', ...files])
    cpSync(join(root, path), join(folder, path), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const hook = join(folder, 'hook.mjs');
  writeFileSync(hook, `process.on('exit', () => process.stderr.write(process.argv[1]));`);
  return {
    folder,
    compile: () => run(process.execPath, [join(folder, 'src/cli/compile.js')]),
    /** The file that a command runs, and what the command prints. */
    async quittance(...args: string[]) {
      const env = { PATH: process.env.PATH, DATA_DIR: folder, NODE_OPTIONS: `--import=${hook}` };
      const { stdout, stderr } = await run(process.execPath, [join(folder, 'src/cli/quittance.js'), ...args], { env });
      return { file: stderr.slice(folder.length), printed: stdout };
    },
  };
}

/** A checkout whose program is one line. */
function makeSmallCheckout() {
  const checkout = makeCheckout(LAUNCHER);
  const source = join(checkout.folder, SOURCES);
  writeFileSync(source, "console.log('one' as string);\n");
  return { ...checkout, source };
}

test('commands run the sources until the program is compiled, and know the folders of the project then', async () => {
  const { folder, compile, quittance } = makeCheckout(['src', 'migrations']);
  expect((await quittance('--version')).file).toBe(SOURCES);
  await compile();
  const { file, printed } = await quittance('schema');
  expect(file).toMatch(COMPILED);
  expect(printed).not.toContain('.cache');
  expect(existsSync(join(folder, 'schema.graphql'))).toBe(true);
});

test('a change of the sources is never hidden by a program that was compiled before', async () => {
  const { source, compile, quittance } = makeSmallCheckout();
  await compile();
  expect(await quittance()).toEqual({ file: expect.stringMatching(COMPILED), printed: 'one\n' });
  writeFileSync(source, "console.log('two' as string);\n");
  expect(await quittance()).toEqual({ file: SOURCES, printed: 'two\n' });
  await compile();
  expect(await quittance()).toEqual({ file: expect.stringMatching(COMPILED), printed: 'two\n' });
});

test('two processes may compile at once', async () => {
  const { folder, compile, quittance } = makeSmallCheckout();
  const outputs = await Promise.all([compile(), compile()]);
  expect(outputs.map(({ stderr }) => stderr)).toEqual(['', '']);
  expect(readdirSync(join(folder, '.cache'))).toHaveLength(1);
  expect((await quittance()).file).toMatch(COMPILED);
});

test('the program before is kept for a server that runs it; older ones and abandoned drafts are deleted', async () => {
  const { folder, source, compile } = makeSmallCheckout();
  const make = (name: string, ageS: number) => {
    const path = join(folder, '.cache', name);
    mkdirSync(path, { recursive: true });
    utimesSync(path, Date.now() / 1_000 - ageS, Date.now() / 1_000 - ageS);
    return name;
  };
  make('program-0000000000000000', 7_200);
  const before = make('program-1111111111111111', 3_600);
  make('program-2222222222222222.1', 3_600);
  const draft = make('program-3333333333333333.1', 60);
  const lock = make('install.lock', 7_200);
  appendFileSync(source, '// Changed.\n');
  await compile();
  const left = readdirSync(join(folder, '.cache'));
  expect(left).toHaveLength(4);
  expect(left).toEqual(expect.arrayContaining([before, draft, lock]));
});

test('sources that cannot be compiled are named, and run as they are', async () => {
  const { source, compile, quittance } = makeSmallCheckout();
  appendFileSync(source, "if (process.argv.length > 9) await import('../no-such-file.ts');\n");
  const { stderr } = await compile();
  expect(stderr).toContain('the program is not compiled, and starts more slowly');
  expect(stderr).toContain('no-such-file.ts');
  expect((await quittance()).file).toBe(SOURCES);
});
