#!/usr/bin/env node
/**
 * Compiles the program: the sources and the packages that they import become a few files. Node loads those in half the
 * time that it takes for 2,500 modules. Plain JavaScript for Node 18 or later: npm runs it before a start, and the
 * launcher asks it what to run.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { compiledPrefix, projectRoot } from './install.js';

const source = join(projectRoot, 'src/app/cli/main.ts');

/** What CommonJS packages expect in a module, and the location that `platform/files/project-dir.ts` has in the sources. */
const banner = `import { createRequire as makeRequire } from 'node:module';
const require = makeRequire(import.meta.url), { dirname: __dirname, filename: __filename } = import.meta;`;
const location = pathToFileURL(join(projectRoot, 'src/base/platform/files/project-dir.ts')).href;

/** @type {import('esbuild').BuildOptions} */
const options = {
  absWorkingDir: projectRoot,
  entryPoints: [source],
  bundle: true,
  // Commands load only the files that they need.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  // The compiler itself, and two viewers of megabytes that only development shows.
  external: ['esbuild', '@graphql-yoga/render-graphiql', '@scalar/fastify-api-reference'],
  // For `NODE_OPTIONS=--enable-source-maps`, which makes a start half a second slower.
  sourcemap: 'linked',
  sourcesContent: false,
  banner: { js: banner },
  write: false,
  define: { 'import.meta.url': JSON.stringify(location) },
  logLevel: 'silent',
};

/** The file that Node runs: the compiled program if it was made from these sources, otherwise the sources themselves. */
export function programFile() {
  const compiled = join(compiledFolder(), 'main.js');
  return existsSync(compiled) ? compiled : source;
}

/**
 * Compiles the program unless that is done. Prints a line if it is not possible: the program runs from its sources
 * then, and starts more slowly.
 */
export async function compileProgram() {
  const folder = compiledFolder();
  if (existsSync(folder)) return;
  const draft = `${folder}.${process.pid}`;
  try {
    const { build } = await import('esbuild');
    const { outputFiles } = await build({ ...options, outdir: draft });
    mkdirSync(draft, { recursive: true });
    for (const { path, text } of outputFiles) writeFileSync(path, withClassNames(text));
    writeFileSync(join(draft, 'package.json'), '{"type":"module"}\n');
    renameSync(draft, folder);
    dropOlder(folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another process was faster.
    if (existsSync(folder)) return;
    process.stderr.write(`quittance: the program is not compiled, and starts more slowly: ${error.message}\n`);
  }
}

/**
 * Gives classes that mention themselves their names again: esbuild calls them `_Name`, and MikroORM knows its extensions
 * by name. esbuild's own option `keepNames` costs a call for each closure that is made, also while the program runs.
 */
const withClassNames = (text) =>
  text.replaceAll(
    /= class _(\w+)(?: extends [\w$.]+)? \{/g,
    '$& static { Object.defineProperty(this, "name", { value: "$1" }); }',
  );

/** The folder of these sources and packages, whether or not it exists. */
function compiledFolder() {
  const hash = createHash('sha256');
  for (const file of [join(projectRoot, 'package-lock.json'), ...sources()])
    hash.update(file).update(readFileSync(file));
  return compiledPrefix + hash.digest('hex').slice(0, 16);
}

const sources = () =>
  // With the kinds of entries, Node does not ask for each one's kind again. Before 20.12 `parentPath` was `path`.
  readdirSync(join(projectRoot, 'src'), { recursive: true, withFileTypes: true })
    // Declarations are no part of the program, and only checks make the generated ones.
    .filter(({ name }) => /\.(?:[jt]s|json)$/.test(name) && !/\.(?:d|test)\.ts$/.test(name))
    .map(({ parentPath, path, name }) => join(parentPath ?? path, name))
    .sort();

/** Deletes all but this program, the one before, which a server may still run, and what another process compiles. */
function dropOlder(folder) {
  const parent = dirname(folder);
  const others = readdirSync(parent)
    .map((name) => join(parent, name))
    .filter((path) => path.startsWith(compiledPrefix) && path !== folder)
    .map((path) => ({ path, isDraft: extname(path) !== '', madeAt: statSync(path).mtimeMs }));
  const before = Math.max(...others.filter(({ isDraft }) => !isDraft).map(({ madeAt }) => madeAt));
  const abandoned = Date.now() - 600_000;
  for (const { path, isDraft, madeAt } of others)
    if (madeAt < (isDraft ? abandoned : before)) rmSync(path, { recursive: true, force: true });
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) await compileProgram();
