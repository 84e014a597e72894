import type { Wallet } from '../../core/wallet.ts';
import type { Db } from '../../platform/db.ts';
import type { Logger } from '../../platform/log/log.ts';
import { query } from '../../platform/postgres/query.ts';

const NEWS = query('audit-heads-unlogged', (db, _: object) =>
  db
    .selectFrom('AuditHead')
    .select(['merchant', 'position', 'hash'])
    .whereRef('position', '>', 'loggedPosition')
    .orderBy('merchant'),
);
const LOGGED = query('audit-heads-logged', (db, $: { merchant: Wallet; position: number }) =>
  db
    .updateTable('AuditHead')
    .set({ loggedPosition: $.position })
    .where('merchant', '=', $.merchant)
    .where('loggedPosition', '<', $.position),
);

/**
 * Logs the head of each audit chain that has grown. If the end of a chain is cut off later, the logged hash is no
 * longer in it, and `quittance audit verify --head` reports that. Returns the number of heads.
 */
export async function logAuditHeads(db: Db, log: Logger): Promise<number> {
  const heads = await db.run(NEWS, {});
  for (const { merchant, position, hash } of heads) {
    log.info({ audit: 'head', merchant, number: position, hash }, 'audit log');
    await db.run(LOGGED, { merchant, position });
  }
  return heads.length;
}
