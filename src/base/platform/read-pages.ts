/** A page of a table that is read from end to end: what was found in it, and the key of its last row. */
export interface KeyedPage<Found, Key> {
  readonly found: readonly Found[];
  /** Null at the end of the table. */
  readonly last: Key | null;
}

/**
 * Reads a table from end to end by its key, one bounded statement a page, and handles what is found page by page.
 *
 * @param first the key before the first row
 */
export async function readPages<Found, Key>(
  first: Key,
  read: (after: Key) => Promise<KeyedPage<Found, Key>>,
  handle: (found: readonly Found[]) => Promise<void> | void,
): Promise<void> {
  for (let after: Key | null = first; after !== null; ) {
    const page: KeyedPage<Found, Key> = await read(after);
    if (page.found.length > 0) await handle(page.found);
    after = page.last;
  }
}
