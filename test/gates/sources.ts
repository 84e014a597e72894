import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export const root = join(import.meta.dirname, '../..');

/** A source file of the project, by its path from the root. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** Every TypeScript file under `src`, without generated ones. */
export const sources = (): Source[] => typeScriptIn('src');

/** Every TypeScript file under `test` and `tools`, without generated ones. */
export const tests = (): Source[] =>
  ['test', 'tools'].flatMap(typeScriptIn).filter(({ path }) => !path.endsWith('.d.ts'));

/** The files of the product among others: no tests, and nothing that only tests use. */
export const productOf = (files: readonly Source[]): Source[] =>
  files.filter(({ path }) => !path.includes('.test.') && !path.includes('/test/'));

function typeScriptIn(folder: string): Source[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes('/generated/'))
    .map((file) => ({ path: relative(root, file), text: readFileSync(file, 'utf8') }));
}
