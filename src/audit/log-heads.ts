import type { Deps } from '../platform/deps.ts';
import { query } from '../platform/query.ts';

const NEWS = query('audit-heads-unlogged', (db, _: object) =>
  db
    .selectFrom('AuditHead')
    .select(['merchant', 'position', 'hash'])
    .whereRef('position', '>', 'loggedPosition')
    .orderBy('merchant'),
);
const LOGGED = query('audit-heads-logged', (db, $: { merchant: string; position: number }) =>
  db
    .updateTable('AuditHead')
    .set({ loggedPosition: $.position })
    .where('merchant', '=', $.merchant as never)
    .where('loggedPosition', '<', $.position),
);

/**
 * Writes the head of each chain that has grown into the log of the server, so that a chain whose end was cut off later
 * does not contain it. Returns their number.
 */
export async function logAuditHeads({ sql, log }: Pick<Deps, 'sql' | 'log'>): Promise<number> {
  const heads = await sql.run(NEWS, {});
  for (const { merchant, position, hash } of heads) {
    log.info({ audit: 'head', merchant, number: position, hash }, 'audit log');
    await sql.run(LOGGED, { merchant, position });
  }
  return heads.length;
}
