/**
 * Reads one value ahead, so that its source works while the reader does. At most one value waits. An error of the
 * source arrives in its turn.
 */
export async function* ahead<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = source.next();
  try {
    for (;;) {
      const { value, done } = await next;
      if (done) return;
      next = source.next();
      // Handled in its turn, or not at all if the reader leaves.
      next.catch(() => {});
      yield value;
    }
  } finally {
    await source.return(undefined).catch(() => {});
  }
}
