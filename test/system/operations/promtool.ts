import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentOf, unpackDebian } from '../../support/services/debian.ts';
import { findProgram, type Program, runProgram } from '../../support/services/programs.ts';

export const RULES_FILE = join(import.meta.dirname, '../../../docs/run/alerts.yml');

let found: Program | undefined;

/** Finds promtool on PATH, else unpacks Debian's into the cache. Throws with the command that helps. */
function findPromtool(): Program {
  const file = findProgram('promtool');
  if (file) return { file, env: {} };
  try {
    const root = unpackDebian('prometheus', ['prometheus']);
    return { file: join(root, 'usr/bin/promtool'), env: environmentOf(root) };
  } catch (error) {
    throw new Error('the tests need promtool: run `apt-get install prometheus`', { cause: error });
  }
}

/** Runs promtool and gives its output. Throws with its own words if it finds a fault. */
export function promtool(...args: string[]): string {
  found ??= findPromtool();
  return runProgram(found.file, args, undefined, found.env);
}

/** What Prometheus has scraped, and which alerts of docs/run/alerts.yml then fire. */
export interface Scene {
  /** Series in promtool's notation, by name with labels; one value each 15 s. */
  readonly series: Readonly<Record<string, string>>;
  /** The names of the alerts that fire, by the time since the first scrape (`10m`). All others do not. */
  readonly firing: Readonly<Record<string, readonly string[]>>;
  /** The alerts that are looked at; all unless given. */
  readonly among?: readonly string[];
}

const firingOf = (among: readonly string[] | undefined) =>
  `group by (alertname) (ALERTS{alertstate="firing", alertname=~"${among?.join('|') ?? '.+'}"})`;

/** Checks scenes with `promtool test rules`. Throws with what fires instead. */
export function checkScenes(scenes: readonly Scene[]): void {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-promtool-'));
  const file = join(folder, 'scenes.json');
  const tests = scenes.map(({ series, firing, among }) => ({
    interval: '15s',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: Object.entries(firing).map(([at, alerts]) => ({
      expr: firingOf(among),
      eval_time: at,
      exp_samples: alerts.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
    })),
  }));
  writeFileSync(file, JSON.stringify({ rule_files: [RULES_FILE], evaluation_interval: '15s', tests }));
  try {
    promtool('test', 'rules', file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
