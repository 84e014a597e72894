/** The result of one round. Latencies, CPU times and the generator's share are present where they are measured. */
export interface Round {
  readonly perSecond: number;
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  readonly refused?: number;
  /** CPU time of the server process for each request, in microseconds. */
  readonly serverUs?: number;
  /** CPU time of PostgreSQL for each request, in microseconds. */
  readonly databaseUs?: number;
  /** The share of one core that the load generator used. */
  readonly generatorShare?: number;
}

/** Two contestants over the same rounds. */
export interface Comparison {
  readonly ours: Round;
  readonly theirs: Round;
  /** The median of ours / theirs over adjacent rounds. */
  readonly ratio: number;
  readonly ratios: readonly number[];
  /** The same of CPU time a request, of server and database together, inverted: more is better. */
  readonly cpuRatio?: number;
}

/**
 * Runs two contestants in turns and compares adjacent rounds. Other load on the machine then affects both, and the
 * ratios vary less than the figures.
 */
export async function compare(
  rounds: number,
  ours: () => Promise<Round>,
  theirs: () => Promise<Round>,
): Promise<Comparison> {
  const a: Round[] = [];
  const b: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    // The order alternates, so that a drift favours neither.
    if (round % 2 === 0) a.push(await ours());
    b.push(await theirs());
    if (round % 2 === 1) a.push(await ours());
  }
  const pairs = a.map((round, i) => [round, b[i] as Round] as const);
  const ratios = pairs.map(([our, their]) => our.perSecond / their.perSecond);
  const cpuRatios = pairs.map(([our, their]) => (cpuOf(their) ?? 0) / (cpuOf(our) ?? 0));
  return {
    ours: middle(a),
    theirs: middle(b),
    ratio: median(ratios),
    ratios,
    cpuRatio: cpuRatios.every(Number.isFinite) ? median(cpuRatios) : undefined,
  };
}

/** The times of some work that had to be done in `limitMs`; `amount` is the requests or rows of it. */
export function compareToLimit(tookMs: readonly number[], limitMs: number, amount: number): Comparison {
  const ratios = tookMs.map((ms) => limitMs / ms);
  const roundOf = (ms: number): Round => ({ perSecond: (amount * 1_000) / ms, p50Ms: ms });
  return { ratio: median(ratios), ratios, ours: roundOf(median(tookMs)), theirs: roundOf(limitMs) };
}

/** A ratio of memory, which has no rate. */
export const weighed = (ratio: number): Comparison => ({
  ratio,
  ratios: [ratio],
  ours: { perSecond: 0 },
  theirs: { perSecond: 0 },
});

const cpuOf = ({ serverUs, databaseUs }: Round): number | undefined =>
  serverUs === undefined ? undefined : serverUs + (databaseUs ?? 0);

/** The median of each figure; refused requests are added. */
function middle(rounds: readonly Round[]): Round {
  const of = (figure: keyof Round) => {
    const values = rounds.map((round) => round[figure]).filter((value) => value !== undefined);
    return values.length > 0 ? median(values) : undefined;
  };
  return {
    perSecond: of('perSecond') as number,
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    serverUs: of('serverUs'),
    databaseUs: of('databaseUs'),
    generatorShare: of('generatorShare'),
    refused: rounds.reduce((sum, round) => sum + (round.refused ?? 0), 0),
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? (sorted[half] as number) : ((sorted[half - 1] as number) + (sorted[half] as number)) / 2;
}
