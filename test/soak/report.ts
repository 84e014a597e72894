import type { Sample } from './sampler.ts';
import { growthOf, tenthsOf } from './trend.ts';

/** The growth over the whole run that counts as flat, as a share of the median. */
const LIMITS = {
  rssMiB: 0.15,
  heapMiB: 0.15,
  descriptors: 0.1,
  resources: 0.1,
  connections: 0.1,
} as const;
/** Processor time per request: the last tenth of the run compared with the first. */
const CPU_LIMIT = 1.2;
/** PostgreSQL's vacuum begins at a fifth, and takes a while. */
const DEAD_LIMIT = 0.4;

interface Series {
  readonly name: string;
  readonly values: readonly number[];
  readonly limit: number;
}

/** The table of a run, and what has exceeded its limit. */
export function verdictOn(samples: readonly Sample[]): { readonly table: string; readonly exceeded: string[] } {
  const ofProcesses = (['web', 'worker'] as const).flatMap((process) =>
    (['rssMiB', 'heapMiB', 'descriptors', 'resources'] as const).map((what): Series => {
      const values = samples.map((sample) => sample[process][what]);
      return { name: `${process} ${what}`, values, limit: LIMITS[what] };
    }),
  );
  const connections = samples.map((sample) => sample.connections);
  const series = [...ofProcesses, { name: 'connections', values: connections, limit: LIMITS.connections }];
  const cpuMs = samples.slice(1).map(({ web, worker, requests }, i) => {
    const before = samples[i]!;
    const spent = web.cpuS + worker.cpuS - before.web.cpuS - before.worker.cpuS;
    return (1_000 * spent) / Math.max(1, requests - before.requests);
  });
  const [first, last] = tenthsOf(cpuMs);
  const dead = Math.max(...samples.slice(-Math.ceil(samples.length / 3)).map(({ deadShare }) => deadShare));

  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  const exceeded = series
    .filter(({ values, limit }) => growthOf(values) > limit)
    .map(({ name, values, limit }) => `${name} grows by ${percent(growthOf(values))}, at most ${percent(limit)}`);
  if (last / first > CPU_LIMIT)
    exceeded.push(`processor time per request is ${(last / first).toFixed(2)} times that of the first tenth`);
  if (dead > DEAD_LIMIT) exceeded.push(`${percent(dead)} of the rows are dead`);

  const rows = [
    ...series.map(({ name, values, limit }) => {
      const ends = tenthsOf(values).map((one) => one.toFixed(name.endsWith('MiB') ? 1 : 0));
      return [name, ...ends, percent(growthOf(values)), percent(limit)];
    }),
    [
      'ms of processor per request',
      first.toFixed(2),
      last.toFixed(2),
      `${(last / first).toFixed(2)} ×`,
      `${CPU_LIMIT} ×`,
    ],
    [
      'dead rows',
      percent(samples[0]!.deadShare),
      percent(samples.at(-1)!.deadShare),
      percent(dead),
      percent(DEAD_LIMIT),
    ],
  ];
  const head = ['what', 'first tenth', 'last tenth', 'growth', 'limit'];
  const lines = [head, ...rows].map((row) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(28) : cell.padStart(12))).join(''),
  );
  const spans = `${samples.length} samples in ${Math.round(samples.at(-1)!.minute)} minutes, ${samples.at(-1)!.requests} requests`;
  return { table: [spans, ...lines].join('\n'), exceeded };
}
