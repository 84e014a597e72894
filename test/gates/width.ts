import { documents } from './documents.ts';
import { type Source, sources, tests } from './sources.ts';

const MAX_COLUMNS = 120;
const COMMENT = /^\s*(?:\/\*\*|\*|\/\/)/;
/** Lines of Markdown that cannot be wrapped: tables, code, and the text of tools. */
const UNWRAPPED = /^\s*\||^\[[^\]]+\]: |^<!--/;
const FENCE = /^\s*```/;

/** Lines of comments and of prose that are wider than the maximum. */
export function widthFaults(): string[] {
  return [
    ...[...sources(), ...tests()].flatMap((file) => faultsIn(file, (line) => COMMENT.test(line))),
    ...documents().flatMap(proseFaults),
  ];
}

/** Lines of Markdown prose that are wider than the maximum. */
export function proseFaults(document: Source): string[] {
  let isCode = false;
  return faultsIn(document, (line) => {
    if (FENCE.test(line)) isCode = !isCode;
    return !isCode && !UNWRAPPED.test(line);
  });
}

const faultsIn = ({ path, text }: Source, counts: (line: string) => boolean): string[] =>
  text
    .split('\n')
    .map((line, i) => ({ line, number: i + 1, counted: counts(line) }))
    .filter(({ line, counted }) => counted && line.length > MAX_COLUMNS)
    .map(({ number }) => `${path}:${number}: wider than ${MAX_COLUMNS} columns: wrap it`);
