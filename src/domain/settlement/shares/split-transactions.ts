import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { toDecimal } from '../../../base/chain/tokens.ts';
import { optional, parseInput } from '../../../base/core/input.ts';
import { BPS_TOTAL } from '../../../base/core/shares.ts';
import { parseWallet, type Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { keysetList, type Listing, listing } from '../../../base/platform/keyset.ts';
import { tokenOn } from '../../../base/platform/on-chain.ts';
import type { Database } from '../../../base/platform/postgres/database.ts';
import { keysOfTransfers, splitOf } from '../../payments/transfers/transfers.ts';

/** A payment for a receipt that a split has received. */
export interface SplitTransaction {
  readonly id: string;
  readonly receiptId: string;
  /** In whole units of the token; null if the server does not accept this token on this chain any more. */
  readonly amount: number | null;
  /** Symbol. */
  readonly currency: string;
  /** `completed` once every payee has received its share. */
  readonly status: 'pending' | 'completed';
  /** The block's time, ISO 8601. */
  readonly timestamp: string;
  readonly transactionHash: string;
  /** The platform's share, in whole units of the token; null like `amount`. */
  readonly fees: number | null;
}

const transactionQuery = z.object({
  address: z.preprocess(
    (value) => (value === '' ? undefined : value),
    optional(
      z
        .custom<string>((value) => parseWallet(value) !== null, { error: 'must be 0x followed by 40 hex characters' })
        .transform((text) => parseWallet(text) as Wallet),
    ),
  ),
  receiptAddresses: optional(z.boolean()),
});

interface TransactionQuery {
  /** A split, a recipient, or the address of a receipt; null: all. */
  readonly address?: Wallet | null;
  /** Whether it may be the address of a receipt. */
  readonly receiptAddresses?: boolean | null;
}

/** Parses the arguments of the list. Refuses with `invalid_input`. */
export const parseTransactionQuery = (args: unknown): TransactionQuery => parseInput(transactionQuery, args);

interface ListKey {
  readonly merchant: Wallet;
  readonly address: Wallet;
  readonly receiptAddresses: boolean;
  readonly platform: Wallet | null;
}

type Db = Kysely<Database>;

/** Transfers `t` that pay the receipts `r`, with their splits `s`. */
const paymentsOf = (db: Db, { merchant }: ListKey) =>
  db
    .selectFrom('Transfer as t')
    .innerJoin('Receipt as r', (join) => join.onRef('r.merchant', '=', 't.merchant').onRef('r.id', '=', 't.receiptId'))
    .leftJoin('Split as s', (join) => join.onRef('s.chainId', '=', 't.chainId').on('s.address', '=', splitOf('t')))
    .where('t.merchant', '=', merchant)
    .where('t.receiptId', 'is not', null)
    .where('t.canonical', '=', true)
    .where('r.status', 'in', ['paid', 'completed', 'refunded']);

const isFor = ({ address, receiptAddresses }: ListKey) => sql<boolean>`(${splitOf('t')} = ${address}
  or (${receiptAddresses} and t.pay_to = ${address})
  or s.recipients @> jsonb_build_array(jsonb_build_object('address', ${address}::text)))`;

/**
 * The settlement records a receipt's platform fee exactly, for each chain, split and token. If several transfers share
 * one, or there is none yet, it is this transfer's part, rounded down.
 */
const listBy = (name: string, hasAddress: boolean) =>
  keysetList(name, {
    order: {
      name: 'split-transactions',
      direction: 'desc',
      keys: keysOfTransfers('t'),
    },
    from: (db, $: ListKey) => (hasAddress ? paymentsOf(db, $).where(isFor($)) : paymentsOf(db, $)),
    select: (rows, $) =>
      rows
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
                  .whereRef('o.chainId', '=', 't.chainId')
                  .where(splitOf('o'), '=', splitOf('t'))
                  .whereRef('o.token', '=', 't.token')
                  .where('o.canonical', '=', true)
                  .as('transfers'),
              ])
              .whereRef('x.merchant', '=', 't.merchant')
              .whereRef('x.receiptId', '=', 't.receiptId')
              .whereRef('x.chainId', '=', 't.chainId')
              .where('x.split', '=', splitOf('t'))
              .whereRef('x.token', '=', 't.token')
              .as('d'),
          (join) => join.onTrue(),
        )
        .select([
          't.transactionHash',
          't.logIndex',
          't.blockNumber',
          't.token',
          't.amount',
          't.blockTimeMs',
          't.chainId',
        ])
        .select('r.id as receiptId')
        .select((eb) => [
          eb
            .or([eb('r.status', '=', 'completed'), eb.fn.coalesce('d.settled', sql<boolean>`false`)])
            .$castTo<boolean>()
            .as('completed'),
          sql<string>`coalesce(case when ${eb.ref('d.transfers')} = 1 then ${eb.ref('d.owed')} end,
            div(${eb.ref('t.amount')} * coalesce((select (p ->> 'sharesBps')::int
              from jsonb_array_elements(${eb.ref('s.recipients')}) p
              where p ->> 'address' = ${$.platform}), 0), ${sql.lit(BPS_TOTAL)}))`.as('fees'),
        ]),
    slow: true,
    computed: { completed: 'bool', fees: 'numeric' },
  });
const LISTS = { all: listBy('split-transactions', false), address: listBy('split-transactions address', true) };

/**
 * The payments for receipts that the merchant's splits have received, newest first. With an address: only payments to
 * that split, that this recipient has a share of, or that arrived at this address of a receipt.
 */
export function listSplitTransactions(
  deps: Pick<Deps, 'db' | 'settings' | 'chain' | 'chains'>,
  merchant: Wallet,
  { address, receiptAddresses }: TransactionQuery = {},
): Listing<SplitTransaction> {
  const { platformRecipient: platform } = deps.settings;
  const conditions = { merchant, address, receiptAddresses: receiptAddresses !== false, platform } as ListKey;
  return listing(deps.db, LISTS[address ? 'address' : 'all'], conditions, merchant, (rows) =>
    rows.map((row) => {
      const token = tokenOn(deps, row.chainId, row.token);
      const units = (amount: string) => token && Number(toDecimal(BigInt(amount), token.decimals));
      return {
        id: `${row.transactionHash}-${row.logIndex}`,
        receiptId: row.receiptId,
        amount: units(row.amount),
        currency: row.token,
        status: row.completed ? ('completed' as const) : ('pending' as const),
        timestamp: new Date(row.blockTimeMs).toISOString(),
        transactionHash: row.transactionHash,
        fees: units(row.fees),
      };
    }),
  );
}
