import { sql } from 'kysely';
import type { Token } from '../../../base/chain/token.ts';
import type { Transfer } from '../../../base/chain/transfers.ts';
import { realSender } from '../../../base/core/coin-place.ts';
import { Refusal } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { AnnouncingDeps, Deps } from '../../../base/platform/deps.ts';
import { onChain, tokenOn } from '../../../base/platform/on-chain.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { isWaiting } from '../../sales/receipts/lifecycle.ts';
import { isHeldOpen } from '../../sales/receipts/on-its-way.ts';
import type { Receipt } from '../../sales/receipts/receipt.entity.ts';
import { lockReceipt, recordChange } from '../../sales/receipts/record-change.ts';
import { type ReadRate, rateAt } from '../../shop/fx/usd-per-token.ts';
import { whyNotChosen } from '../../shop/merchants/chosen-tokens.ts';
import { readPaymentTerms } from '../../shop/merchants/payment-terms.ts';
import { raiseEvents } from '../../webhooks/events/events.ts';
import { enqueueNotice } from '../../webhooks/mail/enqueue.ts';
import { type BoundAuthorization, findBoundAuthorization } from '../gasless/possible-authorizations.ts';
import { creditAuthorization } from '../gasless/store.ts';
import { quoteAt } from '../quotes/store.ts';
import {
  decideMatch,
  type LostPayment,
  type MatchDecision,
  type MatchFacts,
  type NeededFact,
} from '../transfers/core/match.ts';
import { columnsOfTransfer, type TransferKey, type TransferRow } from '../transfers/core/transfer-row.ts';
import { type CreditDeps, creditTransfer, describeTransfer } from '../transfers/credit.ts';
import {
  insertTransfer,
  leaveUnmatched,
  linkTransfer,
  lockTransfer,
  markCollected,
  type Unmatched,
  unlinkTransfer,
} from '../transfers/transfers.ts';
import type { Watched } from '../transfers/watched.ts';
import { readAsked } from './asked-at-split.ts';
import { boundReceipt } from './bound-transactions.ts';
import { UNMATCHED_NOTE } from './unmatched-note.ts';

/**
 * Creates the payees' shares of a receipt that was just paid, in the same transaction. Settlement provides it, because
 * its tables belong to a later folder.
 */
type CreateShares = (
  deps: AnnouncingDeps,
  uow: UnitOfWork,
  receipt: { readonly merchant: Wallet; readonly id: string },
) => Promise<void>;

export type MatchDeps = Pick<
  Deps,
  'db' | 'bus' | 'chain' | 'chains' | 'clock' | 'settings' | 'log' | 'moneyOnItsWay'
> & {
  readonly readRate: ReadRate;
  readonly watched: Watched;
  readonly createShares: CreateShares;
};

/**
 * Stores a transfer and matches it to a receipt, in one transaction; it can be repeated. A transfer that cannot be
 * matched, or whose matching times out twice, is stored as unmatched (`error`) and logged: no transfer can stop the
 * watcher. `retryErrors` retries it later. Returns true if the transfer was new.
 */
export async function recordTransfer(deps: MatchDeps, transfer: Transfer): Promise<boolean> {
  const place = await deps.watched.placeOf(transfer);
  const token = deps.chain.tokens.find(({ symbol }) => symbol === transfer.symbol);
  if (!place || !token) return false;
  // Any contract can emit the splitter's event; only verified splitters are trusted.
  if (token.address === null && !place.verified) return false;
  let isMatching = false;
  const take = (match: (uow: UnitOfWork, row: TransferRow) => Promise<void>) =>
    deps.db.transaction(async (uow) => {
      isMatching = false;
      const row = await insertTransfer(uow, deps.chain.chainId, transfer, place, deps.clock());
      if (row !== null && place.addressOf !== null) await markCollected(uow, row);
      isMatching = true;
      if (row) await match(uow, row);
      return row !== null;
    });
  // A collection pays nothing: it brings to the split what has arrived before.
  if (place.addressOf !== null && place.split === null) return take(async () => {});
  const takeAndMatch = async () => {
    const rate = await rateAt(deps.readRate, token, transfer.blockTimeMs);
    const authorization = await findBoundAuthorization(deps.db, deps.chain, transfer);
    return take((uow, row) =>
      matchTransfer(deps, uow, token, authorization, {
        transfer: row,
        rate,
        splitCreatedBlock: place.splitCreatedBlock,
      }),
    );
  };
  // If the transfer can be written and only its matching times out, the database is reachable and the matching is too
  // slow.
  const isTooSlow = (error: unknown) =>
    error instanceof Refusal && error.code === 'datastore_unavailable' && isMatching;
  try {
    return await takeAndMatch().catch((error: unknown) => {
      if (isTooSlow(error)) return takeAndMatch();
      throw error;
    });
  } catch (error) {
    if (error instanceof Refusal && !isTooSlow(error)) throw error;
    deps.log.error({ err: error, transactionHash: transfer.transactionHash }, 'transfer could not be matched');
    return take(async (uow, row) => {
      if (row.receiptId === null) await leaveUnmatched(uow, row, { reason: 'error', meantFor: [] });
    });
  }
}

/** A stored transfer as far as its value and its authorization depend on it. */
type Rematched = TransferKey & Pick<TransferRow, 'token' | 'blockTimeMs' | 'sender' | 'payTo' | 'amount'>;

/** Matches a transfer again within a transaction, unless it pays a receipt by now. */
export type Rematch = (uow: UnitOfWork) => Promise<void>;

/** Matches an unmatched transfer again: its receipt may wait for money by now, or a hint was submitted. */
export async function rematchTransfer(deps: MatchDeps, key: Rematched): Promise<void> {
  const rematch = await prepareRematch(deps, key);
  await deps.db.transaction(rematch);
}

/** Reads what matching a transfer again needs from outside of its transaction. */
export async function prepareRematch(all: MatchDeps, key: Rematched): Promise<Rematch> {
  // The transfer may be on another chain, which has tokens of its own.
  const token = tokenOn(all, key.chainId, key.token);
  if (!token) return async () => {};
  const deps = onChain(all, key.chainId);
  const rate = await rateAt(deps.readRate, token, key.blockTimeMs);
  const { token: symbol, sender: from, payTo: to, amount } = key;
  const authorization = await findBoundAuthorization(deps.db, deps.chain, {
    ...key,
    symbol,
    from,
    to,
    value: BigInt(amount),
  });
  return async (uow) => {
    const transfer = await lockTransfer(uow, key);
    if (transfer && transfer.receiptId === null)
      await matchTransfer(deps, uow, token, authorization, { transfer, rate, splitCreatedBlock: null });
  };
}

/** Reads the facts that the decision depends on, one after the other, and carries the decision out. */
async function matchTransfer(
  deps: MatchDeps,
  uow: UnitOfWork,
  token: Token,
  authorization: BoundAuthorization | null,
  known: MatchFacts<Receipt>,
): Promise<void> {
  const { transfer } = known;
  // Only the merchant whose receipt it pays.
  const own = authorization?.merchant === transfer.merchant ? authorization : null;
  let facts = known;
  let decision = decideMatch(facts);
  while (decision.kind === 'need') {
    facts = { ...facts, ...(await readFact(deps, uow, { transfer, authorizedFor: own?.receiptId ?? null }, decision)) };
    decision = decideMatch(facts);
  }
  await carryOut(deps, uow, { transfer, token }, decision);
  if (own && decision.kind === 'credit') await creditAuthorization(deps.clock, uow, own, transfer.transactionHash);
}

interface Matched {
  readonly transfer: TransferRow;
  readonly token: Token;
}

async function carryOut(
  deps: MatchDeps,
  uow: UnitOfWork,
  matched: Matched,
  decision: MatchDecision<Receipt>,
): Promise<void> {
  const { transfer, token } = matched;
  switch (decision.kind) {
    case 'credit':
      return creditTransfer(deps, uow, decision.receipt, transfer, { ...decision, token });
    case 'unmatched':
      return reportUnmatched(deps, uow, transfer, { ...decision, token });
    case 'relink':
      return relinkTransfer(deps, uow, matched, decision.lost);
    case 'returned':
      return noteBack(deps, uow, matched, decision.receiptId);
    case 'ignore':
      return;
  }
}

/**
 * Keeps a final payment that lost its block linked to its receipt: the same transaction in another block is that
 * payment, not a second one.
 */
async function relinkTransfer(deps: MatchDeps, uow: UnitOfWork, matched: Matched, lost: LostPayment): Promise<void> {
  await unlinkTransfer(uow, lost);
  await linkTransfer(uow, matched.transfer, lost);
  await noteBack(deps, uow, matched, lost.receiptId);
}

/**
 * Notes that a final payment which had lost its block is on the chain again. The receipt's status did not change when
 * it was lost.
 */
async function noteBack(
  deps: MatchDeps,
  uow: UnitOfWork,
  { transfer, token }: Matched,
  receiptId: string,
): Promise<void> {
  const receipt = await lockReceipt(uow, transfer.merchant, receiptId);
  if (!receipt) return;
  const detail = describeTransfer(transfer, token);
  await recordChange(deps, uow, receipt, { kind: 'note', name: 'payment_back' }, { actor: 'chain', detail });
}

interface Report extends Unmatched {
  readonly token: Token;
}

/**
 * Keeps a transfer as unmatched and reports it once: an event, a line in the log, and a note in the history of the
 * receipt that it is meant for, if that is one.
 */
async function reportUnmatched(
  deps: CreditDeps & Pick<Deps, 'log'>,
  uow: UnitOfWork,
  transfer: TransferRow,
  { token, ...unmatched }: Report,
): Promise<void> {
  const { reason, meantFor } = unmatched;
  await leaveUnmatched(uow, transfer, unmatched);
  const isKnown = transfer.unmatchedReason !== null && transfer.unmatchedReason !== 'error';
  if (isKnown) return;
  const [receiptId = null, ...others] = meantFor;
  const target = others.length > 0 ? null : receiptId;
  const detail = describeTransfer(transfer, token);
  const { merchant, chainId, transactionHash, logIndex, sender, payTo } = transfer;
  await raiseEvents(uow, [
    {
      ...{ merchant, at: deps.clock(), kind: 'transfer.unmatched' },
      source: `transfer:${chainId}:${transactionHash}:${logIndex}`,
      data: { ...detail, ...{ chainId, logIndex, sender: realSender(sender), payTo, reason }, likelyReceiptId: target },
    },
  ]);
  await enqueueNotice(deps, uow, merchant, 'unmatched');
  uow.afterCommit(() =>
    deps.log.info(
      { merchant, reason, ...detail, ...(target !== null && { receiptId: target }) },
      'a transfer pays no receipt',
    ),
  );
  if (target === null) return;
  const receipt = await lockReceipt(uow, merchant, target);
  if (!receipt || !isWaiting(receipt)) return;
  const change = { kind: 'note', name: UNMATCHED_NOTE } as const;
  await recordChange(deps, uow, receipt, change, { actor: 'chain', detail: { ...detail, reason } });
}

/** A transfer that is matched, and the receipt of the authorization that it carried out; null if it was none. */
interface Matching {
  readonly transfer: TransferRow;
  readonly authorizedFor: string | null;
}

/** Reads one fact for the decision about a transfer. A receipt that it may credit is locked. */
async function readFact(
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
