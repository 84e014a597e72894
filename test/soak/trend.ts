const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

/**
 * By how much of its median a series grows from its first to its last value, by the median of the slopes of all pairs
 * (Theil-Sen): single outliers change nothing.
 */
export function growthOf(values: readonly number[]): number {
  const slopes = values.flatMap((from, i) => values.slice(i + 1).map((to, n) => (to - from) / (n + 1)));
  if (slopes.length === 0) return 0;
  return (median(slopes) * (values.length - 1)) / Math.max(1, median(values));
}

/** The mean of the first tenth of the values, and of the last. */
export function tenthsOf(values: readonly number[]): readonly [first: number, last: number] {
  const size = Math.max(1, Math.floor(values.length / 10));
  const mean = (some: readonly number[]) => some.reduce((sum, one) => sum + one, 0) / some.length;
  return [mean(values.slice(0, size)), mean(values.slice(-size))];
}
