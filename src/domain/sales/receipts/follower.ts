import { sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Database } from '../../../base/platform/postgres/database.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { ReceiptKey } from './read.ts';

/** How far a follower has read. */
export interface Position {
  /** Each write of the position increments it, so that of two concurrent writers only one succeeds. */
  readonly step: number;
  /** A snapshot of PostgreSQL as text: all rows of the history that it sees have been followed. */
  readonly snapshot: string;
  /** The last receipt of the reading of all receipts, in key order; both are null when it is done. */
  readonly rebuildMerchant: Wallet | null;
  readonly rebuildId: string | null;
}

/** Something that is derived from the receipts, and its position in their histories. */
export interface Follower {
  readonly name: string;
  /** The format of what is derived. Another version reads all receipts again. */
  readonly version: number;
  /** The position; null before the first start, after a restore, and after a change of the format. */
  read(db: Db): Promise<Position | null>;
  /** As `read`, but begins to read all receipts where there is no position. */
  require(db: Db): Promise<Position>;
  /** Begins the reading of all receipts, from the first. What is derived stays until it is derived again. */
  begin(db: Db): Promise<void>;
}

/** The tables of positions. */
type PositionTable = {
  [Name in keyof Database]: 'rebuildId' extends keyof Database[Name] ? Name : never;
}[keyof Database];

/** Defines a follower whose position is the row `name` of a table. */
export function defineFollower(positionTable: PositionTable, name: string, version: number): Follower {
  // The builder cannot type a choice of tables. The two have the same columns.
  const table = positionTable as 'ReceiptFollower';
  const POSITION = query(`follower-${name}`, (db, _: object) =>
    db
      .selectFrom(`${table} as f`)
      .innerJoin('StreamEpoch as e', 'e.epoch', 'f.epoch')
      .select(['f.step', 'f.snapshot', 'f.rebuildMerchant', 'f.rebuildId'])
      .where('f.name', '=', name)
      .where('f.version', '=', version),
  );
  /** The history is followed from now on, so what is written before is found by the reading of all receipts. */
  const BEGIN = query(`follower-${name}-begin`, (db, _: object) =>
    db
      .insertInto(table)
      .columns(['name', 'version', 'step', 'epoch', 'snapshot', 'rebuildMerchant', 'rebuildId'])
      .expression(({ selectFrom }) =>
        selectFrom('StreamEpoch').select([
          sql.lit(name).as('name'),
          sql.lit(version).as('version'),
          sql.lit(0).as('step'),
          'epoch',
          sql<string>`pg_current_snapshot()::text`.as('snapshot'),
          sql.lit('').as('rebuildMerchant'),
          sql.lit('').as('rebuildId'),
        ]),
      )
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet(({ ref }) => ({
          version: ref('excluded.version'),
          step: sql<number>`${ref(`${table}.step`)} + 1`,
          epoch: ref('excluded.epoch'),
          snapshot: ref('excluded.snapshot'),
          rebuildMerchant: ref('excluded.rebuildMerchant'),
          rebuildId: ref('excluded.rebuildId'),
        })),
      ),
  );
  const read = async (db: Db) => (await db.run(POSITION, {}))[0] ?? null;
  const begin = async (db: Db) => void (await db.run(BEGIN, {}));
  return {
    name,
    version,
    read,
    begin,
    async require(db) {
      const known = await read(db);
      if (known) return known;
      await begin(db);
      const begun = await read(db);
      if (!begun) throw new Error(`The follower ${name} has no position: table stream_epoch is empty`);
      return begun;
    },
  };
}

/** The receipts after one, in key order. */
const NEXT = query('follower-next', (db, $: { merchant: string; id: string; most: number }) =>
  db
    .selectFrom('Receipt')
    .select(['merchant', 'id as receiptId'])
    .where(sql<boolean>`(merchant, id) > (${$.merchant}, ${$.id})`)
    .orderBy('merchant')
    .orderBy('id')
    .limit($.most),
);

/** The next receipts of the reading of all receipts, at most `most`, and the position after them. */
export async function readNext(
  db: Db,
  position: Position,
  most: number,
): Promise<{ keys: readonly ReceiptKey[]; next: Position }> {
  const { rebuildMerchant, rebuildId } = position;
  const keys: readonly ReceiptKey[] = await db.run(NEXT, {
    merchant: rebuildMerchant ?? '',
    id: rebuildId ?? '',
    most,
  });
  const last = keys.length === most ? keys.at(-1) : undefined;
  return {
    keys,
    next: { ...position, rebuildMerchant: last?.merchant ?? null, rebuildId: last?.receiptId ?? null },
  };
}
