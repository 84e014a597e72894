import { type SelectQueryBuilder, sql } from 'kysely';
import type { Wallet } from '../../core/wallet.ts';
import type { Bus } from '../../platform/bus.ts';
import type { Db } from '../../platform/db.ts';
import { type KeysetOrder, keysetList, type Listing, listing } from '../../platform/keyset.ts';
import type { Source } from '../../platform/live-feed.ts';
import { cursorOfRow, followNumbers } from '../../platform/ordered-feed.ts';
import { query, type RowOf } from '../../platform/postgres/query.ts';
import type { AuditAction, AuditObject } from './actions.ts';
import { auditChannel } from './record.ts';

const COLUMNS = [
  'merchant',
  'position',
  'at',
  'actor',
  'action',
  'objectType',
  'objectId',
  'before',
  'after',
  'personal',
  'previousHash',
  'hash',
] as const;

const AFTER = query(
  'audit-entries-after',
  (db, $: { merchant: Wallet; position: bigint; limit: number }) =>
    db
      .selectFrom('AuditEntry')
      .select(COLUMNS)
      .select(cursorOfRow('AuditEntry').as('cursor'))
      .where('merchant', '=', $.merchant)
      .where('position', '>', sql<number>`${$.position}::int8`)
      .orderBy('position')
      .limit($.limit),
  { computed: { cursor: 'text' } },
);
const LAST = query('audit-entries-last', (db, $: { merchant: Wallet }) =>
  db.selectFrom('AuditHead').select('position').where('merchant', '=', $.merchant),
);

/** An entry as it is shown. `cursor` is where to resume the stream after it. */
export type AuditRecord = Readonly<RowOf<typeof AFTER>>;

/** Conditions on entries; all that are given must hold. */
export interface AuditFilter {
  readonly actions: readonly AuditAction[] | null;
  readonly actor: string | null;
  readonly objectType: AuditObject | null;
  readonly objectId: string | null;
  /** Epoch ms; both ends are included. */
  readonly from: number | null;
  readonly to: number | null;
}

interface Parameters extends AuditFilter {
  readonly merchant: Wallet;
}

const matching = <DB, TB extends keyof DB, O>(
  entries: SelectQueryBuilder<DB, TB, O>,
  $: AuditFilter,
): SelectQueryBuilder<DB, TB, O> =>
  entries
    .where(sql<boolean>`(${$.actions}::text[] is null or action = any(${$.actions}))`)
    .where(sql<boolean>`(${$.actor}::text is null or actor = ${$.actor})`)
    .where(sql<boolean>`(${$.objectType}::text is null or object_type = ${$.objectType})`)
    .where(sql<boolean>`(${$.objectId}::text is null or object_id = ${$.objectId})`)
    .where(sql<boolean>`(${$.from}::int8 is null or at >= ${$.from})`)
    .where(sql<boolean>`(${$.to}::int8 is null or at <= ${$.to})`);

const listOf = (direction: KeysetOrder['direction']) =>
  keysetList(`audit ${direction}`, {
    order: { name: 'audit', direction, keys: [{ name: 'position', type: 'int8' }] },
    from: (db, $: Parameters) => matching(db.selectFrom('AuditEntry').where('merchant', '=', $.merchant), $),
    select: (entries) => entries.select(COLUMNS).select(cursorOfRow('AuditEntry').as('cursor')),
    computed: { cursor: 'text' },
  });
const LISTS = { asc: listOf('asc'), desc: listOf('desc') };

/** The entries of a merchant that match. */
export const listAudit = (
  db: Db,
  merchant: Wallet,
  filter: AuditFilter,
  direction: KeysetOrder['direction'],
): Listing<AuditRecord> => listing(db, LISTS[direction], { merchant, ...filter }, merchant);

/**
 * Streams a merchant's entries, after a cursor or from now on: each once, in the order of the chain. A change locks the
 * chain last, so that entries of concurrent changes may have another order than their transactions.
 */
export const followAudit = (db: Db, bus: Bus, merchant: Wallet, after: string | null): Promise<Source<AuditRecord>> =>
  followNumbers<AuditRecord>(db, bus, { channel: auditChannel(merchant), merchant, after: AFTER, last: LAST }, after);
