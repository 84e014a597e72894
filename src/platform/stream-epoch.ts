import { randomBytes } from 'node:crypto';
import type { Orm } from './orm.ts';

/** Runs a statement with `?` parameters in one transaction. */
export type Run = <Row>(text: string, parameters?: readonly unknown[]) => Promise<Row[]>;

/**
 * Cursors of live streams contain transaction ids of one PostgreSQL cluster. In another cluster (after a restore from a
 * dump), or after a restore to an earlier time, the same ids mean other transactions. So each cursor contains an epoch,
 * and a new epoch begins whenever the meaning of the ids may have changed.
 */

/**
 * Begins the first epoch, or a new one if the database is now in another PostgreSQL cluster. A failover to a replica
 * keeps the epoch.
 */
export async function settleEpoch(run: Run): Promise<void> {
  const identifier = await systemIdentifier(run);
  const [known] = await run<{ identifier: string | null }>(
    'select system_identifier as identifier from stream_epoch for update',
  );
  if (!known) {
    // Rows without an epoch may come from a restored dump.
    const isRenumbered = await renumberFutureRows(run);
    await run(
      'insert into stream_epoch (name, epoch, system_identifier, is_first, started_at) values (?, ?, ?, ?, ?)',
      ['streams', newEpoch(), identifier, !isRenumbered, Date.now()],
    );
    return;
  }
  if (identifier === null || identifier === known.identifier) return;
  if (known.identifier === null) await run('update stream_epoch set system_identifier = ?', [identifier]);
  else await beginEpoch(run);
}

/** Begins a new epoch, and returns it. Cursors of earlier epochs are refused. */
export async function renewEpoch({ orm }: { orm: Orm }): Promise<string> {
  return orm.em.fork().transactional((em) => {
    const context = em.getTransactionContext();
    return beginEpoch((text, parameters = []) => em.getConnection().execute(text, [...parameters], 'all', context));
  });
}

async function beginEpoch(run: Run): Promise<string> {
  await renumberFutureRows(run);
  const epoch = newEpoch();
  await run('update stream_epoch set epoch = ?, system_identifier = ?, is_first = false, started_at = ?', [
    epoch,
    await systemIdentifier(run),
    Date.now(),
  ]);
  return epoch;
}

/** Random, so that two restores of one backup begin different epochs. */
const newEpoch = (): string => randomBytes(4).toString('hex');

/** The system identifier of the PostgreSQL cluster, which its replicas share; null without the privilege to read it. */
async function systemIdentifier(run: Run): Promise<string | null> {
  const [right] = await run<{ granted: boolean }>(
    `select has_function_privilege('pg_control_system()', 'execute') as granted`,
  );
  if (!right?.granted) return null;
  const [row] = await run<{ identifier: string }>(
    'select system_identifier::text as identifier from pg_control_system()',
  );
  return row!.identifier;
}

/**
 * Rows with a transaction id in the future of this cluster come from another cluster. They would be held back until the
 * id is reached, and then be sent as new. All rows of such a table get the id 0: they are settled and stay in the order
 * of their positions.
 */
async function renumberFutureRows(run: Run): Promise<boolean> {
  const tables = await run<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.columns
      where table_schema = current_schema() and column_name = 'txid' and udt_name = 'xid8'`,
  );
  let isRenumbered = false;
  for (const { name } of tables) {
    const [row] = await run<{ found: boolean }>(
      `select exists (select from ${name} where txid >= pg_snapshot_xmax(pg_current_snapshot())) as found`,
    );
    if (!row?.found) continue;
    await run(`update ${name} set txid = '0'::xid8`);
    isRenumbered = true;
  }
  return isRenumbered;
}
