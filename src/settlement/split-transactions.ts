import { sql } from 'kysely';
import { z } from 'zod';
import { toDecimal } from '../chain/tokens.ts';
import { wholeNumber } from '../core/amount.ts';
import { optional, parseInput } from '../core/input.ts';
import { BPS_TOTAL } from '../core/shares.ts';
import { parseWallet, type Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { query } from '../platform/query.ts';

/** A payment for a receipt that a split has received. */
export interface SplitTransaction {
  readonly id: string;
  readonly receiptId: string;
  /** In whole units of the token. */
  readonly amount: number;
  /** Symbol. */
  readonly currency: string;
  /** `completed` once every payee has received its share. */
  readonly status: 'pending' | 'completed';
  /** The block's time, ISO 8601. */
  readonly timestamp: string;
  readonly transactionHash: string;
  /** The platform's share, in whole units of the token. */
  readonly fees: number;
}

/** The default and the maximum number of transactions in a response. */
export const TRANSACTIONS = 200;
export const MAX_TRANSACTIONS = 1_000;

const transactionQuery = z.object({
  address: z.preprocess(
    (value) => (value === '' ? undefined : value),
    optional(
      z
        .custom<string>((value) => parseWallet(value) !== null, { error: 'must be 0x followed by 40 hex characters' })
        .transform((text) => parseWallet(text) as Wallet),
    ),
  ),
  limit: optional(wholeNumber(1, MAX_TRANSACTIONS)),
});

interface TransactionQuery {
  /** A split or a recipient; null: all. */
  readonly address?: Wallet | null;
  readonly limit?: number;
}

/** Parses the arguments of the list. Refuses with `invalid_input`. */
export const parseTransactionQuery = (args: unknown): TransactionQuery => parseInput(transactionQuery, args);

interface ListKey {
  merchant: Wallet;
  /** A split or a recipient; null: all. */
  address: Wallet | null;
  platform: Wallet | null;
  limit: number;
}

/**
 * The settlement records a receipt's platform fee exactly. If several transfers share a settlement, or there is none
 * yet, it is this transfer's part, rounded down.
 */
const LIST = query(
  'split-transactions',
  (db, $: ListKey) =>
    db
      .selectFrom('Transfer as t')
      .innerJoin('Receipt as r', (join) =>
        join.onRef('r.merchant', '=', 't.merchant').onRef('r.id', '=', 't.receiptId'),
      )
      .leftJoin('Split as s', (join) => join.onRef('s.chainId', '=', 't.chainId').onRef('s.address', '=', 't.payTo'))
      .leftJoinLateral(
        (eb) =>
          eb
            .selectFrom('SettlementShare as x')
            .select((share) => [
              sql<boolean | null>`bool_and(${share.ref('x.settledAt')} is not null)`.as('settled'),
              share.fn
                .max('x.owed')
                .filterWhere('x.payee', '=', $.platform as Wallet)
                .as('owed'),
              share
                .selectFrom('Transfer as o')
                .select((other) => other.fn.countAll<number>().as('count'))
                .whereRef('o.merchant', '=', 't.merchant')
                .whereRef('o.receiptId', '=', 't.receiptId')
                .where('o.canonical', '=', true)
                .as('transfers'),
            ])
            .whereRef('x.merchant', '=', 't.merchant')
            .whereRef('x.receiptId', '=', 't.receiptId')
            .as('d'),
        (join) => join.onTrue(),
      )
      .select(['t.transactionHash', 't.logIndex', 'r.id as receiptId', 't.token', 't.amount', 't.blockTimeMs'])
      .select((eb) => [
        eb
          .or([eb('r.status', '=', 'completed'), eb.fn.coalesce('d.settled', sql<boolean>`false`)])
          .$castTo<boolean>()
          .as('completed'),
        sql<string>`coalesce(case when ${eb.ref('d.transfers')} = 1 then ${eb.ref('d.owed')} end,
          div(${eb.ref('t.amount')} * coalesce((select (p ->> 'sharesBps')::int
            from jsonb_array_elements(${eb.ref('s.recipients')}) p
            where p ->> 'address' = ${$.platform}), 0), ${sql.lit(BPS_TOTAL)}))`.as('fees'),
      ])
      .where('t.merchant', '=', $.merchant)
      .where('t.receiptId', 'is not', null)
      .where('t.canonical', '=', true)
      .where('r.status', 'in', ['paid', 'completed', 'refunded'])
      .where(
        (eb) => sql<boolean>`(${$.address}::text is null or ${eb.ref('t.payTo')} = ${$.address}
          or ${eb.ref('s.recipients')} @> jsonb_build_array(jsonb_build_object('address', ${$.address}::text)))`,
      )
      .orderBy('t.blockNumber', 'desc')
      .orderBy('t.logIndex', 'desc')
      .limit($.limit),
  { slow: true, computed: { completed: 'bool', fees: 'numeric' } },
);

/**
 * The payments for receipts that the merchant's splits have received, newest first. With an address: only payments to
 * that split, or payments that this recipient has a share of.
 */
export async function listSplitTransactions(
  { sql: db, settings }: Pick<Deps, 'sql' | 'settings'>,
  merchant: Wallet,
  { address = null, limit = TRANSACTIONS }: TransactionQuery = {},
): Promise<SplitTransaction[]> {
  const rows = await db.run(LIST, { merchant, address, platform: settings.platformRecipient, limit });
  const decimals = new Map(settings.tokens.map((token) => [token.symbol, token.decimals]));
  return rows.map((row) => {
    const units = (amount: string) => Number(toDecimal(BigInt(amount), decimals.get(row.token) ?? 18));
    return {
      id: `${row.transactionHash}-${row.logIndex}`,
      receiptId: row.receiptId,
      amount: units(row.amount),
      currency: row.token,
      status: row.completed ? 'completed' : 'pending',
      timestamp: new Date(row.blockTimeMs).toISOString(),
      transactionHash: row.transactionHash,
      fees: units(row.fees),
    };
  });
}
