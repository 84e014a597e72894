import { ORDER } from './imports.ts';
import { productOf, type Source, sources } from './sources.ts';

/** A measure of how much a newcomer has to see, and the most that it may be. */
interface Measure {
  readonly what: string;
  readonly most: number;
  count(files: readonly Source[]): number;
}

const occurrences = (pattern: RegExp) => (files: readonly Source[]) =>
  files.reduce((sum, { text }) => sum + (text.match(pattern)?.length ?? 0), 0);

/** Lower a number when the count falls. Who needs more raises it, and says why in the commit. */
const MEASURES: readonly Measure[] = [
  {
    what: 'folders and files at the top of src',
    most: 5,
    count: (files) => new Set(files.map(({ path }) => path.split('/')[1])).size,
  },
  { what: 'names in the import order', most: 20, count: () => Object.values(ORDER).flat().length },
  { what: 'slices of the dependencies (Pick<Deps)', most: 200, count: occurrences(/\bPick<Deps\b/g) },
  {
    what: 'stores that hang on the identity of an object',
    most: 12,
    count: occurrences(/(?<!function )\bweakMemo\(|\bnew WeakMap\b/g),
  },
  {
    what: 'calls of transact: product code has db.transaction',
    most: 1,
    count: occurrences(/(?<!function )\btransact\(/g),
  },
  {
    what: 'files with an entity manager: transactions and migrations',
    most: 2,
    count: (files) => files.filter(({ text }) => /\bem\.\w+\(/.test(text)).length,
  },
];

/** Each measure as a line of the check. */
export const measured = (files: readonly Source[] = sources()): string[] =>
  MEASURES.map(({ what, most, count }) => `${what}: ${count(productOf(files))} of at most ${most}`);

/** Measures beyond their limit. */
export const measureFaults = (files: readonly Source[] = sources()): string[] =>
  MEASURES.filter(({ most, count }) => count(productOf(files)) > most).map(
    ({ what, most, count }) => `src: ${count(productOf(files))} ${what}, more than ${most}`,
  );
