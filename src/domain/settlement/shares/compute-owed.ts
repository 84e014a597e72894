import { sql } from 'kysely';
import type { Chain } from '../../../base/chain/client.ts';
import { dueAt, owedFor, readReceived } from '../../../base/chain/splitter.ts';
import { BPS_TOTAL } from '../../../base/core/shares.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Bus } from '../../../base/platform/bus.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { type Place, type PlaceWalk, type Rests, visitPlaces } from './place-walk.ts';

type OwedDeps = Pick<Deps, 'db' | 'bus' | 'chain' | 'clock' | 'log'>;

/**
 * Computes what each payee is owed for payments that have become final. The contract reports its total receipts;
 * subtracting later transfers gives its total at the time of a payment, or of the collection that brought it. Both are
 * read at a block of full depth, up to which every transfer is stored.
 */
export async function computeOwed(
  deps: OwedDeps & { readonly rests: Rests },
  walk: PlaceWalk,
  confirmed: number,
): Promise<void> {
  await visitPlaces(deps, 'reckon', await walk(), (place) => computePlace(deps, place, confirmed));
}

const FORGET_MIXED = query('settlement-forget-mixed', (db, $: { chainId: number }) =>
  db
    .updateTable('SettlementShare')
    .set({ owed: null, releasedAtLeast: null, dueSince: null, ...CHANGED })
    .where('chainId', '=', $.chainId)
    .where('settledAt', 'is', null)
    .where('owed', 'is not', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('SettlementShare as o')
          .select('o.payee')
          .whereRef('o.merchant', '=', 'SettlementShare.merchant')
          .whereRef('o.receiptId', '=', 'SettlementShare.receiptId')
          .whereRef('o.split', '=', 'SettlementShare.split')
          .whereRef('o.token', '=', 'SettlementShare.token')
          .whereRef('o.payee', '=', 'SettlementShare.payee')
          .whereRef('o.chainId', '<>', 'SettlementShare.chainId'),
      ),
    ),
);

/**
 * Forgets the open shares of receipts that were paid at one split on several chains, so that they are computed again. A
 * server of version 0.1 that settles until it is replaced computes those of one chain for all. A later version needs
 * this no more.
 */
export async function forgetMixedShares(db: Db, chain: Chain): Promise<void> {
  await db.run(FORGET_MIXED, { chainId: chain.chainId });
}

/** Returns whether a share was computed. */
async function computePlace(deps: OwedDeps, { split, token }: Place, confirmed: number): Promise<boolean> {
  const known = deps.chain.tokens.find(({ symbol }) => symbol === token);
  if (!known) return false;
  const received = await readReceived(deps.chain, split, known.address, BigInt(confirmed));
  let computed = false;
  let last: Pick<OpenShare, 'merchant' | 'receiptId' | 'payee'> = {
    merchant: '' as Wallet,
    receiptId: '',
    payee: '' as Wallet,
  };
  for (;;) {
    const page = await deps.db.transaction(async (uow) => {
      const shares = await uow.run(OPEN_SHARES, { chainId: deps.chain.chainId, split, token, ...last });
      let changed = false;
      for (const [, parts] of Map.groupBy(shares, ({ merchant, receiptId }) => `${merchant}/${receiptId}`)) {
        if (await computeReceipt(deps, uow, parts, { split, token, received, confirmed })) changed = true;
      }
      return { shares, changed };
    });
    computed ||= page.changed;
    if (page.shares.length < PAGE) return computed;
    last = page.shares.at(-1)!;
  }
}

interface Reading extends Place {
  /** Base units that the splitter received in total, up to the block `confirmed`. */
  readonly received: bigint;
  readonly confirmed: number;
}

/** Stores what each payee is owed for one receipt's payments at one place. Returns false if that is not known yet. */
async function computeReceipt(
  deps: OwedDeps,
  uow: UnitOfWork,
  shares: readonly OpenShare[],
  reading: Reading,
): Promise<boolean> {
  const { merchant, receiptId } = shares[0]!;
  const { split, token, confirmed } = reading;
  const key = { merchant, receiptId, chainId: deps.chain.chainId, split, token, confirmed };
  const [uncollected] = await uow.run(UNCOLLECTED, key);
  if (uncollected) return false;
  const brought = await uow.run(BROUGHT, key);
  if (!(await storeOwed(deps, uow, shares, { ...reading, brought }, { dueSince: deps.clock() }))) return false;
  // Their shares were computed before the money at their addresses was assigned to this receipt.
  for (const giver of new Set(brought.flatMap((one) => giverOf(one, receiptId)))) {
    const of = { ...key, receiptId: giver };
    const known = await uow.run(KNOWN_SHARES, of);
    if (known.length > 0) await storeOwed(deps, uow, known, { ...reading, brought: await uow.run(BROUGHT, of) });
  }
  announceAfterCommit(deps.bus, uow, [{ merchant }]);
  return true;
}

/** Stores what each payee is owed of what a receipt has brought. Returns false if it has brought nothing yet. */
async function storeOwed(
  { chain, log }: OwedDeps,
  uow: UnitOfWork,
  shares: readonly OpenShare[],
  { split, token, received, brought }: Reading & { readonly brought: readonly Brought[] },
  more: { readonly dueSince?: number } = {},
): Promise<boolean> {
  const { merchant, receiptId } = shares[0]!;
  const parts = brought.flatMap((one) => partsOf(received, one, receiptId));
  if (parts.length === 0) return false;
  if (parts.some(({ before }) => before < 0n)) {
    log.error({ split, receiptId }, 'splitter received less than the sum of its transfers');
    return false;
  }
  const last = parts.reduce((most, { after }) => (after > most ? after : most), 0n);
  for (const { payee, sharesBps } of shares) {
    const owed = parts.reduce((sum, { before, after }) => sum + owedFor(before, after, sharesBps, BPS_TOTAL), 0n);
    await uow.db
      .updateTable('SettlementShare')
      .set({ owed: String(owed), releasedAtLeast: String(dueAt(last, sharesBps, BPS_TOTAL)), ...more, ...CHANGED })
      .where('merchant', '=', merchant)
      .where('receiptId', '=', receiptId)
      .where('chainId', '=', chain.chainId)
      .where('split', '=', split)
      .where('token', '=', token)
      .where('payee', '=', payee)
      .execute();
  }
  return true;
}

/** What the splitter had received before and after a part of a receipt's money, in base units. */
interface Part {
  readonly before: bigint;
  readonly after: bigint;
}

/**
 * The parts of a transfer to the splitter that belong to a receipt. A collection brings the money of the address's own
 * receipt, then what is assigned to others, in its order.
 */
function partsOf(received: bigint, { amount, laterSum, addressOf, assigned }: Brought, receiptId: string): Part[] {
  const parts: Part[] = [];
  let after = received - BigInt(laterSum);
  const start = after - BigInt(amount);
  for (const one of assigned.toReversed()) {
    // A token may have taken a fee.
    const before = after - BigInt(one.amount) < start ? start : after - BigInt(one.amount);
    if (one.receiptId === receiptId) parts.unshift({ before, after });
    after = before;
  }
  if (addressOf === null || addressOf === receiptId) parts.unshift({ before: start, after });
  return parts;
}

/** The receipt at whose address a part of another receipt's money arrived. */
const giverOf = ({ addressOf, assigned }: Brought, receiptId: string): string[] =>
  addressOf !== null && addressOf !== receiptId && assigned.some((one) => one.receiptId === receiptId)
    ? [addressOf]
    : [];

interface OpenShare {
  readonly merchant: Wallet;
  readonly receiptId: string;
  readonly payee: Wallet;
  readonly sharesBps: number;
}

const PAGE = 1_000;

const OPEN_SHARES = query(
  'settlement-open-shares',
  (db, $: Place & Omit<OpenShare, 'sharesBps'> & { chainId: number }) =>
    db
      .selectFrom('SettlementShare')
      .select(['merchant', 'receiptId', 'payee', 'sharesBps'])
      .where('chainId', '=', $.chainId)
      .where('split', '=', $.split)
      .where('token', '=', $.token)
      .where('settledAt', 'is', null)
      .where('owed', 'is', null)
      .where(
        (eb) => sql<boolean>`(${eb.ref('merchant')}, ${eb.ref('receiptId')}, ${eb.ref('payee')})
          > (${$.merchant}, ${$.receiptId}, ${$.payee})`,
      )
      .orderBy('merchant')
      .orderBy('receiptId')
      .orderBy('payee')
      .limit(PAGE)
      .forUpdate(),
);

interface PartsKey extends Place {
  merchant: Wallet;
  receiptId: string;
  chainId: number;
  confirmed: number;
}

/**
 * A payment of the receipt that its address has not sent to the split yet. A collection sends all that the address
 * holds, so one after the payment has brought it, however much the token took for itself.
 */
const UNCOLLECTED = query(
  'settlement-uncollected',
  (db, $: PartsKey) =>
    db
      .selectFrom('Transfer as t')
      .select(sql<number>`1`.as('one'))
      .where('t.merchant', '=', $.merchant)
      .where('t.receiptId', '=', $.receiptId)
      .where('t.chainId', '=', $.chainId)
      .where('t.split', '=', $.split)
      .where('t.token', '=', $.token)
      .where('t.canonical', '=', true)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('Transfer as c')
              .select('c.logIndex')
              .whereRef('c.merchant', '=', 't.merchant')
              .whereRef('c.addressOf', '=', 't.addressOf')
              .whereRef('c.chainId', '=', 't.chainId')
              .whereRef('c.sender', '=', 't.payTo')
              .where('c.payTo', '=', $.split)
              .whereRef('c.token', '=', 't.token')
              .where('c.canonical', '=', true)
              .where('c.blockNumber', '<=', $.confirmed)
              .where(({ eb, refTuple, tuple }) =>
                eb(refTuple('c.blockNumber', 'c.logIndex'), '>', tuple(eb.ref('t.blockNumber'), eb.ref('t.logIndex'))),
              ),
          ),
        ),
      )
      .limit(1),
  { computed: { one: 'int4' } },
);

const KNOWN_SHARES = query('settlement-known-shares', (db, $: PartsKey) =>
  db
    .selectFrom('SettlementShare')
    .select(['merchant', 'receiptId', 'payee', 'sharesBps'])
    .where('merchant', '=', $.merchant)
    .where('receiptId', '=', $.receiptId)
    .where('chainId', '=', $.chainId)
    .where('split', '=', $.split)
    .where('token', '=', $.token)
    .where('owed', 'is not', null)
    .forUpdate(),
);

/** A transfer to the splitter that brought money of a receipt. Base units. */
interface Brought {
  readonly amount: string;
  /** The sum of all later transfers to the splitter. */
  readonly laterSum: string;
  /** The receipt from whose address it was collected; null for money that was sent straight to the splitter. */
  readonly addressOf: string | null;
  /** Of a collection: what is assigned to paid receipts other than the address's own, in the order of its arrival. */
  readonly assigned: readonly { readonly receiptId: string; readonly amount: string }[];
}

/** The transfers to a place that brought money of a receipt, in their order. */
const BROUGHT = query(
  'settlement-brought',
  (_db, $: PartsKey) => sql<Brought>`
    select c.amount, c.address_of as "addressOf",
           coalesce((select sum(l.amount) from transfers l
             where l.chain_id = c.chain_id and l.pay_to = c.pay_to and l.token = c.token and l.canonical
               and (l.block_number, l.log_index) > (c.block_number, c.log_index)
               and l.block_number <= ${$.confirmed}), 0)::numeric(78,0) as "laterSum",
           coalesce((select jsonb_agg(jsonb_build_object('receiptId', t.receipt_id, 'amount', t.amount::text)
                                      order by t.block_number, t.log_index)
             from transfers t
             where t.merchant = c.merchant and t.address_of = c.address_of and t.chain_id = c.chain_id
               and t.pay_to = c.sender and t.token = c.token and t.canonical and t.receipt_id <> t.address_of
               and (t.block_number, t.log_index) < (c.block_number, c.log_index)
               and not exists (select from transfers e
                 where e.merchant = c.merchant and e.address_of = c.address_of and e.chain_id = c.chain_id
                   and e.sender = c.sender and e.pay_to = c.pay_to and e.token = c.token and e.canonical
                   and (e.block_number, e.log_index) > (t.block_number, t.log_index)
                   and (e.block_number, e.log_index) < (c.block_number, c.log_index))
               and exists (select from settlement_shares o
                 where o.merchant = t.merchant and o.receipt_id = t.receipt_id and o.chain_id = c.chain_id
                   and o.split = c.pay_to and o.token = c.token)), '[]') as assigned
      from transfers c
     where c.merchant = ${$.merchant} and c.chain_id = ${$.chainId} and c.pay_to = ${$.split}
       and c.token = ${$.token} and c.canonical and c.block_number <= ${$.confirmed}
       and (c.receipt_id = ${$.receiptId} or c.address_of = ${$.receiptId}
         or c.address_of = any(array(select a.address_of from transfers a
              where a.merchant = ${$.merchant} and a.receipt_id = ${$.receiptId} and a.chain_id = ${$.chainId}
                and a.token = ${$.token} and a.canonical and a.address_of is not null)))
     order by c.block_number, c.log_index`,
  { computed: { amount: 'numeric', addressOf: 'text', laterSum: 'numeric', assigned: 'jsonb' } },
);

/** The bus channel that announces changed shares of a merchant. */
export const payoutsChannel = (merchant: Wallet): string => `payouts.${merchant}`;

/** Each statement that changes a share sets this, so that followers of payouts read it again. */
export const CHANGED = { txid: sql<string>`pg_current_xact_id()` } as const;

/** Announces changed shares. They are committed already. */
export function announceShares(bus: Bus, changed: readonly { readonly merchant: Wallet }[]): void {
  for (const merchant of new Set(changed.map((one) => one.merchant))) bus.publish(payoutsChannel(merchant), '');
}

/** Announces changed shares after the commit. */
export function announceAfterCommit(
  bus: Bus,
  uow: UnitOfWork,
  changed: readonly { readonly merchant: Wallet }[],
): void {
  if (changed.length > 0) uow.afterCommit(() => announceShares(bus, changed));
}
