import { getAddress } from 'viem';
import { displayOwed, readShares } from '../payments/settlement-view.ts';
import type { Deps } from '../platform/deps.ts';
import type { ReceiptRow } from '../receipts/read.ts';
import type { PageShare } from './portal/view.ts';

/** Who got what of a receipt's payment, once all of it was passed on; empty before. */
export async function readSettlement(
  deps: Pick<Deps, 'sql' | 'chain' | 'settings'>,
  { merchant, id, status, brandName }: Pick<ReceiptRow, 'merchant' | 'id' | 'status' | 'brandName'>,
): Promise<PageShare[]> {
  if (status !== 'completed' && status !== 'refunded') return [];
  const [shares = []] = await readShares(deps, merchant, [id]);
  const nameOf = (payee: string) =>
    payee === merchant ? brandName : payee === deps.settings.platformRecipient ? 'Platform' : 'Recipient';
  return shares.map((share) => ({
    name: nameOf(share.payee),
    wallet: getAddress(share.payee),
    token: share.token,
    display: displayOwed(deps.chain, share),
    released: share.settledAt !== null,
    transactionHash: share.transactionHash,
  }));
}
