import { readReleased } from '../chain/splitter.ts';
import { Refusal } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import { inTransaction, type UnitOfWork } from '../platform/unit-of-work.ts';
import type { Receipt } from '../receipts/receipt.entity.ts';
import { lockReceipt, recordChange } from '../receipts/record-change.ts';
import { type Place, type PlaceWalk, type Rests, visitPlaces } from './place-walk.ts';

type CompleteDeps = Pick<Deps, 'orm' | 'sql' | 'boss' | 'bus' | 'chain' | 'clock' | 'log'>;

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

const PAYEES = statement(
  'settlement-open-payees',
  `select distinct payee from settlement_shares
    where chain_id = $1 and split = $2 and token = $3 and settled_at is null and owed is not null`,
);

const PAGE = 500;

const RELEASED = statement(
  'settlement-released-receipts',
  `select distinct o.merchant, o.receipt_id as "receiptId"
     from settlement_shares o join unnest($4::text[], $5::numeric[]) as r(payee, released) on r.payee = o.payee
    where o.chain_id = $1 and o.split = $2 and o.token = $3 and o.settled_at is null and o.released_at_least <= r.released
      and (o.merchant, o.receipt_id) > ($6, $7)
    order by o.merchant, o.receipt_id limit ${PAGE}`,
);

/** Returns whether a share was settled. */
async function settlePlace(deps: CompleteDeps, { split, token }: Place, confirmed: number): Promise<boolean> {
  const { chainId, tokens } = deps.chain;
  const known = tokens.find(({ symbol }) => symbol === token);
  const payees = await deps.sql.rows<{ payee: Wallet }>(PAYEES, [chainId, split, token]);
  if (!known || payees.length === 0) return false;
  const wallets = payees.map(({ payee }) => payee);
  const released = await readReleased(deps.chain, split, known.address, wallets, BigInt(confirmed));
  const amounts = [[...released.keys()], [...released.values()].map(String)] as const;
  let settled = false;
  let last: ReceiptKey = { merchant: '' as Wallet, receiptId: '' };
  for (;;) {
    const receipts = await deps.sql.rows<ReceiptKey>(RELEASED, [
      chainId,
      split,
      token,
      ...amounts,
      last.merchant,
      last.receiptId,
    ]);
    for (const receipt of receipts) {
      const work = () => settleReceipt(deps, receipt, [chainId, split, token, ...amounts]);
      if (await succeeds(deps, receipt, work)) settled = true;
      last = receipt;
    }
    if (receipts.length < PAGE) return settled;
  }
}

/** A receipt that cannot be written does not stop the others; an unreachable database does. */
async function succeeds({ log }: CompleteDeps, receipt: ReceiptKey, work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    log.error({ err: error, ...receipt }, 'receipt completion failed');
    return false;
  }
}

const SETTLE = `
  update settlement_shares o set settled_at = $8
    from unnest($6::text[], $7::numeric[]) as r(payee, released)
   where o.merchant = $1 and o.receipt_id = $2 and o.chain_id = $3 and o.split = $4 and o.token = $5
     and o.payee = r.payee and o.settled_at is null and o.released_at_least <= r.released`;

async function settleReceipt(
  deps: CompleteDeps,
  { merchant, receiptId }: ReceiptKey,
  released: readonly unknown[],
): Promise<void> {
  await inTransaction(deps, async (uow) => {
    const receipt = await lockReceipt(uow, merchant, receiptId);
    await uow.sql(SETTLE, [merchant, receiptId, ...released, deps.clock()]);
    if (receipt) await completeIfSettled(deps, uow, receipt);
  });
}

/** Finds unsettled money of a receipt: an open share, or a transfer to a split without shares. */
const UNSETTLED = `
  select 1 from settlement_shares where merchant = $1 and receipt_id = $2 and settled_at is null
  union all
  select 1 from transfers t where t.merchant = $1 and t.receipt_id = $2 and t.canonical and not exists (
    select 1 from settlement_shares o where o.merchant = $1 and o.receipt_id = $2 and o.split = t.pay_to and o.token = t.token)
  limit 1`;

async function completeIfSettled(deps: CompleteDeps, uow: UnitOfWork, receipt: Receipt): Promise<void> {
  if (receipt.status !== 'paid') return;
  const [unsettled] = await uow.sql(UNSETTLED, [receipt.merchant, receipt.id]);
  if (unsettled) return;
  await recordChange(deps, uow, receipt, { kind: 'status', to: 'completed' }, { actor: 'settlement' });
}

const SWEPT = 2_000;
/** The interval between full checks of all settled receipts. */
const SWEEP_MS = 6 * 3_600_000;

const SETTLED = statement(
  'settlement-settled-page',
  `with page as (
     select merchant, receipt_id, bool_and(settled_at is not null) as settled
       from (select merchant, receipt_id, settled_at from settlement_shares
              where (merchant, receipt_id) > ($1, $2) order by merchant, receipt_id limit ${SWEPT}) o
      group by merchant, receipt_id)
   select p.merchant, p.receipt_id as "receiptId", p.settled and r.status = 'paid' as "isDue"
     from page p left join receipts r on r.merchant = p.merchant and r.id = p.receipt_id
    order by p.merchant, p.receipt_id`,
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
    const page = await deps.sql.rows<ReceiptKey & { isDue: boolean | null }>(SETTLED, [
      after.merchant,
      after.receiptId,
    ]);
    for (const { merchant, receiptId } of page.filter(({ isDue }) => isDue)) {
      await succeeds(deps, { merchant, receiptId }, () =>
        inTransaction(deps, async (uow) => {
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
