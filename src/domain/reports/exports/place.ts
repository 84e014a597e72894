import { sql } from 'kysely';
import type { TimeRange } from './column.ts';

/** A place in the order of transfers: by time, then by their own key. */
export interface Place {
  readonly at: number;
  readonly chainId: number;
  readonly transactionHash: string;
  readonly logIndex: number;
}

/** A range of time and the place after which it goes on, for the parameters of a statement. */
export interface PlaceBounds extends Place {
  readonly from: number;
  readonly to: number;
}

/** The bounds of a step. Without a last row, they begin before all rows of the range. */
export const boundsAfter = ({ from, to, direction }: TimeRange, last: Place | null): PlaceBounds => ({
  ...{ from, to, at: last?.at ?? (direction === 'asc' ? from : to + 1) },
  ...{ chainId: last?.chainId ?? -1, transactionHash: last?.transactionHash ?? '', logIndex: last?.logIndex ?? 0 },
});

/** Whether the transfer `t` with this time is within the bounds. */
export const isWithin = (time: string, direction: TimeRange['direction'], $: PlaceBounds) => sql<boolean>`
  ${sql.raw(time)} between ${$.from}::int8 and ${$.to}::int8
  and (${sql.raw(time)}, t.chain_id, t.transaction_hash, t.log_index)
    ${sql.raw(direction === 'asc' ? '>' : '<')} (${$.at}::int8, ${$.chainId}::int8, ${$.transactionHash}::text, ${$.logIndex}::int4)`;

/** The order of the transfers `t`. */
export const inOrder = (time: string, direction: TimeRange['direction']) =>
  sql.raw(`${time} ${direction}, t.chain_id ${direction}, t.transaction_hash ${direction}, t.log_index ${direction}`);
