import type { Round } from './rounds.ts';

/** One line of the result. */
export interface Line {
  readonly name: string;
  /** What `ours` is compared with. */
  readonly against: string;
  readonly ratio: number;
  readonly ratios: readonly number[];
  readonly goal: number;
  readonly met: boolean;
  readonly ours: Round;
  readonly theirs: Round;
  /** The server's resident memory afterwards. */
  readonly memoryMiB?: number;
}

const COLUMNS: readonly [title: string, cell: (line: Line) => string][] = [
  ['path', ({ name }) => name],
  ['against', ({ against }) => against],
  ['ratio', ({ ratio }) => ratio.toFixed(2)],
  ['spread', ({ ratios }) => `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`],
  ['goal', ({ goal, met }) => `${goal.toFixed(2)} ${met ? 'met' : 'MISSED'}`],
  ['per s', ({ ours, theirs }) => (ours.perSecond ? `${whole(ours.perSecond)} : ${whole(theirs.perSecond)}` : '-')],
  ['p50 ms', ({ ours, theirs }) => `${ms(ours.p50Ms)} : ${ms(theirs.p50Ms)}`],
  ['p99 ms', ({ ours, theirs }) => `${ms(ours.p99Ms)} : ${ms(theirs.p99Ms)}`],
  ['MiB', ({ memoryMiB }) => (memoryMiB === undefined ? '' : whole(memoryMiB))],
];

const whole = (value: number) => String(Math.round(value));
const ms = (value: number | undefined) => (value === undefined ? '-' : value.toFixed(1));

/** The result for people. */
export function tableOf(lines: readonly Line[]): string {
  const rows = [COLUMNS.map(([title]) => title), ...lines.map((line) => COLUMNS.map(([, cell]) => cell(line)))];
  const widths = COLUMNS.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
