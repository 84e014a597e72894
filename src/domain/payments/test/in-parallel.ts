/** Maps items with bounded concurrency; returns the results in order. */
export async function inParallel<T, R>(all: readonly T[], width: number, work: (one: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  const queue = all.entries();
  const lane = async () => {
    for (const [place, one] of queue) answers[place] = await work(one);
  };
  await Promise.all(Array.from({ length: width }, lane));
  return answers;
}
