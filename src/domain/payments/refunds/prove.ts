import Big from 'big.js';
import { sql } from 'kysely';
import { toDecimal } from '../../../base/chain/tokens.ts';
import { newId } from '../../../base/core/ids.ts';
import { usdFromCents } from '../../../base/core/money.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { AnnouncingDeps } from '../../../base/platform/deps.ts';
import { jsonb, query } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { holdsMoney } from '../../sales/receipts/ended.ts';
import { isWaiting } from '../../sales/receipts/lifecycle.ts';
import type { Receipt } from '../../sales/receipts/receipt.entity.ts';
import { recordChange } from '../../sales/receipts/record-change.ts';
import { worthOf } from '../quotes/amounts.ts';
import { type Account, provable, requireWithin } from './account.ts';
import { noProof, type Sent } from './evidence.ts';
import { moveRefunds } from './lifecycle.ts';
import type { RefundExplanation } from './reason.ts';
import type { Refund, RefundItem } from './refund.entity.ts';
import type { RefundInput } from './refund.input.ts';

/**
 * Accepts a transaction as proof that the buyer received `usd`. Open requests are fulfilled first, those of this buyer
 * before others, oldest first; only the excess becomes a new refund. A full refund moves the receipt to `refunded`,
 * unless it held nothing but dust; a part is recorded as the note `refund_partial`. The receipt must be locked. Any
 * sender is accepted, because exchanges also pay refunds; the history records whether it was the merchant's own wallet
 * (`senderVerified`). Refuses with `invalid_usd` if it exceeds what was paid. Refuses with `invalid_input` if the
 * transfers come from a split, are older than the payment, are worth too little, or have already proven a refund of
 * this merchant.
 */
export async function proveRefund(
  deps: AnnouncingDeps,
  uow: UnitOfWork,
  receipt: Receipt,
  account: Account,
  {
    input,
    evidence,
    actor,
  }: { readonly input: RefundInput; readonly evidence: readonly Sent[]; readonly actor: string },
): Promise<void> {
  requireWithin(input.usdCents, provable(account), account);
  const used = await useTransfers(deps, uow, receipt, account, input, evidence);
  const hash = used[0]!.transactionHash;
  const refundIds = await fulfil(deps, uow, receipt, input, hash, actor);
  receipt.refundedCents += input.usdCents;
  // Dust has moved nothing, so its return moves nothing either: the receipt still waits, or has ended.
  const isPayment = !isWaiting(receipt) || holdsMoney(receipt);
  const whole = isPayment && account.refundedCents + input.usdCents === account.paidCents;
  await recordChange(
    deps,
    uow,
    receipt,
    whole ? { kind: 'status', to: 'refunded' } : { kind: 'note', name: 'refund_partial' },
    {
      actor,
      detail: {
        usd: usdFromCents(input.usdCents),
        buyer: input.buyer,
        refundIds,
        transactionHash: hash,
        chainId: used[0]!.chainId,
        senderVerified: used.every(({ sender }) => sender === receipt.merchant),
        transfers: used.map(({ token, value }) => ({
          token: token.symbol,
          amount: String(value),
          display: toDecimal(value, token.decimals),
        })),
      },
    },
  );
}

/** Stores the transfers that cover the amount, all of one transaction, so that they cannot prove another refund. */
async function useTransfers(
  { clock }: AnnouncingDeps,
  uow: UnitOfWork,
  receipt: Receipt,
  { firstBlocks }: Account,
  { usdCents, buyer }: RefundInput,
  evidence: readonly Sent[],
): Promise<Sent[]> {
  const { chainId } = evidence[0]!;
  const sent = await withoutReleases(uow, chainId, evidence);
  if (sent.length === 0) throw noProof('was sent by a split: a release of shares is not a refund');
  const firstBlock = firstBlocks[chainId];
  const recent = sent.filter(({ blockNumber }) => firstBlock !== undefined && blockNumber >= firstBlock);
  if (recent.length === 0) throw noProof('is older than the payment');
  const { merchant, id: receiptId } = receipt;
  const place = { merchant, chainId, transactionHash: recent[0]!.transactionHash };
  const spent = await uow.db
    .selectFrom('RefundTransfer')
    .select('logIndex')
    .where((eb) => eb.and(place))
    .execute();
  const fresh = recent.filter(({ logIndex }) => !spent.some((one) => one.logIndex === logIndex));
  if (fresh.length === 0) throw noProof('has already proven a refund');
  const paidRates = await readPaidRates(uow, receipt, chainId);
  const valued = fresh.map((sent) => ({ sent, usd: usdWorth(sent, paidRates) }));
  const chosen = choose(usdCents, valued);
  const proven = partsOf(usdCents, chosen);
  const createdAt = clock();
  const inserted = await uow.db
    .insertInto('RefundTransfer')
    .values(
      proven.map(({ logIndex, token, sender, value, usdCents: partCents }) => ({
        ...place,
        receiptId,
        logIndex,
        token: token.symbol,
        sender,
        buyer,
        amount: String(value),
        usdCents: partCents,
        createdAt,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('logIndex')
    .execute();
  // A concurrent request used the transfer for another receipt of the merchant.
  if (inserted.length < proven.length) throw noProof('has already proven a refund');
  return proven;
}

/** The part of an amount that each transfer proves, in whole cents: at most its value, and the rest by the last. */
function partsOf(usdCents: number, chosen: readonly Valued[]): (Sent & { readonly usdCents: number })[] {
  let leftCents = usdCents;
  return chosen.map(({ sent, usd }, i) => {
    const worthCents = usd.times(100).round(0, Big.roundDown).toNumber();
    const partCents = i === chosen.length - 1 ? leftCents : Math.min(leftCents, worthCents);
    leftCents -= partCents;
    return { ...sent, usdCents: partCents };
  });
}

/** Removes releases of splits: a payee's share never proves a refund to that payee. */
async function withoutReleases(uow: UnitOfWork, chainId: number, evidence: readonly Sent[]): Promise<Sent[]> {
  const senders = evidence.map(({ sender }) => sender);
  const splits = await uow.db
    .selectFrom('Split')
    .select('address')
    .where('chainId', '=', chainId)
    .where('address', 'in', senders)
    .execute();
  return evidence.filter(({ sender }) => !splits.some(({ address }) => address === sender));
}

/** A transfer and its value in US dollars. */
interface Valued {
  readonly sent: Sent;
  readonly usd: Big;
}

/**
 * Chooses a single transfer of exactly the amount if there is one, so that a batch can prove several refunds. Otherwise
 * takes as many transfers as needed, in chain order.
 */
function choose(usdCents: number, fresh: readonly Valued[]): readonly Valued[] {
  const wanted = new Big(usdCents).div(100);
  const exact = fresh.find(({ usd }) => usd.round(2, Big.roundDown).eq(wanted));
  if (exact) return [exact];
  const chosen: Valued[] = [];
  let sum = new Big(0);
  for (const one of fresh) {
    chosen.push(one);
    sum = sum.plus(one.usd);
    if (sum.gte(wanted)) return chosen;
  }
  throw noProof(`has sent the buyer ${sum.round(2, Big.roundDown).toFixed(2)} USD, which is less than usd`);
}

/**
 * The value of each token of a chain at the time of payment: returned coins count at least at the rate at which they
 * paid. A token of the same name on another chain has its own rate, and may have other decimals.
 */
async function readPaidRates(
  uow: UnitOfWork,
  receipt: Receipt,
  chainId: number,
): Promise<ReadonlyMap<string, PaidRate>> {
  const rows = await uow.db
    .selectFrom('Transfer')
    .select(['token', sql<string>`sum(usd::numeric)::text`.as('usd')])
    .select(sql<string>`sum(amount)::numeric(78,0)::text`.as('amount'))
    .where('merchant', '=', receipt.merchant)
    .where('receiptId', '=', receipt.id)
    .where('chainId', '=', chainId)
    .where('canonical', '=', true)
    .groupBy('token')
    .execute();
  return new Map(rows.map((row) => [row.token, row]));
}

/** The sum of a token's payments: base units, and US dollars as decimal text. */
interface PaidRate {
  readonly usd: string;
  readonly amount: string;
}

/** The value in dollars, at the current rate or the rate of the payment, whichever is higher. */
function usdWorth({ token, value, usdPerUnit }: Sent, paidRates: ReadonlyMap<string, PaidRate>): Big {
  const now = worthOf(value, { decimals: token.decimals, usdPerUnit });
  const paid = paidRates.get(token.symbol);
  if (!paid) return now;
  const then = new Big(paid.usd).times(String(value)).div(paid.amount);
  return then.gt(now) ? then : now;
}

/** Assigns proven money to refunds; returns their ids. */
async function fulfil(
  { clock }: AnnouncingDeps,
  uow: UnitOfWork,
  { merchant, id: receiptId }: Receipt,
  { usdCents, buyer, items, reason, note }: RefundInput,
  transactionHash: `0x${string}`,
  actor: string,
): Promise<string[]> {
  const now = clock();
  const ids: string[] = [];
  let leftCents = usdCents;
  for (const open of await openRefunds(uow, merchant, receiptId, buyer)) {
    if (leftCents === 0) break;
    const provenCents = Math.min(leftCents, open.usdCents - open.provenCents);
    await addProof(uow, { ...open, merchant, receiptId }, { provenCents, transactionHash, items, reason, note, now });
    ids.push(open.id);
    leftCents -= provenCents;
  }
  if (leftCents === 0) return ids;
  const proven = { usdCents: leftCents, provenCents: leftCents, transactionHash };
  const refund: NewRefund = { ...proven, buyer, items, reason, note, actor, now };
  return [...ids, await insertRefund(uow, { merchant, id: receiptId }, refund)];
}

/** The requested refunds of a receipt: those of this buyer first, then the oldest. */
const openRefunds = ({ db }: UnitOfWork, merchant: Wallet, receiptId: string, buyer: Wallet) =>
  db
    .selectFrom('Refund')
    .select(['id', 'usdCents', 'provenCents', 'items'])
    .where((eb) => eb.and({ merchant, receiptId, state: 'requested' }))
    .orderBy((eb) => eb('buyer', '=', buyer), 'desc')
    .orderBy('createdAt')
    .orderBy('id')
    .execute();

type OpenRefund = Pick<Refund, 'merchant' | 'receiptId' | 'id' | 'usdCents' | 'provenCents' | 'items'>;

interface Proof extends RefundExplanation {
  readonly provenCents: number;
  readonly transactionHash: string;
  /** Describe the refund, if the request did not. */
  readonly items: readonly RefundItem[];
  readonly now: number;
}

/** Adds proven money to a requested refund, and moves it to `refunded` once all of it is proven. */
async function addProof(
  { db }: UnitOfWork,
  { merchant, receiptId, id, ...open }: OpenRefund,
  { transactionHash, items, reason, note, now, ...proof }: Proof,
): Promise<void> {
  const provenCents = open.provenCents + proof.provenCents;
  const update = provenCents === open.usdCents ? moveRefunds(db, 'refunded', now) : db.updateTable('Refund');
  await update
    .set({ provenCents, transactionHashes: sql`array_append(transaction_hashes, ${transactionHash})` })
    .$if(open.items.length === 0, (described) => described.set({ items: jsonb([...items]) }))
    .set(({ fn, val }) => ({ reason: fn.coalesce('reason', val(reason)), note: fn.coalesce('note', val(note)) }))
    .where((eb) => eb.and({ merchant, receiptId, id }))
    .execute();
}

/** A refund to insert; it is `refunded` if all of it is proven. */
export interface NewRefund extends RefundExplanation {
  readonly usdCents: number;
  readonly provenCents: number;
  readonly buyer: Wallet;
  readonly items: readonly RefundItem[];
  readonly transactionHash: `0x${string}` | null;
  readonly actor: string;
  readonly now: number;
}

/** Inserts a refund; returns its id. */
export async function insertRefund(
  uow: UnitOfWork,
  receipt: Pick<Receipt, 'merchant' | 'id'>,
  { usdCents, provenCents, buyer, items, reason, note, transactionHash, actor, now }: NewRefund,
): Promise<string> {
  const id = newId('refund', now);
  const isWhole = usdCents === provenCents;
  await uow.db
    .insertInto('Refund')
    .values({
      merchant: receipt.merchant,
      receiptId: receipt.id,
      id,
      state: isWhole ? 'refunded' : 'requested',
      usdCents,
      provenCents,
      buyer,
      items: jsonb([...items]),
      reason,
      note,
      transactionHashes: transactionHash === null ? [] : [transactionHash],
      actor,
      createdAt: now,
      refundedAt: isWhole ? now : null,
    })
    .execute();
  return id;
}

/** Erases the notes on refunds of receipts, which may name their buyer. */
export const ERASE_REFUND_NOTES = query('refunds-erase-notes', (db, $: { merchant: Wallet; ids: readonly string[] }) =>
  db
    .updateTable('Refund')
    .set({ note: null })
    .where('merchant', '=', $.merchant)
    .where('receiptId', '=', (eb) => eb.fn.any(eb.val($.ids)))
    .where('note', 'is not', null),
);
