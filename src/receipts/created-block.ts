import type { UnitOfWork } from '../platform/unit-of-work.ts';

/**
 * Lowers the stored creation heights above `height` to it, after the chain was set back. Otherwise, payments below the
 * old heights would be too old for their receipts.
 */
export async function lowerCreatedBlocks({ db }: UnitOfWork, chainId: number, height: number): Promise<void> {
  await db
    .updateTable('Receipt')
    .set({ createdBlock: height })
    .where('createdChainId', '=', chainId)
    .where('createdBlock', '>', height)
    .execute();
}
