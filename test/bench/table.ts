import type { Comparison, Round } from './rounds.ts';

/** One line of the result. */
export interface Line extends Comparison {
  readonly name: string;
  /** What `ours` is compared with. */
  readonly against: string;
  /** The least ratio that is good enough; absent for a peer, which is measured for comparison only. */
  readonly goal?: number;
  /** The server's resident memory afterwards. */
  readonly memoryMiB?: number;
}

/** At this share of a core the load generator limits the result. */
const GENERATOR_LIMIT = 0.9;

const COLUMNS: readonly [title: string, cell: (line: Line) => string][] = [
  ['path', ({ name }) => name],
  ['against', ({ against }) => against],
  ['ratio', ({ ratio }) => ratio.toFixed(2)],
  ['spread', ({ ratios }) => `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`],
  ['goal', (line) => (line.goal === undefined ? '' : `${line.goal.toFixed(2)} ${isMet(line) ? 'met' : 'MISSED'}`)],
  ['CPU ratio', ({ cpuRatio }) => cpuRatio?.toFixed(2) ?? '-'],
  ['server µs', both('serverUs')],
  ['database µs', both('databaseUs')],
  ['per s', both('perSecond')],
  ['p50 ms', both('p50Ms', 1)],
  ['p99 ms', both('p99Ms', 1)],
  ['load %', ({ ours, theirs }) => `${loadOf(ours)} : ${loadOf(theirs)}`],
  ['MiB', ({ memoryMiB }) => memoryMiB?.toFixed(0) ?? ''],
];

function both(figure: keyof Round, digits = 0): (line: Line) => string {
  const cell = (round: Round) => round[figure]?.toFixed(digits) ?? '-';
  return ({ ours, theirs }) => `${cell(ours)} : ${cell(theirs)}`;
}

function loadOf({ generatorShare }: Round): string {
  if (generatorShare === undefined) return '-';
  return `${Math.round(generatorShare * 100)}${generatorShare >= GENERATOR_LIMIT ? ' LIMIT' : ''}`;
}

export const isMet = ({ goal, ratio }: Line): boolean => goal === undefined || ratio >= goal;

/** The result as a table for the terminal. */
export function tableOf(lines: readonly Line[]): string {
  const rows = [COLUMNS.map(([title]) => title), ...lines.map((line) => COLUMNS.map(([, cell]) => cell(line)))];
  const widths = COLUMNS.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)));
  const write = (row: readonly string[]) => row.map((cell, i) => cell.padEnd(widths[i]!)).join('  ');
  return rows.map((row) => write(row).trimEnd()).join('\n');
}
