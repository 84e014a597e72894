import { sources } from './sources.ts';

const MAX_LINES = 400;

/** Files with more than the maximum number of lines. */
export function sizeFaults(): string[] {
  return sources()
    .map(({ path, text }) => ({ path, lines: text.split('\n').length }))
    .filter(({ lines }) => lines > MAX_LINES)
    .map(({ path, lines }) => `${path}: ${lines} lines, more than the maximum of ${MAX_LINES}: split it`);
}
