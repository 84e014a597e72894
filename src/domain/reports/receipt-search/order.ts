import { sql } from 'kysely';
import type { Place } from '../../../base/core/cursor.ts';
import type { PageRequest } from '../../../base/platform/keyset.ts';
import type { ReceiptFilter } from './filter.input.ts';

/** What receipts can be ordered by. */
export const SORT_FIELDS = ['createdAt', 'paidAt', 'totalUsd'] as const;

/** The order of a list of receipts. The id orders equal values, in the same direction. */
export interface ReceiptOrder {
  readonly field: (typeof SORT_FIELDS)[number];
  readonly direction: 'asc' | 'desc';
}

/** The newest first. */
export const NEWEST: ReceiptOrder = { field: 'createdAt', direction: 'desc' };

/** The column of a search row that an order compares. */
export const KEY_COLUMNS = {
  createdAt: 'created_at',
  paidAt: 'paid_at',
  totalUsd: 'total_cents',
} as const satisfies Record<ReceiptOrder['field'], string>;

/** The rows between two places, both exclusive. No id is empty, so an empty one is before all of its key. */
export interface Bounds {
  readonly lowKey: number;
  readonly lowId: string;
  readonly highKey: number;
  readonly highId: string;
}

/** Nothing is paid before it was created, except for the differences between the clocks of servers and blocks. */
const CLOCKS_MS = 3_600_000;

const LOWEST: Place = [-1, ''];
const HIGHEST: Place = [Number.MAX_SAFE_INTEGER, ''];

/** The part of a list that a page and the filter's range of the order's own field leave. */
export function boundsOf(
  { field, direction }: ReceiptOrder,
  filter: ReceiptFilter,
  { after, before }: Pick<PageRequest, 'after' | 'before'>,
): Bounds {
  const [from, to] = {
    createdAt: [filter.createdFrom, least(filter.createdTo, filter.paidTo && filter.paidTo + CLOCKS_MS)],
    paidAt: [filter.paidFrom, filter.paidTo],
    totalUsd: [filter.totalMinCents, filter.totalMaxCents],
  }[field];
  const [low, high] = direction === 'asc' ? [after, before] : [before, after];
  const [lowKey, lowId] = larger(low ?? LOWEST, from === undefined ? LOWEST : [from, '']);
  const [highKey, highId] = smaller(high ?? HIGHEST, to === undefined ? HIGHEST : [to + 1, '']);
  return { lowKey: Number(lowKey), lowId: String(lowId), highKey: Number(highKey), highId: String(highId) };
}

const least = (a: number | undefined, b: number | undefined) =>
  a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);

/** The id of `limit` is empty, so equal keys leave the place. */
const larger = (place: Place, limit: Place): Place => (Number(limit[0]) > Number(place[0]) ? limit : place);
const smaller = (place: Place, limit: Place): Place => (Number(limit[0]) <= Number(place[0]) ? limit : place);

/** The condition that a row with these columns is within bounds, whose values are parameters of a statement. */
export const within = (key: string, id: string, $: Bounds) => {
  const place = sql.raw(`(${key}, ${id})`);
  return sql<boolean>`${place} > (${$.lowKey}::int8, ${$.lowId}::text)
    and ${place} < (${$.highKey}::int8, ${$.highId}::text)`;
};
