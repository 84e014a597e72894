import Big from 'big.js';
import { toDecimal } from '../chain/tokens.ts';
import { refuse } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { usdFromCents } from '../core/money.ts';
import type { Deps } from '../platform/deps.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';
import { worthOf } from '../quotes/amounts.ts';
import type { Receipt } from '../receipts/receipt.entity.ts';
import { recordChange } from '../receipts/record-change.ts';
import { type Account, provable, requireWithin } from './account.ts';
import type { Sent } from './evidence.ts';
import type { RefundItem } from './refund.entity.ts';
import type { RefundInput } from './refund.input.ts';

type ProveDeps = Pick<Deps, 'boss' | 'bus' | 'chain' | 'clock'>;

/**
 * Accepts a transaction as proof that the buyer received `usd`. Open requests are fulfilled first, those of this buyer
 * before others, oldest first; only the excess becomes a new refund. A full refund moves the receipt to `refunded`; a
 * part is recorded as the note `refund_partial`. The receipt must be locked. Any sender is accepted, because exchanges
 * also pay refunds; the history records whether it was the merchant's own wallet (`senderVerified`). Refuses with
 * `invalid_usd` if it exceeds what was paid. Refuses with `invalid_input` if the transfers come from a split, are older
 * than the payment, are worth too little, or have already proven a refund of this merchant.
 */
export async function proveRefund(
  deps: ProveDeps,
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
  const whole = account.refundedCents + input.usdCents === account.paidCents;
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

const noProof = (sentence: string) => refuse('invalid_input', `txHash ${sentence}`, { field: 'txHash' });

/** Stores the transfers that cover the amount, so that they cannot prove another refund. */
async function useTransfers(
  { chain, clock }: ProveDeps,
  uow: UnitOfWork,
  receipt: Receipt,
  { firstBlock }: Account,
  { usdCents, buyer }: RefundInput,
  evidence: readonly Sent[],
): Promise<Sent[]> {
  const sent = await withoutReleases(uow, chain.chainId, evidence);
  if (sent.length === 0) throw noProof('was sent by a split: a release of shares is not a refund');
  const recent = sent.filter(({ blockNumber }) => firstBlock !== null && blockNumber >= firstBlock);
  if (recent.length === 0) throw noProof('is older than the payment');
  const spent = await uow.sql<{ logIndex: number }>(
    'select log_index as "logIndex" from refund_transfers where chain_id = $1 and transaction_hash = $2 and merchant = $3',
    [chain.chainId, recent[0]!.transactionHash, receipt.merchant],
  );
  const fresh = recent.filter(({ logIndex }) => !spent.some((one) => one.logIndex === logIndex));
  if (fresh.length === 0) throw noProof('has already proven a refund');
  const paidRates = await readPaidRates(uow, receipt);
  const chosen = choose(
    usdCents,
    fresh.map((sent) => ({ sent, usd: usdWorth(sent, paidRates) })),
  );
  const inserted = await uow.sql(
    `insert into refund_transfers (merchant, receipt_id, chain_id, transaction_hash, log_index, token, sender, buyer, amount, created_at)
     select $1, $2, $3, $4, s.log_index, s.token, s.sender, $5, s.amount, $6
       from json_to_recordset($7::json) as s(log_index int, token text, sender text, amount numeric)
     on conflict do nothing returning 1`,
    [
      receipt.merchant,
      receipt.id,
      chain.chainId,
      chosen[0]!.transactionHash,
      buyer,
      clock(),
      JSON.stringify(
        chosen.map(({ logIndex, token, sender, value }) => ({
          log_index: logIndex,
          token: token.symbol,
          sender,
          amount: String(value),
        })),
      ),
    ],
  );
  // A concurrent request used the transfer for another receipt of the merchant.
  if (inserted.length < chosen.length) throw noProof('has already proven a refund');
  return chosen;
}

/** Removes releases of splits: a payee's share never proves a refund to that payee. */
async function withoutReleases(uow: UnitOfWork, chainId: number, evidence: readonly Sent[]): Promise<Sent[]> {
  const splits = await uow.sql<{ address: string }>(
    'select address from splits where chain_id = $1 and address = any($2)',
    [chainId, evidence.map(({ sender }) => sender)],
  );
  return evidence.filter(({ sender }) => !splits.some(({ address }) => address === sender));
}

/**
 * Chooses a single transfer of exactly the amount if there is one, so that a batch can prove several refunds. Otherwise
 * takes as many transfers as needed, in chain order.
 */
function choose(usdCents: number, fresh: readonly { readonly sent: Sent; readonly usd: Big }[]): Sent[] {
  const wanted = new Big(usdCents).div(100);
  const exact = fresh.find(({ usd }) => usd.round(2, Big.roundDown).eq(wanted));
  if (exact) return [exact.sent];
  const chosen: Sent[] = [];
  let sum = new Big(0);
  for (const { sent, usd } of fresh) {
    chosen.push(sent);
    sum = sum.plus(usd);
    if (sum.gte(wanted)) return chosen;
  }
  throw noProof(`has sent the buyer ${sum.round(2, Big.roundDown).toFixed(2)} USD, which is less than usd`);
}

/** The value of each token at the time of payment: returned coins count at least at the rate at which they paid. */
async function readPaidRates(uow: UnitOfWork, receipt: Receipt): Promise<ReadonlyMap<string, PaidRate>> {
  const rows = await uow.sql<PaidRate>(
    `select token, sum(usd::numeric)::text as usd, sum(amount)::numeric(78,0)::text as amount
       from transfers where merchant = $1 and receipt_id = $2 and canonical group by token`,
    [receipt.merchant, receipt.id],
  );
  return new Map(rows.map((row) => [row.token, row]));
}

interface PaidRate {
  readonly token: string;
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

interface OpenRefund {
  readonly id: string;
  readonly openCents: string | number;
}

/** Assigns proven money to refunds; returns their ids. */
async function fulfil(
  { clock }: ProveDeps,
  uow: UnitOfWork,
  { merchant, id: receiptId }: Receipt,
  { usdCents, buyer, items }: RefundInput,
  transactionHash: string,
  actor: string,
): Promise<string[]> {
  const now = clock();
  const open = await uow.sql<OpenRefund>(
    `select id, usd_cents - proven_cents as "openCents" from refunds
      where merchant = $1 and receipt_id = $2 and state = 'requested' order by buyer = $3 desc, created_at, id`,
    [merchant, receiptId, buyer],
  );
  const ids: string[] = [];
  let leftCents = usdCents;
  for (const { id, openCents } of open) {
    if (leftCents === 0) break;
    const provenCents = Math.min(leftCents, Number(openCents));
    await uow.sql(
      `update refunds set proven_cents = proven_cents + $4::bigint, transaction_hashes = array_append(transaction_hashes, $5),
              state = case when proven_cents + $4::bigint = usd_cents then 'refunded' else state end,
              refunded_at = case when proven_cents + $4::bigint = usd_cents then $6::bigint end,
              items = case when items = '[]' then $7::jsonb else items end
        where merchant = $1 and receipt_id = $2 and id = $3`,
      [merchant, receiptId, id, provenCents, transactionHash, now, JSON.stringify(items)],
    );
    ids.push(id);
    leftCents -= provenCents;
  }
  if (leftCents === 0) return ids;
  const refund: NewRefund = { usdCents: leftCents, provenCents: leftCents, buyer, items, transactionHash, actor, now };
  return [...ids, await insertRefund(uow, { merchant, id: receiptId }, refund)];
}

/** A refund to insert; it is `refunded` if all of it is proven. */
export interface NewRefund {
  readonly usdCents: number;
  readonly provenCents: number;
  readonly buyer: string;
  readonly items: readonly RefundItem[];
  readonly transactionHash: string | null;
  readonly actor: string;
  readonly now: number;
}

/** Inserts a refund; returns its id. */
export async function insertRefund(
  uow: UnitOfWork,
  receipt: Pick<Receipt, 'merchant' | 'id'>,
  { usdCents, provenCents, buyer, items, transactionHash, actor, now }: NewRefund,
): Promise<string> {
  const id = newId('refund', now);
  const whole = usdCents === provenCents;
  await uow.sql(
    `insert into refunds (merchant, receipt_id, id, state, usd_cents, proven_cents, buyer, items, transaction_hashes, actor, created_at, refunded_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9::text[], $10, $11::bigint, $12::bigint)`,
    [
      receipt.merchant,
      receipt.id,
      id,
      whole ? 'refunded' : 'requested',
      usdCents,
      provenCents,
      buyer,
      JSON.stringify(items),
      transactionHash === null ? [] : [transactionHash],
      actor,
      now,
      whole ? now : null,
    ],
  );
  return id;
}
