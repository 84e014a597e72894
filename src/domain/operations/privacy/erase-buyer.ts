import type { Wallet } from '../../../base/core/wallet.ts';
import type { AnnouncingDeps } from '../../../base/platform/deps.ts';
import { eraseAnswers } from '../../../base/platform/idempotency.ts';
import { eraseEntriesNaming } from '../../../base/records/audit/erase.ts';
import { recordAudit, type WritingDeps } from '../../../base/records/audit/record.ts';
import { ERASE_REDIRECTS } from '../../payments/cards/sessions.ts';
import { ERASE_REFUND_NOTES } from '../../payments/refunds/prove.ts';
import { eraseSubscriber } from '../../recurring/subscriptions/change-subscriptions.ts';
import { awaitFold } from '../../reports/events/fold.ts';
import { type BuyerKey, eraseAddresses, eraseDetails, findReceiptsOf } from '../../sales/receipts/erase-personal.ts';
import type { Receipt } from '../../sales/receipts/receipt.entity.ts';
import { eraseBodies } from '../../webhooks/delivery/erase-bodies.ts';
import { eraseMails } from '../../webhooks/mail/mails.ts';

/** What was erased, in numbers. */
export interface ErasedBuyer {
  /** Receipts that held personal data. */
  readonly receipts: number;
  readonly events: number;
  readonly deliveries: number;
  readonly auditEntries: number;
}

/** The columns of a receipt that may name its buyer. */
const PERSONAL = [
  'billingAddress',
  'metadata',
  'redirectUrl',
  'successUrl',
  'postPayment',
] as const satisfies readonly (keyof Receipt)[];

/**
 * Erases the personal data of one buyer of a merchant: names, addresses and the merchant's own data in receipts, and
 * wherever they were copied to. Amounts, lines, wallets and transactions stay. The rows of the search follow within
 * seconds. The audit log records that it was done, without the buyer. Repeating it after an interruption completes it.
 */
export async function eraseBuyer(
  deps: WritingDeps & AnnouncingDeps,
  merchant: Wallet,
  buyer: BuyerKey,
): Promise<ErasedBuyer> {
  const found = await findReceiptsOf(deps.db, merchant, buyer);
  const erased = await eraseDetails(
    deps.db,
    merchant,
    found.map(({ id }) => id),
  );
  const ids = found.map(({ id }) => id);
  await deps.db.run(ERASE_REFUND_NOTES, { merchant, ids });
  // An event that is made from here on has no metadata and no note, as there are none.
  await awaitFold(deps.db, merchant);
  const sales = found.filter(({ isCharge }) => !isCharge);
  const of = { merchant, ids: sales.map(({ id }) => id) };
  const since = sales.reduce((least, { createdAt }) => Math.min(least, createdAt), Number.POSITIVE_INFINITY);
  const { events, deliveries } =
    sales.length > 0 ? await eraseBodies(deps.db, of, since) : { events: 0, deliveries: 0 };
  await eraseMails(deps.db, merchant, [...ids, ...(await eraseSubscriber(deps.db, merchant, buyer))]);
  await eraseAnswers(deps.db, of, PERSONAL);
  await deps.db.run(ERASE_REDIRECTS, of);
  const auditEntries = await eraseEntriesNaming(deps.db, merchant, namesOf(buyer, found));
  const counts = { receipts: erased.length, events, deliveries, auditEntries };
  await eraseAddresses(deps, merchant, erased, (uow) =>
    recordAudit(deps, uow, merchant, 'buyer.erased', ['buyer', 'email' in buyer ? 'email' : 'wallet'], {
      after: counts,
    }),
  );
  return counts;
}

/** The texts by which the audit log may name the buyer, in lower case. */
function namesOf(buyer: BuyerKey, found: Awaited<ReturnType<typeof findReceiptsOf>>): string[] {
  const given = found.flatMap(({ email, phone }) => [email, phone]).filter((text) => text !== null);
  return [...new Set([...Object.values(buyer), ...given].map((text) => text.toLowerCase()))];
}
