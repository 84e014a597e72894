/**
 * `npm run long -- mutation AREA...`: changes one expression after the other in the code of an area (default: every
 * area), and runs the area's unit tests. A change that no test notices is a survivor. See
 * docs/contribute/reliability.md.  Ends with 1 if the tests of an area notice less than 80 % of its changes.
 */
import { rmSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { installPackages } from '../support/services/installed-packages.ts';
import { AREAS, type Area } from './areas.ts';

const LEAST_PERCENT = 80;
const root = join(import.meta.dirname, '../..');

/** What is used of the result of Stryker for one change. */
interface Mutant {
  readonly status: 'Killed' | 'Survived' | 'NoCoverage' | 'Timeout' | 'Ignored' | 'CompileError' | 'RuntimeError';
  readonly fileName: string;
  readonly location: { readonly start: { readonly line: number; readonly column: number } };
  readonly mutatorName: string;
  readonly replacement?: string;
}

interface StrykerModule {
  readonly Stryker: new (options: object) => { runMutationTest(): Promise<Mutant[]> };
}

/** Installs Stryker. Its runner must load the vitest that the test files load: the project's own. */
function installStryker(): string {
  const folder = installPackages('mutation', join(import.meta.dirname, 'programs'));
  const link = join(folder, 'node_modules/vitest');
  rmSync(link, { force: true });
  symlinkSync(join(root, 'node_modules/vitest'), link);
  return folder;
}

async function mutate(folder: string, name: string, { mutate: patterns }: Area): Promise<Mutant[]> {
  process.env.MUTATION_AREA = name;
  const entry = join(folder, 'node_modules/@stryker-mutator/core/dist/src/index.js');
  const { Stryker } = (await import(pathToFileURL(entry).href)) as StrykerModule;
  const stryker = new Stryker({
    mutate: patterns,
    testRunner: 'vitest',
    vitest: { configFile: 'test/mutation/vitest.config.ts' },
    // The sandbox is a copy of the project.
    tempDirName: join(folder, 'sandboxes'),
    ignorePatterns: ['.cache', '.data', 'coverage', 'dist', 'docs'],
    // Node reads the sources as they are: there is no configuration of a compiler to adapt.
    tsconfigFile: 'none',
    coverageAnalysis: 'perTest',
    concurrency: 1,
    timeoutMS: 20_000,
    reporters: [],
    allowConsoleColors: false,
    logLevel: 'error',
  });
  return stryker.runMutationTest();
}

/** Prints the figures and the survivors of an area; whether enough were noticed. */
function report(name: string, mutants: readonly Mutant[]): boolean {
  const count = (...wanted: Mutant['status'][]) => mutants.filter(({ status }) => wanted.includes(status)).length;
  const [killed, timeouts, survived] = [count('Killed'), count('Timeout'), count('Survived', 'NoCoverage')];
  const percent = (100 * (killed + timeouts)) / (killed + timeouts + survived);
  for (const { status, fileName, location, mutatorName, replacement } of mutants) {
    if (status !== 'Survived' && status !== 'NoCoverage') continue;
    const { line, column } = location.start;
    const change = (replacement ?? '').replaceAll(/\s+/g, ' ').slice(0, 80);
    console.log(`${relative(root, fileName)}:${line}:${column} ${mutatorName}: ${change}`);
  }
  console.log(`${name}: ${killed} killed, ${survived} survived, ${timeouts} timeouts: ${percent.toFixed(1)} %`);
  return percent >= LEAST_PERCENT;
}

const { positionals } = parseArgs({ allowPositionals: true });
const names = positionals.length > 0 ? positionals : Object.keys(AREAS);
const unknown = names.find((name) => !Object.hasOwn(AREAS, name));
if (unknown !== undefined) throw new Error(`no area "${unknown}"; there are ${Object.keys(AREAS).join(', ')}`);
const folder = installStryker();
for (const name of names) {
  if (!report(name, await mutate(folder, name, AREAS[name]!))) process.exitCode = 1;
}
