import { sql } from 'kysely';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { isHeldOpen } from '../../sales/receipts/on-its-way.ts';
import type { Receipt } from '../../sales/receipts/receipt.entity.ts';
import { lockReceipt } from '../../sales/receipts/record-change.ts';
import { whyNotChosen } from '../../shop/merchants/chosen-tokens.ts';
import { readPaymentTerms } from '../../shop/merchants/payment-terms.ts';
import { quoteAt } from '../quotes/store.ts';
import type { MatchFacts, NeededFact } from '../transfers/core/match.ts';
import { columnsOfTransfer, type TransferRow } from '../transfers/core/transfer-row.ts';
import { readAsked } from './asked-at-split.ts';
import { boundReceipt } from './bound-transactions.ts';

/** A transfer that is matched, and the receipt of the authorization that it carried out; null if it was none. */
export interface Matching {
  readonly transfer: TransferRow;
  readonly authorizedFor: string | null;
}

/** Reads one fact for the decision about a transfer. A receipt that it may credit is locked. */
export async function readFact(
  deps: Pick<Deps, 'moneyOnItsWay' | 'clock'>,
  uow: UnitOfWork,
  { transfer, authorizedFor }: Matching,
  needed: NeededFact,
): Promise<Partial<MatchFacts<Receipt>>> {
  const { merchant } = transfer;
  switch (needed.fact) {
    case 'reorganizations':
      return { reorganizations: await uow.run(REORGANIZATIONS, transfer) };
    case 'lost': {
      const [lost] = await uow.run(LOST, transfer);
      return { lost: lost ?? null };
    }
    case 'bound': {
      const receiptId = await boundReceipt(uow, transfer);
      return { bound: receiptId === null ? null : await lockReceipt(uow, merchant, receiptId) };
    }
    case 'addressed':
      return { addressed: await lockReceipt(uow, merchant, transfer.addressOf!) };
    case 'asked':
      return { asked: await readAsked(uow, transfer, authorizedFor) };
    case 'hints':
      return { hints: await uow.run(HINTS, transfer) };
    case 'claimed':
      return { claimed: await lockReceipt(uow, merchant, needed.receiptId) };
    case 'price':
      return { price: await quoteAt(uow, { merchant, id: needed.receiptId }, transfer) };
    case 'lateHours': {
      const { lateHours } = await readPaymentTerms(uow, merchant);
      return { lateHours };
    }
    case 'isHeldOpen':
      return { isHeldOpen: await isHeldOpen(deps, uow, { merchant, id: needed.receiptId }) };
    case 'notChosen': {
      const { paymentTokens } = await readPaymentTerms(uow, merchant);
      return { notChosen: whyNotChosen(paymentTokens, transfer) };
    }
  }
}

const REORGANIZATIONS = query('payments-reorganizations-above', (db, $: TransferRow) =>
  db
    .selectFrom('ChainReorganization')
    .select(['fork', 'head'])
    .where('chainId', '=', $.chainId)
    .where('head', '>', $.blockNumber),
);

const LOST = query('payments-lost-transfer', (db, $: TransferRow) =>
  db
    .selectFrom('Transfer')
    .select([...columnsOfTransfer, 'Transfer.usd', 'Transfer.assignedBy'])
    .where('chainId', '=', $.chainId)
    .where('transactionHash', '=', $.transactionHash)
    .where('canonical', '=', false)
    .where('receiptId', 'is not', null)
    .where('payTo', '=', $.payTo)
    .where('token', '=', $.token)
    .where('amount', '=', $.amount)
    .orderBy('logIndex')
    .limit(1)
    .$narrowType<{ receiptId: string; usd: string }>(),
);

/** The maximum number of hints read per transaction; no batch payment covers more receipts. */
const HINTS_MAX = 200;

/** Uses an index on the transaction hash: most transfers have no hint, however many receipts wait for money. */
const HINTS = query(
  'payments-hints-of-transaction',
  (db, $: TransferRow) =>
    db
      .selectFrom('SubmittedTransaction as s')
      .innerJoin('Receipt as r', (join) =>
        join.onRef('r.merchant', '=', 's.merchant').onRef('r.id', '=', 's.receiptId'),
      )
      .select([
        's.receiptId',
        'r.status',
        ({ ref }) => sql<boolean>`coalesce(${$.sender} = any(${ref('s.signedBy')}), false)`.as('signed'),
      ])
      .where('s.chainId', '=', $.chainId)
      .where('s.transactionHash', '=', $.transactionHash)
      .where('s.merchant', '=', $.merchant)
      .orderBy('signed', 'desc')
      .orderBy('s.receiptId')
      .limit(HINTS_MAX),
  { computed: { signed: 'bool' } },
);
