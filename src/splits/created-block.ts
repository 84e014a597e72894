import { sql } from 'kysely';
import type { UnitOfWork } from '../platform/unit-of-work.ts';

/**
 * Lowers the heights of splits after the local chain was set back to `height`. Otherwise, payments below the old
 * heights would be too old for them. Watchers read the changed splits again.
 */
export async function lowerCreatedBlocks(uow: UnitOfWork, chainId: number, height: number): Promise<void> {
  await uow.db
    .updateTable('Split')
    .set({ createdBlock: height, txid: sql<string>`pg_current_xact_id()` })
    .where('chainId', '=', chainId)
    .where('createdBlock', '>', height)
    .execute();
}
