import { sql } from 'kysely';
import { toDecimal } from '../chain/tokens.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { tokenOn } from '../platform/on-chain.ts';
import { query } from '../platform/query.ts';
import { CLOCK_TOLERANCE_MS } from '../quotes/hold.ts';
import type { Endable } from '../receipts/ended.ts';
import { isWaiting } from '../receipts/lifecycle.ts';
import { readEnded } from '../receipts/read-ended.ts';

/** A payment that arrived, and that the receipt's buyer or the buyer of an earlier receipt has sent. */
export interface Unclaimed {
  readonly transactionHash: `0x${string}`;
  readonly token: string;
  /** Base units. */
  readonly amount: string;
  /** The amount in whole tokens, as decimal text. */
  readonly display: string;
  readonly sender: Wallet;
  /** Epoch ms of its block. */
  readonly at: number;
}

/** The number of payments that a buyer is asked about, oldest first. */
const UNCLAIMED_MAX = 5;

/**
 * Unmatched transfers of the amounts that the receipts hold, without those that the buyer has named already. Starts at
 * the few quotes whose amount another receipt held before, and reads the merchant's unmatched transfers from the block
 * of the receipt's creation on, by their index.
 */
const UNCLAIMED = query('payments-unclaimed', (db, $: { merchant: Wallet; ids: readonly string[] }) =>
  db
    .selectFrom('Quote as q')
    .innerJoin('Receipt as r', (join) => join.onRef('r.merchant', '=', 'q.merchant').onRef('r.id', '=', 'q.receiptId'))
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('Transfer as t')
          .select([
            't.transactionHash as hash',
            't.chainId as chain',
            't.token',
            't.amount',
            't.sender',
            't.blockTimeMs as at',
          ])
          .where('t.merchant', '=', $.merchant)
          .whereRef('t.quoteId', '=', 'q.id')
          .where('t.canonical', '=', true)
          .where('t.receiptId', 'is', null)
          .where('t.unmatchedReason', '=', 'ambiguous')
          .where('t.refundMarkedAt', 'is', null)
          .where(({ or, eb, ref, fn, lit }) =>
            or([
              eb('r.createdChainId', 'is distinct from', ref('t.chainId')),
              eb('t.blockNumber', '>=', fn.coalesce('r.createdBlock', lit(0))),
            ]),
          )
          .where(({ eb, ref }) =>
            eb('t.blockTimeMs', '>=', sql<number>`${ref('q.createdAt')} - ${sql.lit(CLOCK_TOLERANCE_MS)}`),
          )
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('SubmittedTransaction as s')
                  .select('s.transactionHash')
                  .whereRef('s.merchant', '=', 'q.merchant')
                  .whereRef('s.receiptId', '=', 'q.receiptId')
                  .whereRef('s.transactionHash', '=', 't.transactionHash'),
              ),
            ),
          )
          .orderBy('t.blockTimeMs')
          .orderBy('t.blockNumber')
          .orderBy('t.logIndex')
          .limit(UNCLAIMED_MAX)
          .as('p'),
      (join) => join.onTrue(),
    )
    .select(['q.receiptId', 'p.hash', 'p.chain', 'p.token', 'p.amount', 'p.sender', 'p.at'])
    .where('q.merchant', '=', $.merchant)
    .where(({ ref }) => sql<boolean>`${ref('q.receiptId')} = any(${$.ids})`)
    .where(({ ref }) => sql<boolean>`cardinality(${ref('q.earlier')}) > 0`)
    .orderBy('p.at'),
);

type UnclaimedDeps = Pick<Deps, 'sql' | 'chain' | 'chains'>;

/**
 * The payments that the buyer of each receipt is asked about: transfers of its amount, which an unpaid receipt held
 * before. In the order of the receipts.
 */
export async function readUnclaimedOf(
  deps: UnclaimedDeps,
  merchant: Wallet,
  ids: readonly string[],
): Promise<Unclaimed[][]> {
  const rows = await deps.sql.run(UNCLAIMED, { merchant, ids });
  return ids.map((id) =>
    rows
      .filter(({ receiptId }) => receiptId === id)
      .slice(0, UNCLAIMED_MAX)
      .flatMap(({ hash, chain, token, amount, sender, at }) => {
        const known = tokenOn(deps, chain, token);
        if (!known) return [];
        return [
          { transactionHash: hash, token, amount, display: toDecimal(BigInt(amount), known.decimals), sender, at },
        ];
      }),
  );
}

/** Whether the buyer of a receipt can be asked about a payment now. */
export const mayClaim = async (
  { sql: statements }: Pick<Deps, 'sql'>,
  receipt: Endable & { readonly merchant: Wallet },
  now: number,
): Promise<boolean> => isWaiting(receipt) && !(await readEnded(statements, receipt, now));
