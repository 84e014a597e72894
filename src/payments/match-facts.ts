import { sql } from 'kysely';
import { whyNotChosen } from '../merchants/chosen-tokens.ts';
import { readPaymentTerms } from '../merchants/payment-terms.ts';
import type { Deps } from '../platform/deps.ts';
import { query } from '../platform/query.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';
import { latestQuote, quoteBefore, quoteOfAmount } from '../quotes/reserve.ts';
import { isHeldOpen } from '../receipts/on-its-way.ts';
import type { Receipt } from '../receipts/receipt.entity.ts';
import { lockReceipt } from '../receipts/record-change.ts';
import { boundReceipt } from './bound-transactions.ts';
import type { MatchFacts, NeededFact } from './core/match.ts';
import { columnsOfTransfer, type TransferRow } from './transfer-row.ts';

/** Reads one fact for the decision about a transfer. A receipt that it may credit is locked. */
export async function readFact(
  deps: Pick<Deps, 'moneyOnItsWay' | 'clock'>,
  uow: UnitOfWork,
  transfer: TransferRow,
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
    case 'addressedQuote': {
      const key = { merchant, id: needed.receiptId };
      return { addressedQuote: await quoteBefore(uow, key, transfer) };
    }
    case 'authorized': {
      const receipt = await lockReceipt(uow, merchant, needed.receiptId);
      const exact = await quoteOfAmount(uow, transfer, transfer.amount);
      const isOwn = exact?.merchant === merchant && exact.receiptId === needed.receiptId;
      return { authorized: { receipt, quote: isOwn ? exact : null } };
    }
    case 'quoted': {
      const quote = await quoteOfAmount(uow, transfer, transfer.amount);
      return { quoted: quote ? { quote, receipt: await lockReceipt(uow, quote.merchant, quote.receiptId) } : null };
    }
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
    case 'quotedElsewhere': {
      const rows = await uow.run(ELSEWHERE, transfer);
      return { quotedElsewhere: rows.map(({ receiptId }) => receiptId) };
    }
    case 'hints':
      return { hints: await uow.run(HINTS, transfer) };
    case 'hinted':
      return { hinted: await lockReceipt(uow, merchant, needed.receiptId) };
    case 'hintedQuote':
      return { hintedQuote: await latestQuote(uow, { merchant, id: needed.receiptId }, transfer) };
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
    .select([...columnsOfTransfer, 'Transfer.usd', 'Transfer.askedUsd', 'Transfer.exact', 'Transfer.assignedBy'])
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

/** Tokens of six decimals that count as US dollars: a buyer of one may send the other in the same amount. */
const ALIKE = ['USDC', 'USDT'];

/** The receipts that are named as likely for a transfer elsewhere. */
const ELSEWHERE_MAX = 5;

/** Open quotes of the transfer's amount at its address on any chain of the merchant. Read by the index of amounts. */
const ELSEWHERE = query('payments-quoted-elsewhere', (db, $: TransferRow) =>
  db
    .selectFrom('Split as s')
    .innerJoin('Quote as q', (join) =>
      join
        .onRef('q.chainId', '=', 's.chainId')
        .onRef('q.payTo', '=', 's.address')
        .onRef('q.merchant', '=', 's.merchant'),
    )
    .select('q.receiptId')
    .where('s.merchant', '=', $.merchant)
    .where('s.address', '=', $.payTo)
    .where(({ eb, or }) => or([eb('q.token', '=', $.token), eb('q.token', 'in', ALIKE)]))
    .where('q.amount', '=', $.amount)
    .where('q.reservedUntil', 'is', null)
    .orderBy('q.createdAt', 'desc')
    .limit(ELSEWHERE_MAX),
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
        's.vouchedAmount',
        (eb) => eb('s.vouchedBy', 'is not', null).$castTo<boolean>().as('vouched'),
        ({ ref }) => sql<boolean>`coalesce(${$.sender} = any(${ref('s.signedBy')}), false)`.as('signed'),
      ])
      .where('s.chainId', '=', $.chainId)
      .where('s.transactionHash', '=', $.transactionHash)
      .where('s.merchant', '=', $.merchant)
      .orderBy('vouched', 'desc')
      .orderBy('signed', 'desc')
      .limit(HINTS_MAX),
  { computed: { vouched: 'bool', signed: 'bool' } },
);
