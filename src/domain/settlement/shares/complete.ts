import { type ExpressionBuilder, sql } from 'kysely';
import { readReleased } from '../../../base/chain/splitter.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import type { Database } from '../../../base/platform/postgres/database.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { workOnOne } from '../../../base/platform/work-on-due.ts';
import { splitOf } from '../../payments/transfers/transfers.ts';
import type { Receipt } from '../../sales/receipts/receipt.entity.ts';
import { lockReceipt, recordChange } from '../../sales/receipts/record-change.ts';
import { raiseEvents } from '../../webhooks/events/events.ts';
import { announceAfterCommit, CHANGED } from './compute-owed.ts';
import { type Place, type PlaceWalk, type Rests, visitPlaces } from './place-walk.ts';

type CompleteDeps = Pick<Deps, 'db' | 'bus' | 'chain' | 'clock' | 'settings' | 'log'>;

const FAILED = 'receipt completion failed';

interface ReceiptKey {
  readonly merchant: Wallet;
  readonly receiptId: string;
}

/**
 * Marks the shares that the chain has released at a block of full depth, and completes the receipts without open
 * shares. Both happen in one transaction per receipt, so that no crash leaves a settled receipt incomplete.
 */
export async function completeReceipts(
  deps: CompleteDeps & { readonly rests: Rests },
  walk: PlaceWalk,
  confirmed: number,
): Promise<void> {
  await visitPlaces(deps, 'complete', await walk(), (place) => settlePlace(deps, place, confirmed));
}

const PAYEES = query('settlement-open-payees', (db, $: Place & { chainId: number }) =>
  db
    .selectFrom('SettlementShare')
    .select('payee')
    .distinct()
    .where('chainId', '=', $.chainId)
    .where('split', '=', $.split)
    .where('token', '=', $.token)
    .where('settledAt', 'is', null)
    .where('owed', 'is not', null),
);

const PAGE = 500;

/** What the chain has released at a place: base units by payee. */
interface Released extends Place {
  chainId: number;
  payees: readonly Wallet[];
  amounts: readonly string[];
}

const releasedOf = ({ payees, amounts }: Released) =>
  sql<{ payee: Wallet; released: string }>`unnest(${payees}::text[], ${amounts}::numeric[])`.as<'r'>(
    sql`r(payee, released)`,
  );

const RELEASED = query('settlement-released-receipts', (db, $: Released & ReceiptKey) =>
  db
    .selectFrom('SettlementShare as o')
    .innerJoin(releasedOf($), 'r.payee', 'o.payee')
    .select(['o.merchant', 'o.receiptId'])
    .distinct()
    .where('o.chainId', '=', $.chainId)
    .where('o.split', '=', $.split)
    .where('o.token', '=', $.token)
    .where('o.settledAt', 'is', null)
    .whereRef('o.releasedAtLeast', '<=', 'r.released')
    .where((eb) => sql<boolean>`(${eb.ref('o.merchant')}, ${eb.ref('o.receiptId')}) > (${$.merchant}, ${$.receiptId})`)
    .orderBy('o.merchant')
    .orderBy('o.receiptId')
    .limit(PAGE),
);

/** Returns whether a share was settled. */
async function settlePlace(deps: CompleteDeps, { split, token }: Place, confirmed: number): Promise<boolean> {
  const { chainId, tokens } = deps.chain;
  const known = tokens.find(({ symbol }) => symbol === token);
  const payees = await deps.db.run(PAYEES, { chainId, split, token });
  if (!known || payees.length === 0) return false;
  const wallets = payees.map(({ payee }) => payee);
  const released = await readReleased(deps.chain, split, known.address, wallets, BigInt(confirmed));
  const shown: Released = {
    ...{ chainId, split, token },
    payees: [...released.keys()],
    amounts: [...released.values()].map(String),
  };
  let settled = false;
  let last: ReceiptKey = { merchant: '' as Wallet, receiptId: '' };
  for (;;) {
    const receipts = await deps.db.run(RELEASED, { ...shown, ...last });
    for (const receipt of receipts) {
      const work = () => settleReceipt(deps, receipt, shown);
      if ((await workOnOne(deps.log, FAILED, receipt, work)) !== null) settled = true;
      last = receipt;
    }
    if (receipts.length < PAGE) return settled;
  }
}

/** The server's transaction that collected the receipt's money and released it at once; null if there is none. */
const collectedBy = (eb: ExpressionBuilder<Database, 'SettlementShare'>) =>
  eb
    .selectFrom('Transfer as t')
    .innerJoin('Transfer as c', (join) =>
      join
        .onRef('c.merchant', '=', 't.merchant')
        .onRef('c.addressOf', '=', 't.addressOf')
        .onRef('c.sender', '=', 't.payTo'),
    )
    .innerJoin('SpenderBroadcast as b', (join) =>
      join.onRef('b.chainId', '=', 'c.chainId').onRef('b.hash', '=', 'c.transactionHash'),
    )
    .select('c.transactionHash')
    .whereRef('t.merchant', '=', 'SettlementShare.merchant')
    .whereRef('t.receiptId', '=', 'SettlementShare.receiptId')
    .whereRef('t.chainId', '=', 'SettlementShare.chainId')
    .whereRef('t.token', '=', 'SettlementShare.token')
    .where('t.canonical', '=', true)
    .whereRef('c.chainId', '=', 'SettlementShare.chainId')
    .whereRef('c.payTo', '=', 'SettlementShare.split')
    .whereRef('c.token', '=', 'SettlementShare.token')
    .where('c.canonical', '=', true)
    .orderBy('c.blockNumber', 'desc')
    .limit(1);

const SETTLE = query('settlement-settle', (db, $: Released & ReceiptKey & { now: number }) =>
  db
    .updateTable('SettlementShare')
    .from(releasedOf($))
    .set((eb) => ({
      ...{ settledAt: $.now, ...CHANGED },
      transactionHash: eb.fn.coalesce('SettlementShare.transactionHash', collectedBy(eb)),
    }))
    .where('SettlementShare.merchant', '=', $.merchant)
    .where('SettlementShare.receiptId', '=', $.receiptId)
    .where('SettlementShare.chainId', '=', $.chainId)
    .where('SettlementShare.split', '=', $.split)
    .where('SettlementShare.token', '=', $.token)
    .whereRef('SettlementShare.payee', '=', 'r.payee')
    .where('SettlementShare.settledAt', 'is', null)
    .whereRef('SettlementShare.releasedAtLeast', '<=', 'r.released')
    .returning(['SettlementShare.payee', 'SettlementShare.owed', 'SettlementShare.sharesBps'])
    .returning('SettlementShare.transactionHash'),
);

async function settleReceipt(
  deps: CompleteDeps,
  { merchant, receiptId }: ReceiptKey,
  released: Released,
): Promise<void> {
  await deps.db.transaction(async (uow) => {
    const receipt = await lockReceipt(uow, merchant, receiptId);
    const at = deps.clock();
    const shares = await uow.run(SETTLE, { merchant, receiptId, ...released, now: at });
    if (shares.length > 0) announceAfterCommit(deps.bus, uow, [{ merchant }]);
    const place = { chainId: released.chainId, split: released.split, token: released.token };
    await raiseEvents(
      uow,
      shares.map(({ owed: amount, ...share }) => ({
        ...{ merchant, at, kind: 'payout.released' },
        source: `payout:${receiptId}:${place.chainId}:${place.split}:${place.token}:${share.payee}`,
        data: { receiptId, ...place, ...share, amount },
      })),
    );
    if (receipt) await completeIfSettled(deps, uow, receipt);
  });
}

/** Finds unsettled money of a receipt: an open share, or a transfer to a split without shares. */
const UNSETTLED = query(
  'settlement-unsettled',
  (db, $: ReceiptKey) =>
    db
      .selectFrom('SettlementShare')
      .select(sql<number>`1`.as('one'))
      .where('merchant', '=', $.merchant)
      .where('receiptId', '=', $.receiptId)
      .where('settledAt', 'is', null)
      .unionAll(
        db
          .selectFrom('Transfer as t')
          .select(sql<number>`1`.as('one'))
          .where('t.merchant', '=', $.merchant)
          .where('t.receiptId', '=', $.receiptId)
          .where('t.canonical', '=', true)
          .where((eb) =>
            eb.not(
              eb.exists(
                eb
                  .selectFrom('SettlementShare as o')
                  .select('o.payee')
                  .where('o.merchant', '=', $.merchant)
                  .where('o.receiptId', '=', $.receiptId)
                  .where('o.split', '=', splitOf('t'))
                  .whereRef('o.token', '=', 't.token')
                  .whereRef('o.chainId', '=', 't.chainId'),
              ),
            ),
          ),
      )
      .limit(1),
  { computed: { one: 'int4' } },
);

async function completeIfSettled(deps: CompleteDeps, uow: UnitOfWork, receipt: Receipt): Promise<void> {
  if (receipt.status !== 'paid') return;
  const [unsettled] = await uow.run(UNSETTLED, { merchant: receipt.merchant, receiptId: receipt.id });
  if (unsettled) return;
  await recordChange(deps, uow, receipt, { kind: 'status', to: 'completed' }, { actor: 'settlement' });
}

const SWEPT = 2_000;
/** The interval between full checks of all settled receipts. */
const SWEEP_MS = 6 * 3_600_000;

const SETTLED = query(
  'settlement-settled-page',
  (_db, $: ReceiptKey) => sql<ReceiptKey & { isDue: boolean | null }>`
    with page as (
      select merchant, receipt_id, bool_and(settled_at is not null) as settled
        from (select merchant, receipt_id, settled_at from settlement_shares
               where (merchant, receipt_id) > (${$.merchant}, ${$.receiptId})
               order by merchant, receipt_id limit ${sql.lit(SWEPT)}) o
       group by merchant, receipt_id)
    select p.merchant, p.receipt_id as "receiptId", p.settled and r.status = 'paid' as "isDue"
      from page p left join receipts r on r.merchant = p.merchant and r.id = p.receipt_id
     order by p.merchant, p.receipt_id`,
  { computed: { merchant: 'text', receiptId: 'text', isDue: 'bool' } },
);

/**
 * Completes the paid receipts whose shares are all settled already, one page per call. Earlier versions could leave
 * such receipts behind, and money without shares can be removed from a receipt after its shares were settled. A full
 * pass starts with the process and every few hours.
 *
 * @param clock in milliseconds, monotonic
 */
export function createCompletionSweep(deps: CompleteDeps, clock: () => number): () => Promise<void> {
  const start: ReceiptKey = { merchant: '' as Wallet, receiptId: '' };
  let after: ReceiptKey = start;
  let notBefore = Number.NEGATIVE_INFINITY;
  return async () => {
    if (clock() < notBefore) return;
    const page = await deps.db.run(SETTLED, after);
    for (const { merchant, receiptId } of page.filter(({ isDue }) => isDue)) {
      await workOnOne(deps.log, FAILED, { merchant, receiptId }, () =>
        deps.db.transaction(async (uow) => {
          const receipt = await lockReceipt(uow, merchant, receiptId);
          if (receipt) await completeIfSettled(deps, uow, receipt);
        }),
      );
    }
    const last = page.at(-1);
    if (last) after = { merchant: last.merchant, receiptId: last.receiptId };
    else {
      after = start;
      notBefore = clock() + SWEEP_MS;
    }
  };
}
