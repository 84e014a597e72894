import { getAddress } from 'viem';
import { toDecimal } from '../../../base/chain/tokens.ts';
import type { Language } from '../../../base/core/messages/languages.ts';
import { wordsOf } from '../../../base/core/messages/words.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { tokenOn } from '../../../base/platform/on-chain.ts';
import type { ReceiptRow } from '../../../domain/sales/receipts/read.ts';
import { displayOwed, readShares, type ShareView } from '../../../domain/settlement/shares/share-view.ts';
import type { PageShare, PortalPaid } from './view.ts';

/** The shares of a settled payment, and the remainder from rounding. */
export interface PageSettlement {
  readonly shares: PageShare[];
  readonly remainder: PortalPaid | null;
}

type Paid = Pick<ReceiptRow, 'paidToken' | 'paidAmount' | 'paymentChainId'>;

/** Shares are rounded down to a base unit; the remainder stays in the split contract. */
function remainderOf(
  deps: Pick<Deps, 'chain' | 'chains'>,
  { paidToken, paidAmount, paymentChainId }: Paid,
  shares: readonly ShareView[],
) {
  const decimals = tokenOn(deps, paymentChainId, paidToken)?.decimals;
  const known = shares.every(({ token, owed }) => token === paidToken && owed !== null);
  if (paidToken === null || paidAmount === null || decimals === undefined || !known || shares.length === 0) return null;
  const left = BigInt(paidAmount) - shares.reduce((sum, { owed }) => sum + BigInt(owed ?? 0), 0n);
  // A remainder of more than one base unit per share does not come from rounding.
  if (left <= 0n || left > BigInt(shares.length)) return null;
  return { token: paidToken, display: toDecimal(left, decimals) };
}

/** The settlement of a receipt for display in a language; without shares before it is settled. */
export async function readSettlement(
  deps: Pick<Deps, 'db' | 'chain' | 'chains' | 'settings'>,
  receipt: Paid & Pick<ReceiptRow, 'merchant' | 'id' | 'status' | 'brandName'>,
  language: Language,
): Promise<PageSettlement> {
  const { merchant, id, status, brandName } = receipt;
  if (status !== 'completed' && status !== 'refunded') return { shares: [], remainder: null };
  const [rows = []] = await readShares(deps.db, merchant, [id]);
  const say = wordsOf('receipt', language);
  const nameOf = (payee: string) =>
    payee === merchant ? brandName : say(payee === deps.settings.platformRecipient ? 'platform' : 'recipient');
  const shares = rows.map((share) => ({
    name: nameOf(share.payee),
    wallet: getAddress(share.payee),
    token: share.token,
    display: displayOwed(deps, share),
    released: share.settledAt !== null,
    transactionHash: share.transactionHash,
  }));
  return { shares, remainder: remainderOf(deps, receipt, rows) };
}
