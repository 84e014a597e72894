import { dirname, join } from 'node:path';
import { productOf, type Source, sources } from './sources.ts';

/** A file of fewer lines that serves one other file of its folder only is part of that file. */
const MIN_LINES = 60;
/** No fragment is left. */
export const MOST_FRAGMENTS = 0;

/** Parts that every feature keeps in a file of their own. */
const ANATOMY = /(?:^|[./-])(?:entity|input|schema|page|worker|mount)\.tsx?$/;
const IMPORT = /^\s*(?:import|export)\s[^'"]*?['"](\.[^'"]+)['"]|^\s*import\s*['"](\.[^'"]+)['"]/gm;
/** What is loaded on its first use, which is why it is a file. */
const LOADED = /\bimport\(\s*['"](\.[^'"]+)['"]\s*\)/g;

/** A fragment, with the file to merge it into. */
export interface Fragment {
  readonly path: string;
  readonly importer: string;
  readonly lines: number;
}

/**
 * Small files with one importer, in the folder of that importer, without a test beside them. Tests count as no
 * importer.
 */
export function fragments(files: readonly Source[] = sources()): Fragment[] {
  const paths = new Set(files.map(({ path }) => path));
  const product = productOf(files);
  const importers = new Map<string, Set<string>>();
  const loaded = new Set<string>();
  for (const { path, text } of product) {
    const target = (match: RegExpMatchArray) => join(dirname(path), (match[1] ?? match[2]) as string);
    for (const match of text.matchAll(LOADED)) loaded.add(target(match));
    for (const to of new Set([...text.matchAll(IMPORT)].map(target)))
      importers.set(to, (importers.get(to) ?? new Set()).add(path));
  }
  return product.flatMap(({ path, text }) => {
    const [importer, ...others] = importers.get(path) ?? [];
    const lines = text.split('\n').length - 1;
    const stands =
      importer === undefined ||
      others.length > 0 ||
      dirname(importer) !== dirname(path) ||
      lines >= MIN_LINES ||
      loaded.has(path) ||
      ANATOMY.test(path) ||
      paths.has(path.replace(/(\.tsx?)$/, '.test$1'));
    return stands ? [] : [{ path, importer, lines }];
  });
}

/** Each fragment, if there are more than `most`. */
export function fragmentFaults(files: readonly Source[] = sources(), most = MOST_FRAGMENTS): string[] {
  const found = fragments(files);
  return found.length <= most
    ? []
    : found.map(
        ({ path, importer, lines }) => `${path}: ${lines} lines that serve ${importer} only: merge them into it`,
      );
}
