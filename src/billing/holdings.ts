import { sql } from 'kysely';
import { readBalance } from '../chain/balances.ts';
import { assertChainId, reach } from '../chain/client.ts';
import { inTime } from '../chain/in-time.ts';
import { readReleasable } from '../chain/splitter.ts';
import type { Token } from '../chain/token.ts';
import { BPS_TOTAL } from '../core/shares.ts';
import type { Wallet } from '../core/wallet.ts';
import { splitOf } from '../payments/transfers.ts';
import type { Deps } from '../platform/deps.ts';
import { query, type RowOf } from '../platform/query.ts';
import { WAITING } from '../receipts/lifecycle.ts';

/** A merchant's balance of one token, in base units. */
export interface Holding {
  readonly token: Token;
  /** The balance of the merchant's wallet plus what its splits can release now, minus `reserved`. */
  readonly available: bigint;
  /**
   * The merchant's share of money that is not its own yet, minus refunds: of payments that are unconfirmed or too
   * small, and of receipts that ended with a part of their payment.
   */
  readonly reserved: bigint;
}

/** Leaves time for the database within the 2.5 s limit of the answer. */
const CHAIN_TIMEOUT_MS = 1_800;

interface OnChain {
  readonly merchant: Wallet;
  readonly chainId: number;
}

/**
 * Includes replaced splits, because their balance stays due. Unverified splits are excluded: their shares are unknown.
 */
const SPLITS = query('billing-splits', (db, $: OnChain) =>
  db
    .selectFrom('Split')
    .select(['address', 'recipients'])
    .where('merchant', '=', $.merchant)
    .where('chainId', '=', $.chainId)
    .where('verified', '=', true)
    .orderBy('createdAt'),
);
type OwnSplit = RowOf<typeof SPLITS>;

/**
 * The payments that are not final, in base units for all recipients together, minus proven refunds. Each token of each
 * chain that has paid the receipt bears its share of a refund by its value in US dollars.
 */
const NOT_FINAL = query(
  'billing-not-final',
  (db, $: OnChain) =>
    db
      .selectFrom((eb) =>
        eb
          .selectFrom('Transfer as t')
          .innerJoin('Receipt as r', (join) =>
            join.onRef('r.merchant', '=', 't.merchant').onRef('r.id', '=', 't.receiptId'),
          )
          .select(({ ref, fn, selectFrom }) => [
            splitOf('t').as('split'),
            't.token as token',
            't.chainId as chain',
            fn.sum<string>('t.amount').as('paid'),
            sql`sum(sum(${ref('t.usd')}::numeric)) over (partition by ${ref('t.receiptId')}) * 100`.as('cents'),
            selectFrom('Refund as f')
              .select((refund) => refund.fn.coalesce(refund.fn.sum('f.provenCents'), sql<number>`0`).as('total'))
              .where('f.merchant', '=', $.merchant)
              .whereRef('f.receiptId', '=', 't.receiptId')
              .as('refunded'),
          ])
          .where('t.merchant', '=', $.merchant)
          .where('t.canonical', '=', true)
          .where('r.status', 'in', ['tx_mined', ...WAITING])
          .groupBy(['t.receiptId', 't.chainId', splitOf('t'), 't.token'])
          .as('part'),
      )
      .where('part.chain', '=', $.chainId)
      .select([
        'split',
        'token',
        sql<string>`sum(paid - coalesce(div(paid * refunded, nullif(cents, 0)), 0))::text`.as('amount'),
      ])
      .groupBy(['split', 'token']),
  { computed: { split: 'text', amount: 'text' }, slow: true },
);
type NotFinal = RowOf<typeof NOT_FINAL>;

/**
 * A merchant's balance of every token of the chain, in the chain's order, as of one block. Refuses with
 * `chain_unavailable` if the chain does not answer in time, because an incomplete balance would be worse than none.
 */
export async function readHoldings(
  deps: Pick<Deps, 'sql' | 'chain' | 'settings'>,
  merchant: Wallet,
): Promise<Holding[]> {
  const own = { merchant, chainId: deps.chain.chainId };
  const [splits, notFinal] = await Promise.all([deps.sql.run(SPLITS, own), deps.sql.run(NOT_FINAL, own)]);
  const paying = splits.filter(({ recipients }) => recipients.some(({ address }) => address === merchant));
  return inTime(readFromChain(deps, merchant, paying, notFinal), CHAIN_TIMEOUT_MS);
}

async function readFromChain(
  { chain }: Pick<Deps, 'chain'>,
  merchant: Wallet,
  splits: readonly OwnSplit[],
  notFinal: readonly NotFinal[],
): Promise<Holding[]> {
  const [block] = await Promise.all([reach(chain.client.getBlockNumber()), assertChainId(chain)]);
  return Promise.all(
    chain.tokens.map(async (token): Promise<Holding> => {
      const releasable = splits.map(async ({ address, recipients }) => {
        const due = await readReleasable(chain, address, token.address, recipients, block);
        return due.get(merchant) ?? 0n;
      });
      const parts = await Promise.all([readBalance(chain, merchant, token.address, block), ...releasable]);
      const held = parts.reduce((sum, part) => sum + part, 0n);
      const reserved = reservedOf(merchant, token, splits, notFinal);
      return { token, available: held > reserved ? held - reserved : 0n, reserved };
    }),
  );
}

function reservedOf(
  merchant: Wallet,
  token: Token,
  splits: readonly OwnSplit[],
  notFinal: readonly NotFinal[],
): bigint {
  let reserved = 0n;
  for (const { split, token: symbol, amount } of notFinal) {
    const recipients = splits.find(({ address }) => address === split)?.recipients ?? [];
    const share = recipients.find(({ address }) => address === merchant)?.sharesBps ?? 0;
    if (symbol === token.symbol) reserved += (BigInt(amount) * BigInt(share)) / BigInt(BPS_TOTAL);
  }
  return reserved;
}
