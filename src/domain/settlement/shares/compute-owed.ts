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
  { split, token, received, confirmed }: Reading,
): Promise<boolean> {
  const { merchant, receiptId } = shares[0]!;
  const { chainId } = deps.chain;
  const key = { merchant, receiptId, chainId, split, token, confirmed };
  const [uncollected] = await uow.run(UNCOLLECTED, key);
  if (uncollected) return false;
  const parts = await uow.run(PARTS, key);
  if (parts.length === 0) return false;
  const totals = parts.map(({ amount, laterSum }) => {
    const after = received - BigInt(laterSum);
    return { before: after - BigInt(amount), after };
  });
  if (totals.some(({ before }) => before < 0n)) {
    deps.log.error({ split, receiptId }, 'splitter received less than the sum of its transfers');
    return false;
  }
  for (const { payee, sharesBps } of shares) {
    const owed = totals.reduce((sum, { before, after }) => sum + owedFor(before, after, sharesBps, BPS_TOTAL), 0n);
    const releasedAtLeast = dueAt(totals.at(-1)!.after, sharesBps, BPS_TOTAL);
    await uow.db
      .updateTable('SettlementShare')
      .set({ owed: String(owed), releasedAtLeast: String(releasedAtLeast), dueSince: deps.clock(), ...CHANGED })
      .where('merchant', '=', merchant)
      .where('receiptId', '=', receiptId)
      .where('chainId', '=', chainId)
      .where('split', '=', split)
      .where('token', '=', token)
      .where('payee', '=', payee)
      .execute();
  }
  announceAfterCommit(deps.bus, uow, [{ merchant }]);
  return true;
}

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

/** What a receipt has brought to a place, each part with the sum of all later transfers to it. */
const PARTS = query(
  'settlement-parts',
  (db, $: PartsKey) =>
    db
      .selectFrom('Transfer as t')
      .select('t.amount')
      .select((eb) =>
        sql<string>`coalesce(${eb
          .selectFrom('Transfer as l')
          .select((later) => later.fn.sum('l.amount').as('sum'))
          .whereRef('l.chainId', '=', 't.chainId')
          .whereRef('l.payTo', '=', 't.payTo')
          .whereRef('l.token', '=', 't.token')
          .where('l.canonical', '=', true)
          .where(
            (later) => sql<boolean>`(${later.ref('l.blockNumber')}, ${later.ref('l.logIndex')})
              > (${later.ref('t.blockNumber')}, ${later.ref('t.logIndex')})`,
          )
          .where('l.blockNumber', '<=', $.confirmed)}, 0)::numeric(78,0)`.as('laterSum'),
      )
      .where('t.merchant', '=', $.merchant)
      .where(({ eb, or }) => or([eb('t.receiptId', '=', $.receiptId), eb('t.addressOf', '=', $.receiptId)]))
      .where('t.chainId', '=', $.chainId)
      .where('t.payTo', '=', $.split)
      .where('t.token', '=', $.token)
      .where('t.canonical', '=', true)
      .where('t.blockNumber', '<=', $.confirmed)
      .orderBy('t.blockNumber')
      .orderBy('t.logIndex'),
  { computed: { laterSum: 'numeric' } },
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
