import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Db } from './db.ts';
import type { Database } from './postgres/database.ts';

/**
 * Cursors of live streams contain transaction ids of one PostgreSQL cluster. In another cluster (after a restore from a
 * dump), or after a restore to an earlier time, the same ids mean other transactions. So each cursor contains an epoch,
 * and a new epoch begins whenever the meaning of the ids may have changed.
 */

/**
 * Begins the first epoch, or a new one if the database is now in another PostgreSQL cluster. A failover to a replica
 * keeps the epoch. `db` must be in a transaction.
 */
export async function settleEpoch(db: Kysely<Database>): Promise<void> {
  const systemIdentifier = await readSystemIdentifier(db);
  const known = await db.selectFrom('StreamEpoch').select('systemIdentifier').forUpdate().executeTakeFirst();
  if (!known) {
    // Rows without an epoch may come from a restored dump.
    const isFirst = !(await renumberFutureRows(db));
    await db
      .insertInto('StreamEpoch')
      .values({ name: 'streams', epoch: newEpoch(), systemIdentifier, isFirst, startedAt: Date.now() })
      .execute();
    return;
  }
  if (systemIdentifier === null || systemIdentifier === known.systemIdentifier) return;
  if (known.systemIdentifier === null) await db.updateTable('StreamEpoch').set({ systemIdentifier }).execute();
  else await beginEpoch(db);
}

/** Whether `settleEpoch` has nothing to do. */
export async function isEpochSettled(db: Kysely<Database>): Promise<boolean> {
  const known = await db.selectFrom('StreamEpoch').select('systemIdentifier').executeTakeFirst();
  return known !== undefined && known.systemIdentifier === (await readSystemIdentifier(db));
}

/** Begins a new epoch, and returns it. Cursors of earlier epochs are refused. */
export const renewEpoch = (database: Db): Promise<string> => database.transaction(({ db }) => beginEpoch(db));

async function beginEpoch(db: Kysely<Database>): Promise<string> {
  await renumberFutureRows(db);
  const epoch = newEpoch();
  const systemIdentifier = await readSystemIdentifier(db);
  await db.updateTable('StreamEpoch').set({ epoch, systemIdentifier, isFirst: false, startedAt: Date.now() }).execute();
  return epoch;
}

/** Random, so that two restores of one backup begin different epochs. */
const newEpoch = (): string => randomBytes(4).toString('hex');

const MAY_READ_SYSTEM = sql<{ granted: boolean }>`
  select has_function_privilege('pg_control_system()', 'execute') as granted`;
const SYSTEM = sql<{ identifier: string }>`select system_identifier::text as identifier from pg_control_system()`;

/** The system identifier of the PostgreSQL cluster, which its replicas share; null without the privilege to read it. */
async function readSystemIdentifier(db: Kysely<Database>): Promise<string | null> {
  const [right] = (await MAY_READ_SYSTEM.execute(db)).rows;
  if (!right?.granted) return null;
  const [row] = (await SYSTEM.execute(db)).rows;
  return row!.identifier;
}

const STREAM_TABLES = sql<{ name: string }>`
  select table_name as name from information_schema.columns
   where table_schema = current_schema() and column_name = 'txid' and udt_name = 'xid8'`;

/**
 * Rows with a transaction id in the future of this cluster come from another cluster. They would be held back until the
 * id is reached, and then be sent as new. All rows of such a table get the id 0: they are settled and stay in the order
 * of their positions.
 */
async function renumberFutureRows(db: Kysely<Database>): Promise<boolean> {
  let isRenumbered = false;
  for (const { name } of (await STREAM_TABLES.execute(db)).rows) {
    const table = sql.table(name);
    const future = sql<{ found: boolean }>`
      select exists (select from ${table} where txid >= pg_snapshot_xmax(pg_current_snapshot())) as found`;
    const [row] = (await future.execute(db)).rows;
    if (!row?.found) continue;
    await sql`update ${table} set txid = '0'::xid8`.execute(db);
    isRenumbered = true;
  }
  return isRenumbered;
}
