import { sql } from 'kysely';
import { readBalance } from '../../../base/chain/balances.ts';
import { assertChainId, type Chain, reach } from '../../../base/chain/client.ts';
import { inTime } from '../../../base/chain/in-time.ts';
import { readReleasable } from '../../../base/chain/splitter.ts';
import type { Token } from '../../../base/chain/token.ts';
import { BPS_TOTAL } from '../../../base/core/shares.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import { splitOf } from '../../payments/transfers/transfers.ts';
import { WAITING } from '../../sales/receipts/lifecycle.ts';

/** A merchant's balance of one token, in base units. */
export interface Holding {
  readonly token: Token;
  /**
   * The balance of the merchant's wallet plus what its splits can release now, and could once they have what is at the
   * addresses of receipts, minus `reserved`.
   */
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

interface Uncollected {
  /** The watcher's position. */
  readonly scanned: number;
  readonly split: Wallet | null;
  readonly token: string | null;
  /** What the addresses of receipts hold for the split at that block, in base units. */
  readonly amount: string | null;
}

/**
 * What is at the addresses of receipts at the watcher's position, with that position. While the watcher stores a block,
 * collections of it may be stored that are not counted yet: what they bring is still at the addresses.
 */
const UNCOLLECTED = query(
  'billing-uncollected',
  (_db, $: { chainId: number; splits: readonly Wallet[] }) => sql<Uncollected>`
    with at as (select scanned from chain_cursors where chain_id = ${$.chainId}),
    arrived as (
      select t.split, t.token, t.amount from at, transfers t
       where t.chain_id = ${$.chainId} and t.split = any(${$.splits}::text[]) and t.canonical and not t.collected
         and t.block_number <= at.scanned
      union all
      select t.split, t.token, t.amount from at, transfers c
        join transfers t on t.chain_id = c.chain_id and t.pay_to = c.sender and t.token = c.token and t.split = c.pay_to
       where c.chain_id = ${$.chainId} and c.pay_to = any(${$.splits}::text[]) and c.canonical
         and c.address_of is not null and c.block_number > at.scanned
         and t.canonical and t.block_number <= at.scanned
         and not exists (
           select from transfers b
            where b.chain_id = c.chain_id and b.pay_to = c.pay_to and b.token = c.token and b.sender = c.sender
              and b.canonical and (b.block_number, b.log_index) > (t.block_number, t.log_index)
              and (b.block_number, b.log_index) < (c.block_number, c.log_index)))
    select at.scanned, x.split, x.token, x.amount
      from at left join (select split, token, sum(amount) as amount from arrived group by split, token) x on true`,
  { computed: { scanned: 'int8', split: 'text', token: 'text', amount: 'numeric' }, slow: true },
);

/**
 * A merchant's balance of every token of the chain, in the chain's order, as of one block. Refuses with
 * `chain_unavailable` if the chain does not answer in time, because an incomplete balance would be worse than none.
 */
export async function readHoldings(
  deps: Pick<Deps, 'db' | 'chain' | 'settings'>,
  merchant: Wallet,
): Promise<Holding[]> {
  const own = { merchant, chainId: deps.chain.chainId };
  const [splits, notFinal] = await Promise.all([deps.db.run(SPLITS, own), deps.db.run(NOT_FINAL, own)]);
  const paying = splits.filter(({ recipients }) => recipients.some(({ address }) => address === merchant));
  const addresses = paying.map(({ address }) => address);
  const uncollected = await deps.db.run(UNCOLLECTED, { chainId: own.chainId, splits: addresses });
  return inTime(readFromChain(deps.chain, merchant, paying, { notFinal, uncollected }), CHAIN_TIMEOUT_MS);
}

interface Rows {
  readonly notFinal: readonly NotFinal[];
  readonly uncollected: readonly Uncollected[];
}

/**
 * The block whose state is read. Where something is uncollected, it is the watcher's: a later state has at the splits
 * what was collected since then, which would count twice. Else it is the newest one.
 */
async function blockFor({ client }: Chain, uncollected: readonly Uncollected[]): Promise<bigint> {
  const scanned = BigInt(uncollected[0]?.scanned ?? 0);
  if (uncollected.some(({ amount }) => amount !== null)) return scanned;
  const head = await reach(client.getBlockNumber());
  return head > scanned ? head : scanned;
}

async function readFromChain(
  chain: Chain,
  merchant: Wallet,
  splits: readonly OwnSplit[],
  { notFinal, uncollected }: Rows,
): Promise<Holding[]> {
  const [block] = await Promise.all([blockFor(chain, uncollected), assertChainId(chain)]);
  return Promise.all(
    chain.tokens.map(async (token): Promise<Holding> => {
      const releasable = splits.map(async ({ address, recipients }) => {
        const coming = uncollected.find((one) => one.split === address && one.token === token.symbol)?.amount ?? 0;
        const due = await readReleasable(chain, address, token.address, recipients, block, BigInt(coming));
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
