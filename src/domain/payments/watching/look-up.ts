import { readBlock } from '../../../base/chain/blocks.ts';
import { assertChainId } from '../../../base/chain/client.ts';
import { holds, readTransfersOf, type Transfer } from '../../../base/chain/transfers.ts';
import type { MatchDeps } from '../matching/match.ts';
import type { TransferRow } from '../transfers/core/transfer-row.ts';
import { isCoinArrival, lookUpCoins } from './coins.ts';

type Place = Pick<Transfer, 'blockHash' | 'transactionHash' | 'logIndex'>;

/** Identifies a log by its block, transaction and index. */
export const placeOf = (transfer: Place): string =>
  `${transfer.blockHash}/${transfer.transactionHash}/${transfer.logIndex}`;

/** Looks up a stored transfer on the chain by its block and transaction. */
export async function lookUp(
  deps: Pick<MatchDeps, 'db' | 'chain' | 'watched'>,
  known: TransferRow,
): Promise<'there' | 'gone' | 'unclear'> {
  if (isCoinArrival(known)) return lookUpCoins(deps, known);
  const { chain, watched } = deps;
  const block = await readBlock(chain, BigInt(known.blockNumber));
  if (block === null) return 'unclear';
  if (block.hash !== known.blockHash || !holds(block, known.transactionHash)) {
    // A node of another chain has other blocks.
    await assertChainId(chain);
    return 'gone';
  }
  const reading = await readTransfersOf(chain, known.transactionHash, watched);
  if (reading.transfers.some((transfer) => placeOf(transfer) === placeOf(known))) return 'there';
  return reading.blockHash === null ? 'unclear' : 'gone';
}
