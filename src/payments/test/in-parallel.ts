/** Does the same with each, so many at a time; the answers in their order. */
export async function inParallel<T, R>(all: readonly T[], width: number, work: (one: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  const queue = all.entries();
  const lane = async () => {
    for (const [place, one] of queue) answers[place] = await work(one);
  };
  await Promise.all(Array.from({ length: width }, lane));
  return answers;
}
