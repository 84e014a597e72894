import { sources } from './sources.ts';

const MAX_LINES = 400;

/** Files that have grown too long to be one idea. */
export function sizeFaults(): string[] {
  return sources()
    .map(({ path, text }) => ({ path, lines: text.split('\n').length }))
    .filter(({ lines }) => lines > MAX_LINES)
    .map(({ path, lines }) => `${path}: ${lines} lines; more than ${MAX_LINES} are two ideas`);
}
