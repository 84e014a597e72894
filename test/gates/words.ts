import { documents } from './documents.ts';
import { type Source, sources, tests } from './sources.ts';

/** Words that a reader in a hurry has to decode, and what to write instead. */
const PLAIN: Readonly<Record<string, string>> = {
  anew: 'again',
  hitherto: 'until now',
  'in one breath': 'in the same tick, or in one statement',
  'lays down': 'releases',
  lest: 'so that … not',
  nobody: 'no one, or the passive voice',
  thereof: 'of it',
  told: 'notified, reported or recorded',
  wherein: 'in which',
  whoever: 'a caller, a client or a process',
  whosoever: 'a caller, a client or a process',
};

/** In quotes, `nobody` is the system user of that name. */
const WORDS = new RegExp(`(?<![\`'])\\b(${Object.keys(PLAIN).join('|')})\\b(?![\`'])`, 'gi');

/** The files that contain the words on purpose. */
const EXEMPT = new Set(['test/gates/words.ts', 'test/gates/gates.test.ts']);

/** Words of the list in sources, tests and documents. */
export function wordFaults(files: readonly Source[] = [...sources(), ...tests(), ...documents()]): string[] {
  return files
    .filter(({ path }) => !EXEMPT.has(path))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, i) =>
          [...line.matchAll(WORDS)].map(
            ([word]) => `${path}:${i + 1}: "${word}": write ${PLAIN[word.toLowerCase()]} instead`,
          ),
        ),
    );
}
