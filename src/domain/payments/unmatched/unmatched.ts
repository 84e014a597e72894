import { type Kysely, sql } from 'kysely';
import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { keysetList, type Listing, listing } from '../../../base/platform/keyset.ts';
import { withDisplay } from '../../../base/platform/on-chain.ts';
import type { Database } from '../../../base/platform/postgres/database.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import { type ReceiptStatus, WAITING } from '../../sales/receipts/lifecycle.ts';
import { type ReadRate, usdPerToken } from '../../shop/fx/usd-per-token.ts';
import { unitsFor } from '../quotes/amounts.ts';
import type { UnmatchedReason } from '../transfers/core/transfer.entity.ts';
import type { TransferRow } from '../transfers/core/transfer-row.ts';
import { keysOfTransfers } from '../transfers/transfers.ts';

type UnmatchedColumns = Pick<
  TransferRow,
  | 'chainId'
  | 'transactionHash'
  | 'logIndex'
  | 'blockNumber'
  | 'blockTimeMs'
  | 'token'
  | 'amount'
  | 'sender'
  | 'payTo'
  | 'refundMarkedAt'
>;

interface UnmatchedRow extends UnmatchedColumns {
  readonly reason: UnmatchedReason;
  /** The wallet of the admin who marked it for refund. */
  readonly refundMarkedBy: Wallet | null;
  /** The receipts that it may belong to, most likely first. */
  readonly candidates: readonly Candidate[];
}

/** A transfer that pays no receipt. */
export interface UnmatchedTransfer extends UnmatchedRow {
  /** The amount in whole tokens, as decimal text; null if the server does not accept this token there any more. */
  readonly display: string | null;
}

export interface Candidate {
  readonly receiptId: string;
  readonly status: ReceiptStatus;
  readonly totalCents: number;
}

/** How many of the merchant's latest receipts are considered as candidates, and how many are named. */
const CONSIDERED = 100;
const NAMED = 10;

/** The minimum amount of each token on each chain, as lists of equal length. */
interface DustQuery {
  readonly chainIds: readonly number[];
  readonly tokens: readonly string[];
  readonly amounts: readonly string[];
}

/** The parameters of `openUnmatched`. */
export interface OpenUnmatched extends DustQuery {
  readonly merchant: Wallet;
}

interface UnmatchedQuery extends OpenUnmatched {
  readonly waiting: readonly ReceiptStatus[];
}

/**
 * The candidates of the transfer `t`: the receipts that it is known to be meant for, then the latest receipts that wait
 * for money in its token there, nearest amount first.
 */
const candidates = ({ waiting }: Pick<UnmatchedQuery, 'waiting'>) => sql<readonly Candidate[]>`(
  select coalesce(jsonb_agg(jsonb_build_object('receiptId', n.id, 'status', n.status, 'totalCents', n.total_cents)
                            order by n.distance), '[]')
    from (select id, status, total_cents, min(distance) as distance
            from ((select r.id, r.status, r.total_cents, abs(q.amount - t.amount) as distance
                     from (select merchant, id, status, total_cents from receipts
                            where merchant = t.merchant and status = any(${waiting})
                            order by created_at desc, id desc limit ${sql.lit(CONSIDERED)}) r
                     join lateral (select amount from quotes
                                    where merchant = r.merchant and receipt_id = r.id
                                      and chain_id = t.chain_id and token = t.token
                                    order by created_at desc limit 1) q on true) union all
                  (select r.id, r.status, r.total_cents, array_position(t.meant_for, r.id) - 1000 as distance
                     from receipts r where r.merchant = t.merchant and r.id = any(t.meant_for))) found
           group by id, status, total_cents
           order by distance limit greatest(${sql.lit(NAMED)}, coalesce(cardinality(t.meant_for), 0))) n)`;

const unmatchedOf = (db: Kysely<Database>, { merchant }: { readonly merchant: Wallet }) =>
  db
    .selectFrom('Transfer as t')
    .where('t.merchant', '=', merchant)
    .where('t.canonical', '=', true)
    .where('t.receiptId', 'is', null)
    .where('t.unmatchedReason', 'is not', null);

const COLUMNS = [
  't.chainId',
  't.transactionHash',
  't.logIndex',
  't.blockNumber',
  't.blockTimeMs',
  't.token',
  't.amount',
  't.sender',
  't.payTo',
  't.unmatchedReason',
  't.refundMarkedAt',
  't.refundMarkedBy',
] as const;

const COMPUTED = { candidates: 'jsonb' } as const;

/** Transfers below the minimum amount of their token are dust. */
const isNoDust = ({ chainIds, tokens, amounts }: DustQuery) => sql<boolean>`t.amount >= coalesce((
  select d.least from unnest(${chainIds}::int8[], ${tokens}::text[], ${amounts}::numeric[]) as d(chain_id, token, least)
   where d.chain_id = t.chain_id and d.token = t.token), 0)`;

const STATES = { any: null, open: 'is', marked: 'is not' } as const;

/** The merchant's transfers to decide on, without dust, as a part of a statement. */
export const openUnmatched = (db: Kysely<Database>, $: OpenUnmatched) =>
  unmatchedOf(db, $).where(isNoDust($)).where('t.refundMarkedAt', 'is', null);

const listBy = (state: keyof typeof STATES) =>
  keysetList(`payments-unmatched ${state}`, {
    order: {
      name: 'unmatched-transfers',
      direction: 'desc',
      keys: keysOfTransfers('t'),
    },
    from: (db, $: UnmatchedQuery) => {
      const rows = unmatchedOf(db, $).where(isNoDust($));
      const comparison = STATES[state];
      return comparison === null ? rows : rows.where('t.refundMarkedAt', comparison, null);
    },
    select: (rows, $) => rows.select(COLUMNS).select(candidates($).as('candidates')),
    computed: COMPUTED,
    slow: true,
  });
const LISTS = { any: listBy('any'), open: listBy('open'), marked: listBy('marked') };

const ONE = query(
  'payments-unmatched-one',
  (
    db,
    $: Pick<UnmatchedQuery, 'merchant' | 'waiting'> & Pick<TransferRow, 'chainId' | 'transactionHash' | 'logIndex'>,
  ) =>
    unmatchedOf(db, $)
      .select(COLUMNS)
      .select(candidates($).as('candidates'))
      .where('t.chainId', '=', $.chainId)
      .where('t.transactionHash', '=', $.transactionHash)
      .where('t.logIndex', '=', $.logIndex),
  { slow: true, computed: COMPUTED },
);

/** Selects unmatched transfers. */
export interface UnmatchedFilter {
  /** True: only transfers marked for refund. False: only the others. */
  readonly markedForRefund?: boolean | null;
  /** Includes transfers worth less than `DUST_USD`. */
  readonly includeDust?: boolean | null;
}

/** Senders of such amounts usually plant their address in a list rather than pay. US dollars, as decimal text. */
export const DUST_USD = '0.01';

type UnmatchedDeps = Pick<Deps, 'db' | 'chain' | 'chains'>;

/** The merchant's unmatched transfers, newest first; without dust unless requested. */
export async function listUnmatched(
  deps: UnmatchedDeps & { readonly readRate: ReadRate },
  merchant: Wallet,
  { markedForRefund = null, includeDust = false }: UnmatchedFilter = {},
): Promise<Listing<UnmatchedTransfer>> {
  const dust = includeDust ? { chainIds: [], tokens: [], amounts: [] } : await dustBelow(deps);
  const list = LISTS[markedForRefund === null ? 'any' : markedForRefund ? 'marked' : 'open'];
  return listing(deps.db, list, { merchant, waiting: WAITING, ...dust }, merchant, (rows) =>
    rows.map((row) => transferOf(deps, row)),
  );
}

/** The value of a cent in each token, in base units; a token without a rate has no dust. */
export async function dustBelow({
  chains,
  readRate,
}: Pick<UnmatchedDeps, 'chains'> & { readonly readRate: ReadRate }): Promise<DustQuery> {
  const least = await Promise.all(
    chains.flatMap(({ chainId, tokens }) =>
      tokens.map(async (token) => {
        const usdPerUnit = await usdPerToken(readRate, token).catch(() => null);
        if (usdPerUnit === null) return null;
        const amount = String(unitsFor(DUST_USD, { decimals: token.decimals, usdPerUnit }));
        return { chainId, token: token.symbol, amount };
      }),
    ),
  );
  const known = least.filter((one) => one !== null);
  return {
    chainIds: known.map(({ chainId }) => chainId),
    tokens: known.map(({ token }) => token),
    amounts: known.map(({ amount }) => amount),
  };
}

/** One unmatched transfer. Refuses with `not_found`. */
export async function readUnmatched(
  deps: UnmatchedDeps,
  merchant: Wallet,
  { chainId, transactionHash, logIndex }: Pick<UnmatchedTransfer, 'chainId' | 'transactionHash' | 'logIndex'>,
): Promise<UnmatchedTransfer> {
  const [row] = await deps.db.run(ONE, { merchant, waiting: WAITING, chainId, transactionHash, logIndex });
  if (!row) throw refuse('not_found', 'Unmatched transfer not found');
  return transferOf(deps, row);
}

const transferOf = (deps: UnmatchedDeps, { unmatchedReason, ...row }: RowOf<typeof ONE>): UnmatchedTransfer =>
  withDisplay(deps, { ...row, reason: unmatchedReason! });
