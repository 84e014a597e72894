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
import { expect, inject, onTestFinished, test } from 'vitest';
import { root } from '../../gates/sources.ts';
import { createDatabase } from '../../support/database.ts';

const run = promisify(execFile);
const SOURCES = '/src/app/cli/main.ts';
const COMPILED = /^\/\.cache\/program-[0-9a-f]{16}\/main\.js$/;
const LAUNCHER = ['compile.js', 'install.js', 'quittance.js'].map((name) => join('src/app/cli', name));

/** A checkout with the given files of this one, and with its packages. */
function makeCheckout(files: readonly string[]) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quittance-compile-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const path of ['package.json', 'package-lock.json', ...files])
    cpSync(join(root, path), join(folder, path), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const hook = join(folder, 'hook.mjs');
  writeFileSync(
    hook,
    `import { registerHooks } from 'node:module';
    const urls = [];
    registerHooks({ load(url, context, next) { urls.push(url); return next(url, context); } });
    process.on('exit', () => process.stderr.write(JSON.stringify([process.argv[1], urls])));`,
  );
  return {
    folder,
    compile: () => run(process.execPath, [join(folder, 'src/app/cli/compile.js')]),
    /** The file that a command runs, the packages that it loads beside it, and what it prints. */
    async quittance(args: readonly string[] = [], given: Record<string, string> = {}) {
      const env = { PATH: process.env.PATH, DATA_DIR: folder, NODE_OPTIONS: `--import=${hook}`, ...given };
      const { stdout, stderr } = await run(process.execPath, [join(folder, 'src/app/cli/quittance.js'), ...args], {
        env,
      });
      const [file, urls] = JSON.parse(stderr) as [string, string[]];
      const packages = urls.flatMap((url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []);
      return { file: file.slice(folder.length), packages: [...new Set(packages)], printed: stdout };
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

test('commands run the sources until the program is compiled; then they know the folders of the project, and need no package', async () => {
  const { folder, compile, quittance } = makeCheckout(['src', 'migrations']);
  expect((await quittance(['--version'])).file).toBe(SOURCES);
  await compile();
  const { file, printed } = await quittance(['schema']);
  expect(file).toMatch(COMPILED);
  expect(printed).not.toContain('.cache');
  expect(existsSync(join(folder, 'schema.graphql'))).toBe(true);

  // A package that is loaded a second time, beside the program that has it, is slow, and its classes are not the same.
  const { databaseUrl, drop } = await createDatabase();
  onTestFinished(drop);
  const env = { DATABASE_URL: databaseUrl, RPC_URL: inject('rpcUrl'), CHAIN_ID: String(inject('chainId')) };
  const list = await quittance(['merchant', 'list', '--json'], env);
  expect(list).toMatchObject({ file, printed: '[]\n' });
  expect(list.packages.filter((name) => name !== 'picomatch')).toEqual([]);
});

test('a change of the sources is never hidden by a program that was compiled before', async () => {
  const { source, compile, quittance } = makeSmallCheckout();
  await compile();
  expect(await quittance()).toMatchObject({ file: expect.stringMatching(COMPILED), printed: 'one\n' });
  writeFileSync(source, "console.log('two' as string);\n");
  expect(await quittance()).toMatchObject({ file: SOURCES, printed: 'two\n' });
  await compile();
  expect(await quittance()).toMatchObject({ file: expect.stringMatching(COMPILED), printed: 'two\n' });
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
