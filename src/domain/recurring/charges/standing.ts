import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { readCredits } from '../../payments/transfers/transfers.ts';
import { isVoided } from '../../sales/receipts/ended.ts';
import type { ReceiptStatus } from '../../sales/receipts/lifecycle.ts';
import type { Receipt } from '../../sales/receipts/receipt.entity.ts';
import { lockReceipt } from '../../sales/receipts/record-change.ts';

/**
 * What the receipt of a charge that has not succeeded says about it. `open`: it waits for the charge. `underway`: money
 * of another payment is on its way, or holds a part. `paid`: another payment has paid it. `voided`: the merchant has
 * given the payment up. `lost`: it counts as paid, but a reorganisation has removed the payment.
 */
export type Standing = 'open' | 'underway' | 'paid' | 'voided' | 'lost';

const PAID: readonly ReceiptStatus[] = ['paid', 'completed', 'refunded'];

/** The receipt of a charge. */
interface ChargeReceipt {
  readonly merchant: Wallet;
  readonly receiptId: string;
}

/** Locked receipts of charges with their standings, by their ids. */
export type Standings = ReadonlyMap<string, { readonly receipt: Receipt; readonly standing: Standing }>;

/** Locks the receipts of charges, in order, and reads their standings. Lock their subscriptions first. */
export async function standingsOf(
  { moneyOnItsWay, clock }: Pick<Deps, 'moneyOnItsWay' | 'clock'>,
  uow: UnitOfWork,
  charges: readonly ChargeReceipt[],
): Promise<Standings> {
  const receipts: Receipt[] = [];
  for (const { merchant, receiptId } of charges.toSorted(inOrder)) {
    const receipt = await lockReceipt(uow, merchant, receiptId);
    if (receipt) receipts.push(receipt);
  }
  const onItsWay = new Set((await moneyOnItsWay(uow, receipts, clock())).map(({ receiptId }) => receiptId));
  const standings: [string, { receipt: Receipt; standing: Standing }][] = [];
  for (const receipt of receipts)
    standings.push([receipt.id, { receipt, standing: await standingOf(uow, receipt, onItsWay.has(receipt.id)) }]);
  return new Map(standings);
}

async function standingOf(uow: UnitOfWork, receipt: Receipt, isUnderway: boolean): Promise<Standing> {
  if (PAID.includes(receipt.status)) return (await readCredits(uow, receipt)).length > 0 ? 'paid' : 'lost';
  if (isVoided(receipt)) return 'voided';
  const waits = receipt.status === 'failed' || receipt.status === 'pending';
  return waits && !isUnderway ? 'open' : 'underway';
}

const placeOf = ({ merchant, receiptId }: ChargeReceipt): string => `${merchant} ${receiptId}`;
const inOrder = (a: ChargeReceipt, b: ChargeReceipt): number => (placeOf(a) < placeOf(b) ? -1 : 1);
