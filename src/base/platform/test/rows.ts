import type { Listing, PageRequest } from '../keyset.ts';

/** The rows of a page; by default the first 200. */
export const rowsOf = async <Row>(
  listing: Listing<Row> | Promise<Listing<Row>>,
  page: PageRequest = { limit: 200 },
): Promise<Row[]> => (await (await listing).read(page)).map(({ row }) => row);
