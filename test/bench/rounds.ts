/** What one round of a contestant came to; latencies where they were measured. */
export interface Round {
  readonly perSecond: number;
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  readonly refused?: number;
}

/** Two contestants over the same rounds. */
export interface Duel {
  readonly ours: Round;
  readonly theirs: Round;
  /** The median over the rounds of ours / theirs, each pair being neighbours in time. */
  readonly ratio: number;
  readonly ratios: readonly number[];
}

/**
 * Lets two contestants run in turns, so that whatever else the machine does meets both, and compares each round with
 * its neighbour: the spread of such ratios is far smaller than that of the figures themselves.
 */
export async function duel(rounds: number, ours: () => Promise<Round>, theirs: () => Promise<Round>): Promise<Duel> {
  const a: Round[] = [];
  const b: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    // The order alternates, so that drift favours neither.
    if (round % 2 === 0) a.push(await ours());
    b.push(await theirs());
    if (round % 2 === 1) a.push(await ours());
  }
  const ratios = a.map((round, i) => round.perSecond / (b[i] as Round).perSecond);
  return { ours: middle(a), theirs: middle(b), ratio: median(ratios), ratios };
}

/** The median of each figure. */
function middle(rounds: readonly Round[]): Round {
  const of = (pick: (round: Round) => number | undefined) => {
    const values = rounds.map(pick).filter((value) => value !== undefined);
    return values.length > 0 ? median(values) : undefined;
  };
  return {
    perSecond: of((round) => round.perSecond) as number,
    p50Ms: of((round) => round.p50Ms),
    p99Ms: of((round) => round.p99Ms),
    refused: rounds.reduce((sum, round) => sum + (round.refused ?? 0), 0),
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? (sorted[half] as number) : ((sorted[half - 1] as number) + (sorted[half] as number)) / 2;
}
